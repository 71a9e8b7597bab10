// SPDX-License-Identifier: BSD-2-Clause
/*
 * The facts, one list: what is assumed, where that stands, and how it is seen.
 * docs/softhca/assumed.md is all in here, sentence by sentence (a test compares), and so is what
 * the spec knows at second hand: from its tables, at the end.
 */
#include "tools/segue/check/facts.h"

#include <stdlib.h>
#include <string.h>

#include "segue/gen/tables.h"

#define PAGE "docs/softhca/assumed.md: "

static const struct kit_wish rc = {.queue = "rc"}, ud = {.queue = "ud"}, dci = {.queue = "dci"},
			     plain = {.queue = "rc", .plain = true},
			     lost = {.queue = "rc", .timeout = 10, .impatient = true, .retry = 1},
			     inlined = {.queue = "rc", .scatter = true},
			     stranger = {.queue = "dci", .wrong_dc_key = 1};

const struct kit_fact kit_facts[] = {
	/* ---- failures ---- */
	{"flush", "a request that is flushed ends with syndrome 0x05 and vendor syndrome 0xf9",
	 "spec vendor_syndrome.FLUSH; " PAGE "Vendor syndromes other than 0x81", NULL, &rc,
	 see_flush},
	{"retries",
	 "when nobody answers, the request ends with syndrome 0x15 and vendor syndrome 0x81",
	 "spec vendor_syndrome.RETRY_EXCEEDED", NULL, &lost, see_retry},
	{"index",
	 "a request with another block's index ends with syndrome 0x02 and vendor syndrome 0x68",
	 "spec vendor_syndrome.BAD_WQE_INDEX", NULL, &rc, see_index},
	{"doorbell of an index",
	 "a doorbell with the queue's number and the index behind a request is as good as one with "
	 "the request's own first words",
	 PAGE "A doorbell may carry; DeepEP csrc/kernels/legacy/ibgda_device.cuh, ibgda_ring_db(); "
	      "DOCA GPUNetIO doca_gpunetio_dev_verbs_qp.cuh, doca_gpu_dev_verbs_ring_db()",
	 NULL, &rc, see_bell_of_index},
	{"doorbell without a record",
	 "a doorbell of a queue pair without a record has a request's first words, or the index "
	 "behind it and no size",
	 PAGE "A doorbell of a queue pair without; rdma-core tests/mlx5_base.py, post_send(); "
	      "DOCA GPUNetIO doca_gpu_dev_verbs_submit_db_no_dbr()",
	 "the kit makes queue pairs by verbs, and only a raw command makes one without a record",
	 NULL, NULL},
	{"silent failure", "a request that nobody wants to hear of completes if it fails",
	 "spec completion_mode.ON_ERROR", NULL, &rc, see_failed_silent},
	{"first error",
	 "a request that completes only as the first to fail is silent when it is flushed",
	 "spec completion_mode.ON_FIRST_ERROR; " PAGE "A request of completion", NULL, &rc,
	 see_first_error},
	{"DC key", "a wrong access key of a DC target ends as REMOTE_ACCESS_ERR",
	 PAGE "Real DC packets are not public", NULL, &stranger, see_dc_key},

	/* ---- events and completions ---- */
	{"late arm",
	 "a completion queue that is armed with entries that nobody has consumed fires at once",
	 PAGE "A CQ that is armed", NULL, NULL, see_armed},
	{"moderation", "moderation holds back solicited events, too",
	 PAGE "CQ moderation holds back", NULL, NULL, see_moderation},
	{"user index", "completions carry a user index",
	 "Linux include/linux/mlx5/device.h, cqe_version; " PAGE
	 "Capability values follow a ConnectX-7",
	 NULL, NULL, see_user_index},
	{"DCT number",
	 "receives of a DC target complete with its number, though they have its user index, too",
	 "docs/softhca/modelled.md, dct_nameless", NULL, &dci, see_dct_number},
	{"scatter", "a receive of 20 bytes comes inside its completion, if that was asked for",
	 "mlx5dv_create_qp(3), MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE", NULL, &inlined, see_scatter},
	{"time stamps", "completions are stamped by a clock of the frequency that the device tells",
	 "ibv_query_device_ex(3), hca_core_clock", NULL, &rc, see_timestamp},
	{"no route",
	 "on InfiniBand a datagram that was sent without a global route has none, and its "
	 "completion says so",
	 PAGE "On InfiniBand a datagram", NULL, &ud, see_no_route},
	{"SQD", "the kernel's driver has no command that leads to SQD",
	 "Linux drivers/infiniband/hw/mlx5/qp.c, optab", NULL, &rc, see_sqd},

	/* ---- waits ---- */
	{"wait, queue gone",
	 "a wait for a completion queue that does not exist any more ends with syndrome 0x02",
	 PAGE "A WAIT for a completion queue", NULL, &rc, see_wait_cq_gone},
	{"wait, count",
	 "a wait counts completions from the first that the queue has ever had, up to and with its "
	 "index",
	 "spec opmod_wait.CQ_PI", NULL, &rc, see_wait_cq_count},
	{"wait, word", "a wait on data reads a big-endian word", "spec wait_on_data", NULL, &rc,
	 see_wait_word},
	{"wait, bigger", "BIGGER is bigger and not equal", "spec wait_cond.BIGGER", NULL, &rc,
	 see_wait_bigger},
	{"wait, smaller", "ALWAYS_TRUE does not wait, SMALLER is smaller",
	 "spec wait_cond.ALWAYS_TRUE, wait_cond.SMALLER", NULL, &rc, see_wait_smaller},
	{"wait, cyclic", "CYCLIC_BIGGER is bigger in arithmetic that wraps",
	 "spec wait_cond.CYCLIC_BIGGER", NULL, &rc, see_wait_cyclic},
	{"wait, error",
	 "a condition that is to end in an error completion does so, with syndrome 0x02",
	 "spec wait_fail_action.SEND_ERR_CQE", NULL, &rc, see_wait_fail},

	/* ---- data ---- */
	{"4-byte atomics",
	 "the result of a 4-byte masked atomic arrives most significant byte first",
	 PAGE "The result of a 4-byte", NULL, &rc, see_atomic4},
	{"8-byte atomics", "the result of an 8-byte atomic arrives in the host's order",
	 PAGE "The result of a 4-byte", NULL, &rc, see_atomic8},
	{"field boundary", "no carry of a masked fetch-and-add leaves a bit of the boundary",
	 "spec masked_fa32; " PAGE "Masked atomics are not in IBTA", NULL, &rc, see_boundary},
	{"large matrix", "a matrix larger than 8192 bytes, padded, is refused with syndrome 0x02",
	 PAGE "A matrix to be transposed", NULL, &rc, see_large_matrix},
	{"plain copy", "memory copies need no wish when the queue pair is made",
	 "docs/softhca/modelled.md, mmo_asked", NULL, &plain, see_plain_memcpy},
	{"copy, no memory", "a copy whose metadata segment names no memory ends with syndrome 0x04",
	 PAGE "A copy of memory whose metadata segment", NULL, &rc, see_copy_without_memory},
	{"signature values", "GET_PSV writes 16 bytes a value", PAGE "GET_PSV writes 16 bytes",
	 NULL, &rc, see_psv_size},
	{"CRC32C", "a CRC32C is stored inverted, least significant byte first",
	 PAGE "CRCs are stored least significant", NULL, &rc, see_crc32c},
	{"signature offset", "the offset of a signature error counts signatures, too",
	 PAGE "A signature error is reported", NULL, &rc, see_signature_offset},

	/* ---- tag lists, and frames to oneself ---- */
	{"tag, unexpected",
	 "a message that fits no entry comes to a plain receive, with its header",
	 "spec tm_app_op.UNEXPECTED", NULL, &kit_tagged, see_tag_unexpected},
	{"tag, behind",
	 "an entry that is appended while software's count of unexpected messages is behind "
	 "matches nothing until it has caught up",
	 PAGE "Tag matching: an entry that", NULL, NULL, see_tag_behind},
	{"tag, too long", "a message longer than the buffer of its entry cancels the entry",
	 PAGE "Tag matching: an entry that", NULL, &kit_tagged, see_tag_too_long},
	{"strides",
	 "a completion of a striding receive queue names the stride at which its frame begins",
	 "DPDK drivers/net/mlx5/mlx5_rx.c, mlx5_rx_burst_mprq()", NULL, NULL, see_strides},
	{"filler",
	 "strides that are skipped, as a frame does not fit into them, are told by a filler",
	 "DPDK drivers/net/mlx5/mlx5_rx.c, mlx5_rx_burst_mprq()", NULL, NULL, see_filler},
	{"packet hash",
	 "the hash of raw packets is made symmetric by putting the smaller of two first",
	 PAGE "The hash of raw packets", NULL, NULL, see_hash},
	{"TSO headers", "TSO with headers that are no TCP's ends with syndrome 0x02",
	 PAGE "TSO with headers that", NULL, NULL, see_tso},
	{"spread", "the last bits of a frame's hash pick its queue", "ibv_create_rwq_ind_table(3)",
	 NULL, NULL, see_spread},

	/* ---- what one host, or unprivileged queues, do not show ---- */
	{"own multicast", "a multicast datagram does not come back to the queue pair that sent it",
	 PAGE "A multicast datagram does not", "multicasts would leave the port", NULL, NULL},
	{"too many reads",
	 "READs and atomics beyond max_dest_rd_atomic are refused when they are seen at once",
	 PAGE "READs and atomics beyond `max_dest_rd_atomic`",
	 "how many the responder sees at once cannot be made certain", NULL, NULL},
	{"scheduling leaf", "a scheduling leaf may be destroyed while queue pairs are attached",
	 PAGE "A scheduling leaf may be", "it would change the device's rates", NULL, NULL},
	{"reset", "what is on the way to a queue pair has arrived when its way to RESET is done",
	 PAGE "Packets on the way", "what is on the way at that moment cannot be made certain",
	 NULL, NULL},
	{"last requests", "what a queue pair has not sent when it is destroyed is lost",
	 PAGE "A queue pair that is destroyed",
	 "how far the device has come by then cannot be made certain", NULL, NULL},
	{"early answers", "the answer to a READ may be written at any time before the completion",
	 PAGE "An answer to a READ", "when it is written cannot be made certain", NULL, NULL},
	{"old pages",
	 "a region goes on to be the pages that were pinned, whatever the program does to its "
	 "addresses",
	 PAGE "A region that the program",
	 "the kit takes no memory away from under a device that others use", NULL, NULL},
	{"small fence",
	 "without a small fence a request may overtake the change of a key before it",
	 PAGE "A request after the change", "that it does not once says nothing", NULL, NULL},
	{"pause frames", "raw packets wait for receives", PAGE "The flow control of raw",
	 "frames would leave the port", NULL, NULL},
	{"flow actions", "what a rule does to a frame, and in which order",
	 PAGE "A rule counts a frame", "frames would leave the port", NULL, NULL},
	{"same address", "a frame comes to all programs whose rules want it",
	 PAGE "A raw frame comes", "whether it leaves the port, too, is seen on the wire only",
	 NULL, NULL},
	{"equal rules", "of two rules of one priority the older one wins",
	 PAGE "Two rules of one priority", "frames would leave the port", NULL, NULL},
	{"wire addresses",
	 "addresses of a protected key count bytes on the wire, its blocks from the key's first "
	 "address",
	 PAGE "Addresses of a key with",
	 "the requests of protected keys are carried out from address 0, where both readings agree",
	 NULL, NULL},
	{"protected misuse", "wrong key tags, missing keys and the like are protection errors",
	 PAGE "A wrong key tag,", "the kit loads no wrong keys into a device that others use", NULL,
	 NULL},
	{"data units", "a message with a part of a data unit is a protection error",
	 PAGE "A message with a part",
	 "what such a message leaves in a queue pair and a key is not known", NULL, NULL},
	{"ordered keys",
	 "a UMR that changes the PCIe order of a key where the device cannot ends with syndrome "
	 "0x02",
	 PAGE "A UMR that changes", "the kit asks a device for nothing that it says it lacks", NULL,
	 NULL},
	{"managed queues", "SEND_EN does not compare protection domains",
	 PAGE "SEND_EN does not compare", "the kit opens no queues that others let go", NULL, NULL},
	{"rendezvous", "which rendezvous ends as CONSUMED_MSG_SW_RNDV",
	 PAGE "Tag matching: an entry that", "which the device reads by itself is its own affair",
	 NULL, NULL},
	{"compressed ring", "a compressed block ends where the ring ends",
	 PAGE "A compressed block ends", "when a card compresses is its own affair", NULL, NULL},
	{"compressed 128",
	 "compressed queues of 128-byte entries have their arrays in the second halves",
	 PAGE "Compressed queues of 128-byte entries", "when a card compresses is its own affair",
	 NULL, NULL},
	{"failed strides", "a failed completion of a striding receive queue names all strides left",
	 PAGE "A failed completion of", "the kit makes no receive of a striding queue fail", NULL,
	 NULL},
	{"frame checksum", "check_sum of a frame is the sum of its IP packet",
	 PAGE "`check_sum` of a frame", "what else a device adds or leaves out is its own affair",
	 NULL, NULL},
	{"receiver class", "a datagram's receiver sees all bits of the traffic class",
	 PAGE "The receiver of a", "switches on the way may set two of them", NULL, NULL},
	{"connected GRH", "receives of connected queue pairs report no GRH on RoCE",
	 PAGE "Receives of connected queue", "the kit reads no headers of connected queue pairs",
	 NULL, NULL},
	{"long datagram", "a datagram longer than its receive is dropped, and the queue pair lives",
	 PAGE "A datagram longer than", "the kit waits for what comes, not for what does not", NULL,
	 NULL},
	{"refused immediate", "a WRITE with immediate and a bad key ends a receive with 0x11",
	 PAGE "A WRITE with immediate", "the kit breaks no connection from the other side", NULL,
	 NULL},
	{"null key of a peer", "a peer's null key discards WRITEs and gives zeros",
	 PAGE "The null region's key", "the man page does not allow it", NULL, NULL},
	{"zero based", "IBV_ACCESS_ZERO_BASED has no effect on ordinary regions",
	 PAGE "`IBV_ACCESS_ZERO_BASED` has no effect", "that is the kernel's, not the card's", NULL,
	 NULL},
	{"advised region", "ibv_advise_mr() of a pinned region is ENOENT",
	 PAGE "`ibv_advise_mr()` of a pinned", "that is the kernel's, not the card's", NULL, NULL},
	{"port in RESET", "a queue pair in RESET says that it is of port 1", PAGE "A queue pair in",
	 "that is the kernel's, not the card's", NULL, NULL},
	{"wide window", "a window may be bound to more than its region", PAGE "A memory window may",
	 "the kit binds no windows", NULL, NULL},
	{"window atomic", "atomics through a window are carried out",
	 PAGE "Atomics through a memory", "the kit binds no windows", NULL, NULL},
	{"atomic size", "an atomic writes eight bytes whatever its segment's length",
	 PAGE "An atomic writes its", "it overwrites memory that the program has not offered", NULL,
	 NULL},
	{"foreign shared queue", "a shared receive queue may serve another protection domain",
	 PAGE "A shared receive queue may", "the kit has one protection domain", NULL, NULL},
	{"path MTU", "a path MTU above the port's is EINVAL", PAGE "A path MTU above",
	 "the kit's port may have the largest", NULL, NULL},
	{"no neighbour", "an address that no host has is refused or accepted by its subnet",
	 PAGE "An address of another subnet", "that is the kernel's, not the card's", NULL, NULL},
};
const size_t kit_n_facts = sizeof(kit_facts) / sizeof(kit_facts[0]);

