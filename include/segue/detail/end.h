/* SPDX-License-Identifier: BSD-2-Clause */
/* Closes the block that segue/detail/begin.h opened. */
#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
