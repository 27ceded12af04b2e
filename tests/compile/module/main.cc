/* SPDX-License-Identifier: MIT */
/* Imports the module: the events of what is instantiated here are declared, too. */
import shop;

int main()
{
	open_shop(1);
	sell(3, "tea");
	sell(4.5, "milk");
	close_shop("me");
	/* the set, one of each type that is sold, of open_shop() and of close_shop() */
	return declared() == 5 ? 0 : 1;
}