/* Facts of secondary confidence that requests show: "enum.MEMBER", or a segment's field. Those that
 * facts above show stand in their sources. */
static const struct {
	const char *item, *shown_by;
} shown[] = {
	{"opcode.WAIT", "wait_cq"},
	{"opcode.ATOMIC_MASKED_CS", "masked_atomic_cs32"},
	{"opcode.ATOMIC_MASKED_FA", "masked_atomic_fa32"},
	{"opcode.MMO", "memcpy"},
	{"opcode.LOCAL_MMO", "transpose"},
	{"wait_cond.EQUAL", "wait_on_data"},
	{"wait_cond.CYCLIC_SMALLER", "wait_on_time"},
	{"wait_fail_action.RETRY", "wait_on_data"},
	{"opmod_wait.CQ_PI", "wait_cq"},
	{"opmod_wait.DATA", "wait_on_data"},
	{"opmod_wait.TIME", "wait_on_time"},
	{"opmod_local_mmo.TRANSPOSE", "transpose"},
	{"opmod_masked_atomic.SIZE_4", "masked_atomic_fa32"},
	{"opmod_masked_atomic.SIZE_8", "masked_atomic_fa64"},
};

static const char *shown_by(const char *item)
{
	size_t i;

	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (strcmp(shown[i].item, item) == 0)
			return shown[i].shown_by;
	for (i = 0; i < kit_n_facts; i++)
		if (strstr(kit_facts[i].source, item))
			return kit_facts[i].name;
	return NULL;
}

