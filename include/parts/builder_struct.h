/* SPDX-License-Identifier: MIT */
/*
 * Builder: structs
 */

@private

UE__FN void ue__level_begin(struct ue_builder *b, const char *name, bool array)
{
	struct ue__level *level = &b->level[b->depth < 8 ? b->depth : 7];

	if (!b->error && b->depth == 8)
		b->error = -E2BIG;
	if (b->error)
		return;
	b->next_format = 0;
	memset(level, 0, sizeof(*level));
	ue__define(b, name, UE__T_0STRUCT | (array ? UE__T_VARRAY : 0));
	if (b->error)
		return;
	level->array = array;
	level->replayed = b->replay != 0;
	level->members_at = b->replay ? b->replay : b->meta_end;
	if (array) {
		level->count_at = b->data_end - b->data;
		ue__data(b, &level->elements, 2);
	}
	if (!b->error)
		b->depth++;
}

/* Where an element of the innermost struct ends in the metadata: all its members were added. */
UE__FN void ue__element_end(struct ue_builder *b, struct ue__level *level)
{
	size_t here = b->replay ? b->replay : b->meta_end;

	if (here == level->members_at || (level->members_end && here != level->members_end) ||
	    (b->buffer[level->format_at] & 0x7f) != level->members)
		b->error = -EINVAL;
	level->members_end = here;
	level->members = 0;
}

UE__API void ue_struct_begin(struct ue_builder *b, const char *name)
{
	ue__level_begin(b, name, false);
}

UE__API void ue_struct_array_begin(struct ue_builder *b, const char *name)
{
	ue__level_begin(b, name, true);
}

UE__API void ue_struct_array_next(struct ue_builder *b)
{
	struct ue__level *level = &b->level[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || !level->array))
		b->error = -EINVAL;
	if (b->error)
		return;
	if (level->elements > 0) {
		ue__element_end(b, level);
		b->replay = level->members_at;
	}
	if (++level->elements == 0)
		b->error = -E2BIG;
	else
		memcpy(b->buffer + b->data + level->count_at, &level->elements, 2);
}

UE__API void ue_struct_end(struct ue_builder *b)
{
	struct ue__level *level = &b->level[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || (level->array && level->elements == 0)))
		b->error = -EINVAL;
	if (b->error)
		return;
	ue__element_end(b, level);
	/* a struct that is itself repeated goes on being compared */
	b->replay = level->replayed ? level->members_end : 0;
	b->depth--;
}
