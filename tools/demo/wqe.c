/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Builds an RDMA WRITE with immediate for a DC initiator with the generated builders, shows its
 * bytes and their meaning, and then breaks it to show the validator's answer. The ring is ordinary
 * memory, so no card and no driver is needed.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "segue/base.h"
#include "segue/decode.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"

#define BLOCKS 16

static _Alignas(64) uint8_t ring[BLOCKS * 64];
static struct segue_sq_slot slots[BLOCKS];
static uint32_t doorbell_record;
static uint64_t doorbell_register[32];

static void show_bytes(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		printf("%s%02x", i % 16 == 0 ? "\n    " : (i % 4 == 0 ? "  " : " "), bytes[i]);
	printf("\n\n");
}

/* Prints one WQE as text. Returns 0 if it is legal. */
static int show_meaning(const uint8_t *wqe, size_t len)
{
	static char text[16384];

	segue_wqe_print(&segue_dci_machine, wqe, len, SEGUE_FORMAT_TEXT, text, sizeof(text));
	printf("%s\n", text);
	return segue_wqe_validate(&segue_dci_machine, wqe, len, NULL);
}

static int post(struct segue_dci_sq *sq)
{
	struct segue_seg_av_dc path;
	struct segue_address_vector ah;

	memset(&path, 0, sizeof(path));
	path.rlid = 0x12;
	path.sl = 3;
	segue_seg_av_dc_prepare(&ah, &path);

	/* Leave segue_av() out, or call segue_sge() before segue_raddr(), and this line does not
	 * compile. */
	return segue_post(
		segue_sge(segue_raddr(segue_av(segue_rdma_write_imm(sq, 1, SEGUE_SIGNALED, 0xcafe),
					       &ah, 0x4711, 0xdeadbeef),
				      0x7f0012340000, 0x1800),
			  0x7f0056780000, 4096, 0x1900));
}

int main(void)
{
	const struct segue_sq_init_options attr = {
		.buf = ring,
		.wqe_cnt = BLOCKS,
		.dbrec = &doorbell_record,
		.bf_reg = doorbell_register,
		.qpn = 0x101,
		.slots = slots,
	};
	const size_t len = 96; /* ctrl 16 + address vector 48 + remote address 16 + data 16 */
	struct segue_dci_sq sq;

	if (segue_sq_init(&sq.sq, &attr) || post(&sq)) {
		fprintf(stderr, "wqe: %s\n", segue_errmsg());
		return 1;
	}
	printf("An RDMA WRITE with immediate on a DC initiator, %zu bytes in the ring:\n", len);
	show_bytes(ring, len);
	printf("What they mean, by the generated tables:\n\n");
	if (show_meaning(ring, len)) {
		fprintf(stderr, "wqe: the validator refuses what the builder wrote\n");
		return 1;
	}
	printf("The same with a length that ends behind the address vector, as hand-written code "
	       "may miscount it:\n\n");
	ring[7] = 4; /* units of 16 bytes */
	if (!show_meaning(ring, len)) {
		fprintf(stderr, "wqe: the validator accepts a broken WQE\n");
		return 1;
	}
	return 0;
}