static void line_secondary(struct kit *kit, const char *of, const char *member, const char *doc,
			   const char *source)
{
	char item[128], name[160], seen[200] = "nothing that the kit does shows it";
	enum kit_verdict verdict = KIT_NOT_SEEN;
	const char *by;

	snprintf(item, sizeof(item), "%s.%s", of, member);
	snprintf(name, sizeof(name), "spec %s", item);
	by = shown_by(item);
	if (by) {
		verdict = kit_verdict_on(kit, by);
		snprintf(seen, sizeof(seen),
			 verdict == KIT_NOT_SEEN ? "'%s' would show it, which was not looked at"
						 : "see '%s'",
			 by);
	}
	kit_line(kit, &(struct kit_line){"fact", name, doc, seen, source, verdict});
}

/* Lines about everything that the spec's tables mark as known at second hand. */
static void lines_secondary(struct kit *kit)
{
	size_t i;
	uint16_t k;

	for (i = 0; segue_enums[i]; i++)
		for (k = 0; k < segue_enums[i]->member_count; k++) {
			const struct segue_member_desc *const m = &segue_enums[i]->members[k];

			if (m->secondary)
				line_secondary(kit, segue_enums[i]->name, m->name, m->doc,
					       m->source);
		}
	for (i = 0; i < SEGUE_SEGMENT_COUNT + SEGUE_CQE_COUNT; i++) {
		const struct segue_segment_desc *const s =
			i < SEGUE_SEGMENT_COUNT ? segue_segments[i]
						: segue_cqes[i - SEGUE_SEGMENT_COUNT];

		for (k = 0; k < s->field_count; k++)
			if (s->fields[k].secondary)
				line_secondary(kit, s->name, s->fields[k].name, s->fields[k].doc,
					       NULL);
	}
}

