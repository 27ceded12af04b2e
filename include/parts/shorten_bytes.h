/* SPDX-License-Identifier: MIT */
/*
 * Shortening bytes
 */

/* @enabled */

/* Makes an event of at most UE_MAX_EVENT bytes of the copy. False if that cannot be. */
UE__SETUP bool ue__shorten(struct ue__copy *copy, const struct ue_event *event)
{
	size_t (*cut)(struct ue__copy * copy, size_t most, bool measure) = ue__cut_locs;
	size_t most = 0, bit, size;

	if (ue__spec(event, copy->spec) < 0)
		return false;
	if (strcmp(copy->spec + strcspn(copy->spec, " "), " " UE__SET_FIELDS) == 0) {
		cut = ue__cut_log;
		if (!ue__find_metadata(copy))
			return false;
	} else {
		copy->locs = ue__find_locs(copy);
		copy->align = event->desc->variant == UE__DESC_CALLBACKS ? 8 : 1;
	}
	size = cut(copy, 0, true);
	if (copy->locs < 0 || size == 0 || size > UE_MAX_EVENT)
		return false;
	for (bit = (size_t)1 << (sizeof(bit) * 8 - 1); bit; bit >>= 1) {
		if ((most | bit) <= UE_MAX_EVENT && cut(copy, most | bit, true) <= UE_MAX_EVENT)
			most |= bit;
	}
	copy->payload = cut(copy, most, false);
	return true;
}
