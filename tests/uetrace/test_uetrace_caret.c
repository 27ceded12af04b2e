/* SPDX-License-Identifier: MIT */
/*
 * The caret in the kernel's error_log refers to a command that uetrace rewrote. uetrace must print
 * the caret below the text that the user typed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "test.h"

#include "kernel/kernel.h"

static void check(const char *log, const char *command, const char *typed, const char *expected)
{
	char *result = caret(log, command, typed);

	if (expected)
		assert_string_equal(result, expected);
	else
		assert_null(result);
	free(result);
}

TEST(test_inserted_group_does_not_move_the_caret)
{
	check("[    1.5] trace_kprobe: error: Invalid $-variable specified\n"
	      "  Command: p:uetrace_42/b vfs_read foo=$argx\n"
	      "                                       ^\n",
	      "p:uetrace_42/b vfs_read foo=$argx", "p:b vfs_read foo=$argx",
	      "  p:b vfs_read foo=$argx\n"
	      "                   ^\n"
	      "Invalid $-variable specified");
}

TEST(test_caret_in_the_rewritten_word)
{
	check("[    1.5] trace_kprobe: error: Bad event name\n"
	      "  Command: p:uetrace_42/b-c vfs_read\n"
	      "                        ^\n",
	      "p:uetrace_42/b-c vfs_read", "p:zz/b-c vfs_read",
	      "  p:zz/b-c vfs_read\n"
	      "       ^\n"
	      "Bad event name");
}

TEST(test_caret_before_our_group)
{
	check("[    1.5] trace_kprobe: error: Maxactive is too big\n"
	      "  Command: r99999999:uetrace_42/x vfs_write\n"
	      "            ^\n",
	      "r99999999:uetrace_42/x vfs_write", "r99999999:x vfs_write",
	      "  r99999999:x vfs_write\n"
	      "   ^\n"
	      "Maxactive is too big");
}

TEST(test_filter_alone)
{
	check("[    1.5] event filter parse error: error: Field not found\n"
	      "  Command: nosuch > 3\n"
	      "                  ^\n",
	      "e:slow  user_events.base if  nosuch > 3", "e:slow  user_events.base if  nosuch > 3",
	      "  e:slow  user_events.base if  nosuch > 3\n"
	      "                                      ^\n"
	      "Field not found");
	check("[    1.5] event filter parse error: error: Field not found\n"
	      "  Command: nosuch > 3\n"
	      "           ^\n",
	      "traceoff if other > 3", "traceoff if other > 3", NULL);
}

TEST(test_spaces_removed_by_the_kernel)
{
	check("[    1.5] trace_kprobe: error: Bad fetch arg\n"
	      "  Command: p:a/b vfs_read foo=$x\n"
	      "                              ^\n",
	      "p:a/b   vfs_read   foo=$x", "p:a/b   vfs_read   foo=$x",
	      "  p:a/b   vfs_read   foo=$x\n"
	      "                         ^\n"
	      "Bad fetch arg");
}

TEST(test_errors_of_other_commands_are_ignored)
{
	check("[    1.0] trace_kprobe: error: Old\n  Command: p:x other\n           ^\n",
	      "p:x place", "p:x place", NULL);
	check("[    1.0] hist:kprobes:k: error: Couldn't find field\n"
	      "  Command: hist:keys=nosuch\n"
	      "                     ^\n",
	      "onmatch", "onmatch", NULL);
	check("", "p:x place", "p:x place", NULL);
	check("(no entries)", "p:x", "p:x", NULL);
	check("x: error: y", "p:x", "p:x", NULL);
}

TEST(test_caret_stays_within_the_typed_text)
{
	check("[    1.0] a: error: E\n  Command: p x\n                              ^\n", "p x",
	      "p x", "  p x\n     ^\nE");
	check("[    1.0] a: error: E\n  Command: p x", "p x", "p x", "  p x\n  ^\nE");
}

TESTS_MAIN
