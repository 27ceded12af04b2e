// SPDX-License-Identifier: MIT
// Spans, also as scopes.
#include "span.c"
