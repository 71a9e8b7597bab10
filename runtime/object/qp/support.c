/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Answers whether a queue pair and its device can carry out a request. The answer comes from the
 * request's machine and the device's capabilities.
 */
#include "segue/qp.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "runtime/object/device/device.h"
#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/qp/qp.h"
#include "segue/base.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"

/* Sizes of masked atomics, as bits of segue_caps.masked_atomic_sizes. */
#define BYTES_4 (1u << 2)
#define BYTES_8 (1u << 3)

/* Needs of a request, found from its segments. */
enum need {
	NEED_ATOMICS,
	NEED_MASKED_4,
	NEED_MASKED_8,
	NEED_WINDOWS,
	NEED_SIGNATURE,
	NEED_CRYPTO,
	NEED_MEMCPY,
	NEED_WAIT_CQ,
	NEED_WAIT_DATA,
	NEED_WAIT_TIME,
};

static const struct {
	const struct segue_segment_desc *segment;
	enum need need;
	const char *what;
} needs[] = {
	{&segue_seg_atomic_desc, NEED_ATOMICS, "atomics"},
	{&segue_seg_atomic_add_desc, NEED_ATOMICS, "atomics"},
	{&segue_seg_masked_cas32_desc, NEED_MASKED_4, "masked atomics of 4 bytes"},
	{&segue_seg_masked_fa32_desc, NEED_MASKED_4, "masked atomics of 4 bytes"},
	{&segue_seg_masked_cas64_desc, NEED_MASKED_8, "masked atomics of 8 bytes"},
	{&segue_seg_masked_fa64_desc, NEED_MASKED_8, "masked atomics of 8 bytes"},
	{&segue_seg_mkey_bind_desc, NEED_WINDOWS, "memory windows"},
	{&segue_seg_bsf_desc, NEED_SIGNATURE, "block signatures"},
	{&segue_seg_set_psv_desc, NEED_SIGNATURE, "block signatures"},
	{&segue_seg_crypto_bsf_desc, NEED_CRYPTO, "encryption"},
	{&segue_seg_mmo_metadata_desc, NEED_MEMCPY, "copies by the device"},
	{&segue_seg_send_en_desc, NEED_WAIT_CQ,
	 "queues that wait for others (cross-channel operations)"},
	{&segue_seg_wait_cq_desc, NEED_WAIT_CQ,
	 "queues that wait for others (cross-channel operations)"},
	{&segue_seg_wait_on_data_desc, NEED_WAIT_DATA, "queues that wait for memory"},
	{&segue_seg_wait_on_time_desc, NEED_WAIT_TIME, "queues that wait for its clock"},
};

static bool has(struct segue_qp *qp, enum need need)
{
	const struct segue_caps *caps = &seguei_device_of(&qp->object)->caps;
	const uint32_t masked = qp->type == SEGUE_QP_DCI ? caps->masked_atomic_sizes_dc
							 : caps->masked_atomic_sizes;

	switch (need) {
	case NEED_ATOMICS:
		return caps->atomics;
	case NEED_MASKED_4:
		return caps->masked_atomics && masked & BYTES_4;
	case NEED_MASKED_8:
		return caps->masked_atomics && masked & BYTES_8;
	case NEED_WINDOWS:
		return caps->memory_windows;
	case NEED_SIGNATURE:
		return caps->signature;
	case NEED_CRYPTO:
		return caps->crypto;
	case NEED_MEMCPY:
		return caps->max_memcpy != 0;
	case NEED_WAIT_CQ:
		return caps->wait_cq;
	case NEED_WAIT_DATA:
		return caps->wait_on_data;
	case NEED_WAIT_TIME:
		return caps->wait_on_time && caps->clock_khz;
	}
	return true;
}

const struct segue_machine *seguei_qp_machine(const struct segue_qp *qp)
{
	const struct segue_machine *const *m;

	for (m = segue_machines; *m; m++)
		if ((*m)->send && !strcmp((*m)->name, qp->transport->name))
			return *m;
	return NULL;
}

static const struct segue_machine_start *find(const struct segue_machine *machine,
					      const char *request)
{
	uint16_t i;

	for (i = 0; i < machine->n_starts; i++)
		if (!strcmp(machine->starts[i].name, request))
			return &machine->starts[i];
	return NULL;
}

static bool is_known(const char *request)
{
	const struct segue_machine *const *m;

	for (m = segue_machines; *m; m++)
		if ((*m)->send && find(*m, request))
			return true;
	return false;
}

/* Smallest number of bytes that an edge takes. */
static uint32_t least_of(const struct segue_machine_symbol *symbol)
{
	if (symbol->op == SEGUE_MACHINE_SYMBOL_LIST)
		return (symbol->head + symbol->min * symbol->segment->size + symbol->pad - 1) /
			       symbol->pad * symbol->pad -
		       symbol->head;
	return symbol->segment->size;
}

