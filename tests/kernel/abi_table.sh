#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs the fake kernel's table of registrations and writes on the real kernel, whose answers must be
# the same.

exec "${0%/*}/../../build/tests/abi_table" real
