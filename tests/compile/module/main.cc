/* SPDX-License-Identifier: MIT */
/* Imports the module. The events of templates instantiated here are declared too. */
import shop;

int main()
{
	open_shop(1);
	sell(3, "tea");
	sell(4.5, "milk");
	close_shop("me");
	/*
	 * the set, one event of each type that is sold, and those of open_shop() and close_shop()
	 */
	return declared() == 5 ? 0 : 1;
}