/* Search through a machine. A request passes few states, so each path is walked. */
struct way {
	struct segue_qp *qp;
	const struct segue_machine *machine;
	const char *lacks; /* missing capability on the shortest path. NULL if none is missing */
	uint32_t shortest; /* in bytes. UINT32_MAX if no path is found yet */
};

static const char *lacking(struct segue_qp *qp, const struct segue_segment_desc *segment)
{
	size_t i;

	for (i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (needs[i].segment == segment && !has(qp, needs[i].need))
			return needs[i].what;
	return NULL;
}

static void walk(struct way *way, uint16_t state, uint32_t bytes)
{
	const struct segue_machine_state *s = &way->machine->states[state];
	uint16_t i;

	if (bytes >= way->shortest)
		return;
	if (s->accepting) {
		way->shortest = bytes;
		return; /* the rest of this path is only longer */
	}
	for (i = 0; i < s->n_edges; i++) {
		const struct segue_machine_edge *edge = &way->machine->edges[s->first_edge + i];
		const struct segue_machine_symbol *symbol = &way->machine->symbols[edge->symbol];
		const char *lacks = lacking(way->qp, symbol->segment);

		if (lacks)
			way->lacks = lacks;
		else if (edge->to != state)
			walk(way, edge->to, bytes + least_of(symbol));
	}
}

/* Checks needs that neither the layout nor the segments' capabilities show: 0, or a sentence. */
static int check_kind(struct segue_qp *qp, const struct segue_machine_start *start)
{
	const struct segue_device *device = seguei_device_of(&qp->object);

	if (start->creatable)
		return seguei_fail(ENOTSUP, "Queue pair 0x%x cannot carry out %s. %s",
				   qp->object.number, start->name, start->creatable);
	if (start->opcode == SEGUE_OPCODE_TAG_MATCHING)
		return seguei_fail(ENOTSUP,
				   "Queue pair 0x%x cannot carry out %s: the commands of a tag "
				   "list are posted on the queue that its shared receive "
				   "queue brings with it, segue_tag_sq()%s%s%s.",
				   qp->object.number, start->name,
				   device->caps.max_tags ? "" : "; and ",
				   device->caps.max_tags ? "" : segue_device_name(device),
				   device->caps.max_tags ? "" : " has no tag matching");
	if (start->opcode == SEGUE_OPCODE_TSO && !device->caps.max_tso)
		return seguei_fail(ENOTSUP,
				   "Queue pair 0x%x cannot carry out %s: %s does not cut messages "
				   "into frames (max_tso is 0).",
				   qp->object.number, start->name, segue_device_name(device));
	if (start->opcode == SEGUE_OPCODE_MMO && device->caps.memcpy_by_option && !qp->adopted &&
	    !qp->device_memcpy)
		return seguei_fail(ENOTSUP,
				   "Queue pair 0x%x cannot carry out %s: %s copies for queue pairs "
				   "only that were opened for it; set device_memcpy.",
				   qp->object.number, start->name, segue_device_name(device));
	if (start->opcode == SEGUE_OPCODE_SEND_EN && device->caps.wait_cq && !qp->adopted &&
	    !(qp->cross && qp->cross->may_enable))
		return seguei_fail(ENOTSUP,
				   "Queue pair 0x%x cannot carry out %s: it was not opened to let "
				   "other queues go on; set cross_channel.",
				   qp->object.number, start->name);
	return 0;
}

int segue_qp_supports(struct segue_qp *qp, const char *request)
{
	struct way way = {.qp = qp, .shortest = UINT32_MAX};
	const struct segue_machine_start *start;
	int ret;

	ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind,
				  "segue_qp_supports()");
	if (ret)
		return ret;
	if (!request || !is_known(request))
		return seguei_fail(EINVAL,
				   "There is no work request '%s'; names are those of the "
				   "builders, without segue_.",
				   request ? request : "(NULL)");
	way.machine = seguei_qp_machine(qp);
	start = way.machine ? find(way.machine, request) : NULL;
	if (!start)
		return seguei_fail(ENOTSUP, "Queue pair 0x%x: %s does not have %s.",
				   qp->object.number, qp->transport->name, request);
	ret = check_kind(qp, start);
	if (ret)
		return ret;
	walk(&way, start->to, segue_control.segment->size);
	if (way.shortest == UINT32_MAX)
		return seguei_fail(ENOTSUP, "Queue pair 0x%x cannot carry out %s: %s has no %s.",
				   qp->object.number, request,
				   segue_device_name(seguei_device_of(&qp->object)),
				   way.lacks ? way.lacks : "use for it");
	if (way.shortest > qp->sq.any.max_units * segue_control.unit)
		return seguei_fail(ENOTSUP,
				   "Queue pair 0x%x cannot carry out %s: it takes %u units of 16 "
				   "bytes at least, and the queue pair was opened for "
				   "requests of %u; set max_wqe_units.",
				   qp->object.number, request, way.shortest / segue_control.unit,
				   qp->sq.any.max_units);
	return 0;
}
