/* SPDX-License-Identifier: MIT */
/*
 * Writes events whose field names may confuse CTF readers: names that differ only in leading
 * underscores, names that equal the name of an array's length, and reserved words of the grammar.
 * The names occur in every order, and each of them also names an array.
 */
#include <user_events_builder.h>
#include <user_events_recorder.h>

UE_EVENT_SET(names, "Names", UE_LEVEL_INFORMATION, 0x1);

static const char *const confused[] = { "data", "_data", "data_length", "_data_length",
					"__data_length" };
static const char *const reserved[] = {
	"align",      "callsite", "char",      "clock",	    "const",	      "double",
	"enum",	      "env",	  "event",     "float",	    "floating_point", "int",
	"integer",    "long",	  "short",     "signed",    "stream",	      "string",
	"struct",     "trace",	  "typealias", "typedef",   "unsigned",	      "variant",
	"void",	      "Bool",	  "Complex",   "Imaginary", "_Bool",	      "_Complex",
	"_Imaginary", "",	  "_",	       "__",	    "Bool_2",
};
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void add(struct ue_builder *b, const char *name, int array, unsigned char value)
{
	unsigned char values[2] = { value, 7 };

	if (array)
		ue_add_array_u8(b, name, values, 2);
	else
		ue_add_u8(b, name, value);
}

/*
 * Writes an event with the field names in the given order. The field at position ARRAY is an array.
 */
static void write_one(const unsigned char *order, unsigned int array)
{
	unsigned char buffer[4000], i;
	struct ue_builder b;

	ue_builder_begin(&b, buffer, sizeof(buffer), "Order", 0);
	for (i = 0; i < COUNT(confused); i++)
		add(&b, confused[order[i]], order[i] == array, i);
	ue_builder_write(&b, &names, NULL, NULL);
}

static void write_orders(unsigned char *order, unsigned int n)
{
	unsigned int i;
	unsigned char swap;

	if (n == 1) {
		for (i = 0; i <= COUNT(confused); i++)
			write_one(order, i);
		return;
	}
	for (i = 0; i < n; i++) {
		swap = order[i];
		order[i] = order[n - 1];
		order[n - 1] = swap;
		write_orders(order, n - 1);
		order[n - 1] = order[i];
		order[i] = swap;
	}
}

int main(void)
{
	unsigned char order[] = { 0, 1, 2, 3, 4 }, buffer[4000], i;
	struct ue_builder b;

	ue_recorder_environment();
	write_orders(order, COUNT(order));
	ue_builder_begin(&b, buffer, sizeof(buffer), "Reserved", 0);
	for (i = 0; i < COUNT(reserved); i++)
		add(&b, *reserved[i] ? reserved[i] : ";", 0, i);
	ue_struct_begin(&b, "Bool");
	for (i = 0; i < COUNT(reserved); i++)
		add(&b, *reserved[i] ? reserved[i] : ";", i % 2, i);
	ue_struct_end(&b);
	return ue_builder_write(&b, &names, NULL, NULL);
}
