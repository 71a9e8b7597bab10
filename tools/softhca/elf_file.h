/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks whether the dynamic loader will preload a library into a program. */
#ifndef SOFTHCA_ELF_FILE_H
#define SOFTHCA_ELF_FILE_H

#include <stdbool.h>

/*
 * Reason why it will not, as the end of the sentence "COMMAND …", or NULL if there is none.
 * `command` is looked up as by execvp(). Files other than ELF (such as scripts) are not checked.
 * `starts`: whether it runs nevertheless, without the device, and may start programs that see it.
 */
const char *softhca_not_preloadable(const char *command, bool *starts);

/*
 * Library of a sanitizer that a program is linked with, and that must be loaded before all others:
 * "libasan.so.8", or an empty string. Clang's sanitizers are part of the program.
 */
void softhca_sanitizer_of(const char *command, char out[64]);

#endif /* SOFTHCA_ELF_FILE_H */
