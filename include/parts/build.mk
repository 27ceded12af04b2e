# SPDX-License-Identifier: MIT
# The headers that users copy, from their parts.
headers:
	@scripts/assemble
check-headers:
	@scripts/assemble --check
.PHONY: headers check-headers
