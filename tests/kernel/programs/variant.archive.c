/* SPDX-License-Identifier: MIT */
/* The events are only in a static library whose member does nothing before main(). */
extern int variant_main(int argc, char **argv);

int main(int argc, char **argv)
{
	return variant_main(argc, argv);
}
