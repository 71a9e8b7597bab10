/* SPDX-License-Identifier: BSD-2-Clause */
/* Explains a failed completion: what the syndrome means for this request, and what to do next. */
#include "segue/explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "runtime/text/explain.h"
#include "segue/detail/build.h"
#include "segue/gen/segments.h"
#include "segue/gen/tables.h"
#include "segue/tables.h"

/* Text that is cut at the end of its buffer. The length counts all of it. */
struct text {
	char *out;
	size_t outlen;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...)
{
	const size_t at = text->length < text->outlen ? text->length : text->outlen;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text->out ? text->out + at : NULL, text->outlen - at, format, args);
	va_end(args);
	if (n > 0)
		text->length += (size_t)n;
}

static const struct segue_member_desc *member(const struct segue_enum_desc *desc, uint64_t value)
{
	uint16_t i;

	for (i = 0; i < desc->member_count; i++)
		if (desc->members[i].value == value)
			return &desc->members[i];
	return NULL;
}

/* Advice for a wrong request. A checked build has already validated the segments. */
static const char *wrong_request(void)
{
	return SEGUE_CHECKED ? "compare its lengths, keys and flags with what the queue pair was "
			       "opened for: this checked build has found its segments "
			       "to be in order"
			     : "run a checked build (SEGUE_CHECKED=1), which names the wrong "
			       "segment before it is posted";
}

static bool is_request(const struct segue_wc *wc, uint8_t opcode)
{
	return wc->opcode == SEGUE_CQE_OPCODE_REQ_ERR && wc->s_wqe_opcode == opcode;
}

static bool is_atomic(const struct segue_wc *wc)
{
	return is_request(wc, SEGUE_OPCODE_ATOMIC_CS) || is_request(wc, SEGUE_OPCODE_ATOMIC_FA) ||
	       is_request(wc, SEGUE_OPCODE_ATOMIC_MASKED_CS) ||
	       is_request(wc, SEGUE_OPCODE_ATOMIC_MASKED_FA);
}

static const char *wrong_length(const struct segue_wc *wc)
{
	if (is_atomic(wc))
		return "give the atomic's answer memory of exactly its size: 8 bytes, or 4 for "
		       "masked atomics of 32 bits";
	if (is_request(wc, SEGUE_OPCODE_MMO))
		return "give source and destination of a copy the same length, of at most "
		       "segue_caps.max_memcpy";
	if (is_request(wc, SEGUE_OPCODE_LOCAL_MMO))
		return "give source and destination as many bytes as the matrix has";
	if (is_request(wc, SEGUE_OPCODE_TSO))
		return "keep mss and headers together within the port's MTU";
	if (wc->opcode == SEGUE_CQE_OPCODE_REQ_ERR)
		return "keep UD messages and raw frames within the MTU, and frames as long as an "
		       "Ethernet header at least";
	return "post receives as long as the peer's longest message: on UD with 40 bytes more for "
	       "the route, on a striding queue for all strides";
}

/* Reasons for a device to refuse valid segments. */
static const char *wrong_operation(const struct segue_wc *wc)
{
	if (is_request(wc, SEGUE_OPCODE_WAIT))
		return "see that the completion queue that it names exists on this device "
		       "(segue_cq_number()), that the word it looks at is aligned to 8 "
		       "bytes, and that segue_qp_supports() allows it";
	if (is_request(wc, SEGUE_OPCODE_SEND_EN))
		return "see that the queue pair that it names exists on this device and was opened "
		       "with managed_send, and this one with cross_channel";
	if (is_request(wc, SEGUE_OPCODE_SET_PSV) || is_request(wc, SEGUE_OPCODE_GET_PSV))
		return "name signature values that are open (segue_sigval_number()), of the queue "
		       "pair's domain";
	if (is_request(wc, SEGUE_OPCODE_LOCAL_MMO))
		return "keep the matrix within what the device turns: no public source says how "
		       "much, and UCC keeps to 8192 bytes with rows and elements "
		       "padded to powers of two";
	if (is_request(wc, SEGUE_OPCODE_MMO))
		return "open the queue pair with device_memcpy, and ask segue_qp_supports() "
		       "whether the "
		       "device copies";
	if (is_request(wc, SEGUE_OPCODE_UMR))
		return "open the key for what the request gives it: as many entries, and "
		       "segue_mkey_open() with flags for signatures or encryption";
	if (is_request(wc, SEGUE_OPCODE_TAG_MATCHING))
		return "post commands of a tag list on segue_tag_sq() of its shared receive "
		       "queue";
	if (is_request(wc, SEGUE_OPCODE_TSO))
		return "let the request begin with all headers of a TCP message, Ethernet, IP and "
		       "TCP, with an mss of 1 byte or more that fits the port's MTU, "
		       "and have no more payload than segue_caps.max_tso";
	if (is_request(wc, SEGUE_OPCODE_NOP))
		return "see that nothing has overwritten it in the ring: a NOP holds nothing but "
		       "its queue, index and size";
	return wrong_request();
}

