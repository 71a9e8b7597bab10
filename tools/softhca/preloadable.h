/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the dynamic loader will put a preloaded library in front of a program. */
#ifndef SOFTHCA_PRELOADABLE_H
#define SOFTHCA_PRELOADABLE_H

#include <stdbool.h>

/*
 * Why it will not, as the end of the sentence "COMMAND …", or NULL if nothing speaks against it.
 * `command` is looked up as execvp() does. What is no ELF file (a script, say) is not judged.
 * `starts`: whether it runs nevertheless, without the device, and may start others that see it.
 */
const char *softhca_not_preloadable(const char *command, bool *starts);

/*
 * The library of a sanitizer that a program is linked with, and which wants to be loaded before all
 * others: "libasan.so.8", or an empty string. Clang's are part of the program.
 */
void softhca_sanitizer_of(const char *command, char out[64]);

#endif /* SOFTHCA_PRELOADABLE_H */
