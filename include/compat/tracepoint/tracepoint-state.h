/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
#include "tracepoint.h"