#define NO_STREAM UINT32_MAX

/* Advice for the next step. The spec has the meaning of the syndrome. */
static const char *next_step(const struct segue_wc *wc, uint32_t address_bytes)
{
	const bool dc = address_bytes == SEGUE_SEG_AV_DC_SIZE,
		   xrc = address_bytes == SEGUE_SEG_XRC_SIZE;

	switch (wc->syndrome) {
	case SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR:
		return wrong_length(wc);
	case SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR:
		return wrong_operation(wc);
	case SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR:
		return "compare the SGE's lkey, address and length with the memory region, and its "
		       "PD with the queue pair's; with a GPU's memory look at IOMMU faults "
		       "(dmesg), ACS (lspci), BAR size and nvidia_peermem";
	case SEGUE_CQE_SYNDROME_WR_FLUSH_ERR:
		return "look for the first completion of this queue pair that failed with "
		       "something else; if there is none, a request of the peer's has "
		       "failed it, and an asynchronous event came";
	case SEGUE_CQE_SYNDROME_MW_BIND_ERR:
		return "see that the key which changes may be changed by UMR (a memory window, or "
		       "one from segue_mkey_open(): no region's own), and, "
		       "for a window, that its region is registered with SEGUE_ACCESS_MW_BIND and "
		       "bound within its bounds, and that what is taken back was "
		       "bound by this queue pair";
	case SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR:
		return "register the receiving region with local write access; if the peer sent "
		       "with invalidate, tell it a key that is bound";
	case SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR:
		return "check that the peer's receive is long enough, that it allows reads and "
		       "atomics (max_dest_rd_atomic, "
		       "access flags), and that messages to a tag list begin with a tag matching "
		       "header";
	case SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR:
		/*
		 * Cards' behaviour at a wrong DC key is not public. Drivers know an event of its
		 * own at the target (DCT_KEY_VIOLATION).
		 */
		if (dc)
			return "compare remote address, length and rkey (not the lkey) with what "
			       "the peer has registered, and its access flags; if they "
			       "are right, the DC key with that of the peer's DCT "
			       "(segue_qp_options.dc_key)";
		return "compare remote address, length and rkey (not the lkey) with what the peer "
		       "has registered, and its access flags";
	case SEGUE_CQE_SYNDROME_BAD_RESP_ERR:
	case SEGUE_CQE_SYNDROME_REMOTE_OP_ERR:
		if (xrc)
			return "see that the request names a shared receive queue of the target's "
			       "domain (segue_srq_number()), then look at the peer's "
			       "own completions and asynchronous events";
		return "look at the peer's own completions and asynchronous events";
	case SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR:
		return "check that the peer is alive, in RTR, and did not fail first, that GID or "
		       "LID, queue pair number and PSN of the path are its, and on RoCE the "
		       "GID index, the MTU, and that the network loses nothing (PFC or ECN)";
	case SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR:
		return "post receives at the peer earlier, or raise rnr_retry (7 waits for ever)";
	default:
		return "see the asynchronous events of both sides";
	}
}

/* Alignment of an atomic's address in bytes, or 1 for other requests. */
static uint32_t alignment_of(const struct segue_seg_ctrl *ctrl)
{
	switch (ctrl->opcode) {
	case SEGUE_OPCODE_ATOMIC_CS:
	case SEGUE_OPCODE_ATOMIC_FA:
		return sizeof(uint64_t);
	case SEGUE_OPCODE_ATOMIC_MASKED_CS:
	case SEGUE_OPCODE_ATOMIC_MASKED_FA:
		return ctrl->opmod == SEGUE_OPMOD_MASKED_ATOMIC_SIZE_8 ? sizeof(uint64_t)
								       : sizeof(uint32_t);
	default:
		return 1;
	}
}

