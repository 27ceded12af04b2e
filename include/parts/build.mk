# SPDX-License-Identifier: MIT
# The headers that users copy, from their parts.
headers:
	@scripts/assemble
check-headers:
	@scripts/assemble --check
	@for part in $(basename $(notdir $(wildcard include/parts/*.h))); do \
		grep -q "^|.*\`$$part\`" include/parts/README.md || \
			{ echo "include/parts/README.md does not say what $$part.h holds" >&2; exit 1; }; \
	done
.PHONY: headers check-headers
