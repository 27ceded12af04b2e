/* SPDX-License-Identifier: MIT */
/* Imports the module. Templates that this file instantiates declare their events too. */
import shop;

int main()
{
	open_shop(1);
	sell(3, "tea");
	sell(4.5, "milk");
	close_shop("me");
	/*
	 * count the event set, one event for each type that is sold, and one event each for
	 * open_shop() and close_shop()
	 */
	return declared() == 5 ? 0 : 1;
}
