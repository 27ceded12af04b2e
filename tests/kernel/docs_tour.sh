#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs the commands of README.md and of all pages except docs/kernel.md: see docs.sh.

here=$(cd "${0%/*}" && pwd -P)
pages=("$here"/../../README.md)
for page in "$here"/../../docs/*.md; do
	[ "${page##*/}" = kernel.md ] || pages+=("$page")
done
exec "$here/docs.sh" "${pages[@]}"
