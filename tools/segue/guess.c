// SPDX-License-Identifier: BSD-2-Clause
/* Guesses what a dump is: a request, a ring or a completion, and of which queue. */
#include "tools/segue/guess.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/walk.h"
#include "segue/decode.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "tools/segue/failed_completion.h"
#include "tools/segue/ring.h"
#include "tools/segue/wqe.h"

static bool legal_request(const struct segue_machine *machine, const struct dump *dump)
{
	bool legal;

	if (machine)
		return segue_wqe_validate(machine, dump->bytes, dump->len, NULL) == 0;
	(void)wqe_guess(dump->bytes, dump->len, &legal);
	return legal;
}

static uint64_t bytes_of_request(const struct dump *dump)
{
	if (dump->len < segue_control.segment->size)
		return 0;
	return wqe_control(dump->bytes, segue_control.size) * SEGUE_WQE_UNIT_SIZE;
}

/* More than one request, as they call themselves. */
static bool ring_sized(const struct dump *dump)
{
	const uint64_t size = bytes_of_request(dump);

	if (dump->len % SEGUE_WQE_BLOCK_SIZE)
		return false;
	return size ? dump->len >= size + SEGUE_WQE_BLOCK_SIZE : dump->len > SEGUE_WQE_MAX_SIZE;
}

/* The opcode of a request that the queue has. */
static bool known_opcode(const struct segue_machine *machine, const struct dump *dump)
{
	uint16_t i;

	if (dump->len < segue_control.segment->size)
		return false;
	for (i = 0; i < machine->n_starts; i++)
		if (machine->starts[i].opcode == wqe_control(dump->bytes, segue_control.opcode) &&
		    machine->starts[i].opmod == wqe_control(dump->bytes, segue_control.opmod))
			return true;
	return false;
}

/*
 * A request that is cut off is not a completion, even if one could look like it. Opcode 0 is that
 * of a NOP, which is too short to lose anything, and of most completions, which have a wqe_id of 0.
 */
static bool truncated(const struct segue_machine *machine, const struct dump *dump)
{
	struct segue_offence offence;

	(void)segue_wqe_validate(machine, dump->bytes, dump->len, &offence);
	return offence.kind == SEGUE_OFFENCE_TRUNCATED && known_opcode(machine, dump) &&
	       wqe_control(dump->bytes, segue_control.opcode) != SEGUE_OPCODE_NOP;
}

/* Guesses bytes that are neither legal nor clear. */
static struct guess in_doubt(const struct segue_machine *machine, size_t cqe_size,
			     const struct dump *dump, bool cqe)
{
	struct guess guess = {.kind = KIND_WQE};
	bool legal;

	if (!machine && cqe && dump->len == cqe_size) {
		guess.doubtful = !truncated(wqe_guess(dump->bytes, dump->len, &legal), dump);
		guess.kind = guess.doubtful ? KIND_CQE : KIND_WQE;
	} else if (dump->len > SEGUE_WQE_BLOCK_SIZE) {
		const struct segue_machine *const likely = machine ? machine
								   : wqe_guess(dump->bytes,
									       dump->len, &legal);

		guess.kind = ring_sized(dump) || !known_opcode(likely, dump) ? KIND_ANY : KIND_WQE;
	}
	return guess;
}

/* Guesses a dump as it stands. */
static struct guess as_it_stands(const struct segue_machine *machine, size_t cqe_size,
				 const struct dump *dump)
{
	const struct ring_cqes cqes = ring_look_at_cqes(dump->bytes, dump->len, cqe_size);
	struct guess guess = {.kind = KIND_ANY};

	if (dump->len % SEGUE_WQE_BLOCK_SIZE == 0 && dump_is_zero(dump->bytes, dump->len))
		guess.kind = KIND_RING;
	else if (legal_request(machine, dump) && !ring_sized(dump))
		guess.kind = KIND_WQE;
	else if (ring_sized(dump) && ring_is_send(machine, dump->bytes, dump->len))
		guess.kind = KIND_RING;
	else if (!machine && cqes.clear)
		guess.kind = KIND_CQE;
	else
		guess = in_doubt(machine, cqe_size, dump, cqes.possible);
	return guess;
}

/* Not how many bytes they have: one that is legal by chance may be long. */
static uint32_t legal_requests(const struct segue_machine *machine, const struct dump *dump)
{
	if (ring_sized(dump))
		return ring_legal_requests(machine, dump->bytes, dump->len);
	return legal_request(machine, dump) &&
	       wqe_control(dump->bytes, segue_control.opcode) != SEGUE_OPCODE_NOP;
}

/* True if turning the bytes round makes completions of what are none. One entry alone proves
 * nothing: most of it is zero. */
static bool makes_cqes(const struct dump *dump, const struct dump *turned, size_t cqe_size)
{
	const struct ring_cqes now = ring_look_at_cqes(turned->bytes, turned->len, cqe_size);

	return now.clear && now.written > 1 &&
	       !ring_look_at_cqes(dump->bytes, dump->len, cqe_size).clear;
}

unsigned int guess_turned(const struct segue_machine *machine, size_t cqe_size,
			  const struct dump *dump)
{
	uint32_t most = legal_requests(machine, dump), legal;
	struct dump copy = {.bytes = malloc(dump->len), .len = dump->len};
	unsigned int width, found = 0;
	bool requests = most > 0;

	for (width = 8; copy.bytes && width >= 2; width /= 2) {
		if (dump->len % width)
			continue;
		memcpy(copy.bytes, dump->bytes, dump->len);
		failed_turn(copy.bytes, dump->len, width);
		legal = legal_requests(machine, &copy);
		if (legal > most) {
			most = legal;
			found = width;
			requests = true;
		} else if (!machine && !requests && !found && makes_cqes(dump, &copy, cqe_size)) {
			found = width;
		}
	}
	free(copy.bytes);
	return found;
}

struct guess guess_of(const struct segue_machine *machine, size_t cqe_size, const struct dump *dump)
{
	struct guess guess = as_it_stands(machine, cqe_size, dump);

	guess.turned = guess_turned(machine, cqe_size, dump);
	if (guess.turned)
		guess.kind = KIND_ANY;
	return guess;
}
