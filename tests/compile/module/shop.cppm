/* SPDX-License-Identifier: MIT */
/*
 * A C++20 module with events in an exported template, in an inline function and in other functions.
 */
module;
#include <user_events.h>
#include <string>
export module shop;

UE_EVENT_SET(shop_set, "ShopModule", UE_LEVEL_INFORMATION, 1);

export template <class T> void sell(T price, const char *what)
{
	UE_TRACE(module_sold, UE_I64(price, static_cast<int64_t>(price)), UE_STR(what));
	UE_LOG(shop_set, "Sold", price, UE_STR(what));
}

export inline void open_shop(int n)
{
	UE_TRACE(module_open, n);
}

export void close_shop(const std::string &who)
{
	UE_TRACE(module_closed, who);
	UE_LOG(shop_set, "Closed", who);
}

export unsigned int declared()
{
	return ue_status().declared;
}