static bool names_remote(uint8_t opcode)
{
	switch (opcode) {
	case SEGUE_OPCODE_RDMA_WRITE:
	case SEGUE_OPCODE_RDMA_WRITE_IMM:
	case SEGUE_OPCODE_RDMA_READ:
	case SEGUE_OPCODE_ATOMIC_CS:
	case SEGUE_OPCODE_ATOMIC_FA:
	case SEGUE_OPCODE_ATOMIC_MASKED_CS:
	case SEGUE_OPCODE_ATOMIC_MASKED_FA:
		return true;
	default:
		return false;
	}
}

static bool is_dc(const struct segue_cq_queue *queue)
{
	return queue && queue->address_bytes == SEGUE_SEG_AV_DC_SIZE;
}

/* Reads the request's control segment, if its WQE is still in the ring. */
static bool find_request(const struct segue_wc *wc, const struct segue_cq_queue *queue,
			 struct segue_seg_ctrl *ctrl)
{
	const struct segue_sq *sq = queue ? queue->sq : NULL;

	if (!sq || wc->opcode != SEGUE_CQE_OPCODE_REQ_ERR)
		return false;
	(void)segue_seg_ctrl_unpack(ctrl, seguei_sq_wqe_at(sq, wc->wqe_counter));
	return ctrl->wqe_index == wc->wqe_counter && ctrl->qpn == wc->qpn;
}

static void say_request(struct text *text, const struct segue_cq_queue *queue,
			const struct segue_seg_ctrl *ctrl)
{
	const struct segue_sq *sq = queue->sq;
	const size_t at = (size_t)(ctrl->wqe_index & sq->mask) * SEGUEI_BLOCK +
			  SEGUE_SEG_CTRL_SIZE + queue->address_bytes;
	struct segue_seg_raddr raddr;

	if (!names_remote(ctrl->opcode))
		return;
	(void)segue_seg_raddr_unpack(&raddr,
				     sq->ring + at % (size_t)(seguei_sq_ring_end(sq) - sq->ring));
	say(text, " It named remote address 0x%" PRIx64 " and rkey 0x%x.", raddr.remote_addr,
	    raddr.rkey);
	if (raddr.remote_addr % alignment_of(ctrl))
		say(text,
		    " An atomic's address has to be aligned to its %u bytes, and this one is not.",
		    alignment_of(ctrl));
}

/* A failure on a stream stops that stream alone. */
static void say_next(struct text *text, const struct segue_wc *wc, uint32_t address_bytes,
		     uint32_t stream)
{
	if (stream == NO_STREAM)
		say(text, " Next: %s.", next_step(wc, address_bytes));
	else if (wc->syndrome == SEGUE_CQE_SYNDROME_WR_FLUSH_ERR)
		say(text,
		    " Next: look for the first completion of stream %u that failed with something "
		    "else.",
		    stream);
	else
		say(text,
		    " It was on stream %u, and only that has stopped, unless more have than "
		    "dci_log_errored allows. Next: %s; then poll what is "
		    "flushed of stream %u, and let it work again: segue_qp_reset_stream(qp, %u).",
		    stream, next_step(wc, address_bytes), stream, stream);
}

static void say_signature(struct text *text, const struct segue_wc *wc)
{
	struct segue_sig_err_cqe cqe;

	say(text, "Data that passed a signature key used by QP 0x%x does not fit its signature",
	    wc->qpn);
	if (wc->cqe) {
		(void)segue_sig_err_cqe_unpack(&cqe, wc->cqe);
		say(text,
		    " (key index 0x%x, byte %" PRIu64
		    ": guard and application tag are 0x%08x where 0x%08x was expected, the "
		    "reference tag "
		    "0x%08x where 0x%08x was)",
		    cqe.mkey >> 8, cqe.sig_err_offset, cqe.actual_trans_sig, cqe.expected_trans_sig,
		    cqe.actual_ref_tag, cqe.expected_ref_tag);
	}
	say(text, ". Next: compare both sides' signature settings, and treat the data as damaged; "
		  "its request completes by itself.");
}

