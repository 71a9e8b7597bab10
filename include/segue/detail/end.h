/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of what segue/detail/begin.h began. */
#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
