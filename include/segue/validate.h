/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is this a WQE? Walks raw bytes with the same automaton that the builders' types come from and
 * names the first offence.
 *
 * Owner: bytes and text are the caller's; nothing is kept or allocated.
 * Threads: any.
 * Errors: negative errno and the offence; any bytes are safe.
 * Source: the spec's automata (segue/gen/machines.h).
 */
#ifndef SEGUE_VALIDATE_H
#define SEGUE_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

#include "segue/decode.h"
#include "segue/detail/function.h"
#include "segue/machine.h"

#include "segue/detail/begin.h"

enum segue_offence_kind {
	SEGUE_OFFENCE_NONE,
	SEGUE_OFFENCE_TRUNCATED, /* the bytes end before the WQE does */
	SEGUE_OFFENCE_OPCODE,	 /* no request of this queue has that opcode and opmod */
	SEGUE_OFFENCE_FLAGS,	 /* the request may not carry that flag or setting */
	SEGUE_OFFENCE_SEGMENT,	 /* no segment that may come here looks like these bytes */
	/* a field holds what it may not: out of range, not the constant, or of another segment */
	SEGUE_OFFENCE_VALUE,
	SEGUE_OFFENCE_LIST,    /* a list is not as long as an earlier segment announced */
	SEGUE_OFFENCE_LENGTH,  /* the WQE ends where it may not, or goes on where it must end */
	SEGUE_OFFENCE_RESERVED /* a reserved bit is set, and there is no other offence; libmlx5
				  leaves such bits behind */
};

struct segue_offence {
	enum segue_offence_kind kind;
	uint32_t offset;     /* bytes from the start of the WQE: the first byte of what is wrong */
	uint32_t segment_at; /* where its segment begins */
	const char *machine; /* "rc", … */
	const char *request; /* work request that the bytes were taken for, or NULL */
	const char *state;   /* of the automaton, or NULL */
	const char *segment; /* or NULL */
	const char *field;   /* or NULL */
	char found[128];     /* what is there */
	char expected[192];  /* what may be there */
};

/**
 * segue_wqe_validate() - check a WQE.
 * @machine: the queue's automaton: &segue_rc_machine, …, &segue_rq_machine, …
 * @wqe: its bytes in one piece, from the control segment on (receive queues: from the start of the
 *   stride)
 * @len: bytes there are; of a send WQE more than it takes are ignored, of a receive WQE the stride,
 *   or on a block device block.used
 * @offence: filled with the first offence; may be NULL
 *
 * The first is that at the lowest byte. Reserved bits count only where nothing else is wrong, as
 * devices and libmlx5 leave such bits behind: they hide no offence. Where several requests share an
 * opcode, the one that fits furthest is reported. What only a queue knows is not checked: index,
 * queue number, signature, keys. Returns 0 or -EINVAL. Reads at most @len bytes; any bytes are
 * safe. Allocates nothing, any thread may call it.
 */
SEGUEI_MUST_CHECK int segue_wqe_validate(const struct segue_machine *machine, const void *wqe,
					 size_t len, struct segue_offence *offence);

/**
 * segue_offence_print() - an offence as one sentence.
 *
 * Bounded and NUL-terminated as snprintf(); returns the length of the whole sentence.
 */
size_t segue_offence_print(const struct segue_offence *offence, char *out, size_t outlen);

/**
 * segue_wqe_print() - print a WQE as text or JSON.
 * @machine: the queue's automaton
 * @wqe, @len: as segue_wqe_validate(); all bytes of the WQE have to be there, those behind it are
 *   left out
 * @format: text or JSON
 * @out, @outlen: what the text is written to; about 50 bytes for each field are enough
 *
 * Text: the request, each segment with its fields, and the offence if there is one. JSON:
 * {"request", "segments": […], "valid": bool, "offence": …}. Bounded and NUL-terminated as
 * snprintf(); returns the length of the whole text.
 */
size_t segue_wqe_print(const struct segue_machine *machine, const void *wqe, size_t len,
		       enum segue_print_format format, char *out, size_t outlen);

#include "segue/detail/end.h"

#endif
