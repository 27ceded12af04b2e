#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The table of registrations and writes that the fake kernel passes, on the real one.

exec "${0%/*}/../../build/tests/abi_table" real
