// SPDX-License-Identifier: MIT

/* expect: needs C11 or C..11 */
/* flags: -std=c++98 */
#include <user_events.h>
