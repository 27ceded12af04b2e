/* SPDX-License-Identifier: MIT */
/*
 * Builder: structs
 */

/* @private */

UE__FN void ue__open_struct_begin(struct ue_builder *b, const char *name, bool array)
{
	struct ue__open_struct *open = &b->open[b->depth < 8 ? b->depth : 7];

	if (!b->error && b->depth == 8)
		b->error = -E2BIG;
	if (b->error)
		return;
	b->next_format = 0;
	memset(open, 0, sizeof(*open));
	if (!ue__define(b, name, UE__T_0STRUCT | (array ? UE__T_VARRAY : 0)))
		return;
	open->array = array;
	open->replayed = b->replay != 0;
	open->members_at = b->replay ? b->replay : b->meta_end;
	if (array) {
		open->count_at = b->data_end - b->data;
		ue__data(b, &open->elements, 2);
	}
	if (!b->error)
		b->depth++;
}

/* Where an element of the innermost struct ends in the metadata: all its members were added. */
UE__FN void ue__element_end(struct ue_builder *b, struct ue__open_struct *open)
{
	size_t here = b->replay ? b->replay : b->meta_end;

	if (here == open->members_at || (open->members_end && here != open->members_end) ||
	    (b->buffer[open->format_at] & 0x7f) != open->members)
		b->error = -EINVAL;
	open->members_end = here;
	open->members = 0;
}

UE__API void ue_struct_begin(struct ue_builder *b, const char *name)
{
	ue__open_struct_begin(b, name, false);
}

UE__API void ue_struct_array_begin(struct ue_builder *b, const char *name)
{
	ue__open_struct_begin(b, name, true);
}

UE__API void ue_struct_array_next(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || !open->array))
		b->error = -EINVAL;
	if (b->error)
		return;
	if (open->elements > 0) {
		ue__element_end(b, open);
		b->replay = open->members_at;
	}
	if (++open->elements == 0)
		b->error = -E2BIG;
	else
		memcpy(b->buffer + b->data + open->count_at, &open->elements, 2);
}

UE__API void ue_struct_end(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || (open->array && open->elements == 0)))
		b->error = -EINVAL;
	if (b->error)
		return;
	ue__element_end(b, open);
	/* within a later element of an outer array, go on comparing */
	b->replay = open->replayed ? open->members_end : 0;
	b->depth--;
}
