/* SPDX-License-Identifier: MIT */
/*
 * A program whose events are all in a static library. The library's only member does nothing before
 * main().
 */
extern int variant_main(int argc, char **argv);

int main(int argc, char **argv)
{
	return variant_main(argc, argv);
}