static void explain(struct text *text, const struct segue_wc *wc,
		    const struct segue_cq_queue *queue, const struct seguei_wc_known *known)
{
	uint32_t stream = NO_STREAM;
	struct segue_seg_ctrl ctrl;
	const bool send = wc->opcode == SEGUE_CQE_OPCODE_REQ ||
			  wc->opcode == SEGUE_CQE_OPCODE_REQ_ERR;
	const struct segue_member_desc *opcode = send ? member(&segue_opcode_desc, wc->s_wqe_opcode)
						      : NULL;
	const struct segue_member_desc *syndrome = member(&segue_cqe_syndrome_desc, wc->syndrome);
	const struct segue_member_desc *vendor = member(&segue_vendor_syndrome_desc,
							wc->vendor_syndrome);

	if (wc->syndrome == SEGUE_WC_SIGNATURE_ERR) {
		say_signature(text, wc);
		return;
	}
	if (wc->syndrome == SEGUE_WC_TAG_CANCELED) {
		say(text,
		    "A message to QP 0x%x had matched an entry of the tag list (wr_id 0x%" PRIx64
		    "), but its data will not come: they were longer than the "
		    "entry's buffer, could not be read, or the queue pair failed. Next: look at "
		    "the queue pair's state and at the sender's completion; "
		    "the buffer is yours again.",
		    wc->qpn, wc->wr_id);
		return;
	}
	say(text, "%s of QP 0x%x, WQE 0x%04x (wr_id 0x%" PRIx64 ") ",
	    send ? (opcode ? opcode->name : "A send") : "A receive", wc->qpn, wc->wqe_counter,
	    wc->wr_id);
	if (!wc->syndrome) {
		say(text, "succeeded.");
		return;
	}
	if (syndrome)
		say(text, "failed with %s (0x%02x): %s", syndrome->name, wc->syndrome,
		    syndrome->doc);
	else
		say(text, "failed with syndrome 0x%02x, which is unknown.", wc->syndrome);
	if (vendor)
		say(text, " Vendor syndrome 0x%02x (%s): %s%s", wc->vendor_syndrome, vendor->name,
		    vendor->doc, vendor->secondary ? " (not documented by the vendor)" : "");
	else if (wc->vendor_syndrome)
		say(text,
		    " Vendor syndrome 0x%02x, whose meaning is unknown: NVIDIA publishes none.",
		    wc->vendor_syndrome);
	if (find_request(wc, queue, &ctrl)) {
		say_request(text, queue, &ctrl);
		/* Without streams, and on stream 0, the field is 0. */
		if (is_dc(queue) && (known->streams || ctrl.dci_stream_channel_id))
			stream = ctrl.dci_stream_channel_id;
	}
	if (known->peer && known->peer[0])
		say(text, " Its peer is %s.", known->peer);
	say_next(text, wc, queue ? queue->address_bytes : 0, stream);
}

static const struct seguei_wc_known nothing;

size_t segue_wc_explain(const struct segue_wc *wc, const struct segue_cq_queue *queue, char *out,
			size_t outlen)
{
	struct text text = {out, outlen, 0};

	explain(&text, wc, queue, &nothing);
	return text.length;
}

size_t seguei_wc_explain_knowing(const struct segue_wc *wc, const struct segue_cq_queue *queue,
				 const struct seguei_wc_known *known, char *out, size_t outlen)
{
	struct text text = {out, outlen, 0};

	explain(&text, wc, queue, known);
	return text.length;
}

static void count_flush(struct segue_flood *flood, uint32_t qpn)
{
	uint32_t i;

	flood->flushed++;
	for (i = 0; i < flood->n_qpns; i++)
		if (flood->qpns[i] == qpn)
			return;
	if (flood->n_qpns < SEGUE_FLOOD_QPNS)
		flood->qpns[flood->n_qpns++] = qpn;
}

/* "5 further requests of QP 0x1, 0x2 and others were flushed." */
static void say_flood(struct text *text, const struct segue_flood *flood)
{
	uint32_t i;

	say(text, "%" PRIu64 " further request%s of QP", flood->flushed,
	    flood->flushed == 1 ? "" : "s");
	for (i = 0; i < flood->n_qpns; i++)
		say(text, "%s 0x%x", i ? "," : "", flood->qpns[i]);
	say(text, "%s %s flushed.", flood->n_qpns == SEGUE_FLOOD_QPNS ? " and maybe others" : "",
	    flood->flushed == 1 ? "was" : "were");
}

size_t segue_wc_explain_flood(struct segue_flood *flood, const struct segue_wc *wc,
			      const struct segue_cq_queue *queue, char *out, size_t outlen)
{
	struct text text = {out, outlen, 0};

	if (outlen)
		out[0] = 0;
	if (wc && wc->syndrome == SEGUE_CQE_SYNDROME_WR_FLUSH_ERR) {
		count_flush(flood, wc->qpn);
		return 0;
	}
	if (flood->flushed) {
		say_flood(&text, flood);
		if (wc)
			say(&text, " ");
		flood->flushed = 0;
		flood->n_qpns = 0;
	}
	if (wc)
		explain(&text, wc, queue, &nothing);
	return text.length;
}
