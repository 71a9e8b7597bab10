/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes out of what people paste: raw binary, plain hex, xxd, hexdump, od, gdb's x/ and C
 * initialisers.
 *
 * Source of the forms: xxd(1), hexdump(1), od(1), gdb's manual ("Examining Memory"), and libmlx5's
 * and mlx5_ib's dump_cqe().
 */
#ifndef SEGUE_TOOL_DUMP_H
#define SEGUE_TOOL_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DUMP_MAX ((size_t)64 << 20) /* bytes of a dump: the largest ring of a card is 2 MiB */

struct dump {
	uint8_t *bytes; /* free() it */
	size_t len;
};

/*
 * dump_parse() turns text or binary into the bytes it stands for. `form` is "auto", "text" or
 * "raw". Returns 0, or a negative errno with a sentence in `why`.
 */
int dump_parse(const struct dump *text, const char *form, struct dump *dump, char *why,
	       size_t why_len);

/* dump_is_raw() is true if what was read is taken for the bytes themselves. */
bool dump_is_raw(const struct dump *text, const char *form);

/* dump_load() reads a whole file, as it is. */
int dump_load(FILE *file, struct dump *text, char *why, size_t why_len);

/* dump_is_zero() is true if no bit of some bytes is set. */
static inline bool dump_is_zero(const uint8_t *bytes, size_t len)
{
	return len == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, len - 1) == 0);
}

/* dump_read() loads and parses. */
int dump_read(FILE *file, const char *form, struct dump *dump, char *why, size_t why_len);

#endif
