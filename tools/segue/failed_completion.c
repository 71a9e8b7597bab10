// SPDX-License-Identifier: BSD-2-Clause
/* Failed completions as vendors' drivers print them: reading them, and finding them in a dump. */
#include "tools/segue/failed_completion.h"

#include <stdio.h>
#include <string.h>

#include "runtime/text/decode.h"
#include "segue/explain.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"
#include "tools/segue/dump.h"
#include "tools/segue/wqe.h"

/* DPDK's mark in a completion that it has printed: "seen" from byte 1 on. Source:
 * DPDK:drivers/net/mlx5/mlx5_rx.c (mlx5_rx_err_handle), mlx5_tx.c. */
static const char dpdk_mark[] = "seen";

bool failed_unmark(uint8_t *bytes)
{
	if (memcmp(bytes + 1, dpdk_mark, sizeof(dpdk_mark) - 1) != 0)
		return false;
	memset(bytes, 0, sizeof(dpdk_mark));
	return true;
}

bool failed_read(const uint8_t *bytes, size_t len, struct failed *failed)
{
	struct segue_err_cqe cqe;
	uint8_t whole[FAILED_SIZE] = {0};
	bool send;

	if (!len || len > FAILED_SIZE || len % FAILED_ROW)
		return false;
	memcpy(whole + FAILED_SIZE - len, bytes, len);
	failed_unmark(whole);
	if (!segue_err_cqe_unpack(&cqe, whole))
		return false;
	send = cqe.opcode == SEGUE_CQE_OPCODE_REQ_ERR;
	*failed = (struct failed){.syndrome = (uint8_t)cqe.syndrome,
				  .vendor = (uint8_t)cqe.vendor_err_synd,
				  .hw_type = (uint8_t)cqe.hw_synd_type,
				  .hw = (uint8_t)cqe.hw_err_synd,
				  .send = send,
				  .opcode = (uint8_t)cqe.s_wqe_opcode,
				  .index = (uint16_t)cqe.wqe_counter,
				  .qpn = (uint32_t)cqe.qpn,
				  .srqn = len > FAILED_ROW ? (uint32_t)cqe.srqn_uidx : 0};
	return (send || cqe.opcode == SEGUE_CQE_OPCODE_RESP_ERR) &&
	       cqe.format != SEGUE_CQE_FORMAT_COMPRESSED &&
	       seguei_enum_name(&segue_cqe_syndrome_desc, cqe.syndrome) &&
	       (send ? seguei_enum_name(&segue_opcode_desc, cqe.s_wqe_opcode) != NULL
		     : cqe.s_wqe_opcode == 0);
}

size_t failed_wqe(const struct failed *failed, const uint8_t *bytes, size_t len)
{
	size_t size;

	if (!failed->send || len < segue_control.segment->size ||
	    wqe_control(bytes, segue_control.opcode) != failed->opcode ||
	    wqe_control(bytes, segue_control.queue) != failed->qpn ||
	    wqe_control(bytes, segue_control.index) != failed->index)
		return 0;
	size = (size_t)wqe_control(bytes, segue_control.size) * SEGUE_WQE_UNIT_SIZE;
	return size && size <= len ? size : len;
}

void failed_turn(uint8_t *bytes, size_t len, size_t width)
{
	size_t at, i;

	for (at = 0; at + width <= len; at += width) {
		for (i = 0; i < width / 2; i++) {
			const uint8_t byte = bytes[at + i];

			bytes[at + i] = bytes[at + width - 1 - i];
			bytes[at + width - 1 - i] = byte;
		}
	}
}

/* If 64 bytes have two readings, the one without a type in its hardware syndrome is right: no
 * public report has a type. */
size_t failed_find(const uint8_t *bytes, size_t len, size_t group, struct failed *failed)
{
	uint8_t turned[FAILED_SIZE];
	size_t width, best = 0;
	struct failed other;

	for (width = 1; width <= 8 && len <= FAILED_SIZE; width *= 2) {
		if (group && width != 1 && width != group)
			continue;
		memcpy(turned, bytes, len);
		failed_turn(turned, len, width);
		if (!failed_read(turned, len, &other))
			continue;
		if (best && (len <= FAILED_ROW || !other.hw_type == !failed->hw_type))
			return 0;
		if (best && other.hw_type)
			continue;
		best = width;
		*failed = other;
	}
	return best;
}

void failed_next(const struct failed *failed, char *sentence, size_t len)
{
	const struct segue_wc wc = {.syndrome = failed->syndrome,
				    .s_wqe_opcode = failed->opcode,
				    .opcode = failed->send ? SEGUE_CQE_OPCODE_REQ_ERR
							   : SEGUE_CQE_OPCODE_RESP_ERR};
	static const char mark[] = " Next: ";
	char whole[1024];
	const char *next;

	segue_wc_explain(&wc, NULL, whole, sizeof(whole));
	next = strstr(whole, mark);
	snprintf(sentence, len, "%s", next ? next + strlen(mark) : "");
}