static void line(struct kit *kit, const struct kit_fact *f, const char *seen,
		 enum kit_verdict verdict)
{
	kit_line(kit, &(struct kit_line){"fact", f->name, f->assumed, seen, f->source, verdict});
}

static void look(struct kit *kit, const struct kit_fact *f)
{
	bool good;

	if (!f->see || !kit_time(kit)) {
		line(kit, f, f->see ? "there was no time left for it; see --limit" : f->why_not,
		     KIT_NOT_SEEN);
		return;
	}
	kit_begin(kit);
	good = kit_with_ends(kit, f->wish, f->see);
	line(kit, f, kit->why, good ? KIT_AS_ASSUMED : kit->cannot ? KIT_NOT_SEEN : KIT_OTHERWISE);
}

void check_facts(struct kit *kit, const char *name)
{
	size_t i;

	for (i = 0; i < kit_n_facts; i++)
		if (!name || strcmp(name, kit_facts[i].name) == 0)
			look(kit, &kit_facts[i]);
	if (!name)
		lines_secondary(kit);
}

bool check_knows(const char *name)
{
	size_t i;

	for (i = 0; i < kit_n_facts && strcmp(name, kit_facts[i].name) != 0; i++)
		;
	return i < kit_n_facts;
}

void check_list(struct report *report)
{
	struct kit kit = {.report = report};
	size_t i;

	for (i = 0; i < kit_n_facts; i++)
		line(&kit, &kit_facts[i], kit_facts[i].see ? "not looked at" : kit_facts[i].why_not,
		     KIT_NOT_SEEN);
	lines_secondary(&kit);
	free(kit.seen);
}
