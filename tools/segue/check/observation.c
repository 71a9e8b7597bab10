// SPDX-License-Identifier: BSD-2-Clause
/* How facts are seen: completions, events and waits. */
#include <string.h>
#include <time.h>

#include "segue/ah.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "tools/segue/check/facts.h"

#define MS 1000000u /* nanoseconds */

static void nap(unsigned int ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * (long)MS}, NULL);
}

/* Most facts that fail on purpose show it by one completion. */
bool kit_failed(struct kit *kit, uint8_t syndrome, int vendor)
{
	const struct segue_wc *const wc = &kit->taken[0].wc;

	return kit_saw(
		kit, wc->syndrome == syndrome && (vendor < 0 || wc->vendor_syndrome == vendor),
		"syndrome 0x%02x, vendor syndrome 0x%02x", wc->syndrome, wc->vendor_syndrome);
}

static bool post(struct kit_ends *e, const char *request, uint64_t wr_id, const char *layout)
{
	return kit_post(e, &(struct kit_post){.request = request,
					      .layout = layout,
					      .wr_id = wr_id,
					      .flags = SEGUE_SIGNALED});
}

bool kit_fails(struct kit_ends *e, const char *request, const char *layout, uint8_t syndrome,
	       int vendor)
{
	return post(e, request, KIT_SEND, layout) && kit_take(e->kit, NULL, 1) &&
	       kit_failed(e->kit, syndrome, vendor);
}

/* An event that takes longer counts as one that does not happen. A busy host leaves a device
 * without a processor for less time. */
#define LOOK_MS 100

#define WRITE_BY(rkey)                                                                 \
	"raddr remote_addr=there+512 rkey=" rkey "; data addr=here+101 byte_count=40 " \
						 "lkey=here.lkey"
#define WRITE	      WRITE_BY("there.rkey")
#define WRITE_NOWHERE WRITE_BY("there.rkey+0x100")

/* ---- failures ---- */

bool see_flush(struct kit_ends *e)
{
	if (!kit_receive(e, 512, 64))
		return false;
	if (segue_qp_modify_to(e->b, SEGUE_QP_STATE_ERR, NULL))
		return kit_cannot(e->kit, segue_errmsg());
	return kit_take(e->kit, NULL, 1) &&
	       kit_failed(e->kit, SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, SEGUE_VENDOR_SYNDROME_FLUSH);
}

/* The peer's queue pair is gone, so no answer comes. */
bool see_retry(struct kit_ends *e)
{
	if (segue_qp_close(e->b))
		return kit_cannot(e->kit, segue_errmsg());
	e->b = NULL;
	return kit_fails(e, "rdma_write", WRITE, SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR,
			 SEGUE_VENDOR_SYNDROME_RETRY_EXCEEDED);
}

bool see_index(struct kit_ends *e)
{
	const struct kit_post nop = {"nop", .wr_id = KIT_SEND, .flags = SEGUE_SIGNALED,
				     .wrong_index = true};

	return kit_post(e, &nop) && kit_take(e->kit, NULL, 1) &&
	       kit_failed(e->kit, SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR,
			  SEGUE_VENDOR_SYNDROME_BAD_WQE_INDEX);
}

bool see_bell_of_index(struct kit_ends *e)
{
	const struct kit_post nop = {"nop", .wr_id = KIT_SEND, .flags = SEGUE_SIGNALED,
				     .bell_of_index = true};

	return kit_post(e, &nop) && kit_take(e->kit, NULL, 1);
}

bool see_failed_silent(struct kit_ends *e)
{
	const struct kit_post silent = {"rdma_write", .wr_id = KIT_SEND, .layout = WRITE_NOWHERE};

	return kit_post(e, &silent) && kit_take(e->kit, NULL, 1) &&
	       kit_failed(e->kit, SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, -1);
}

/* A write that fails, one of the same kind behind it, and one that ends the chain with a word. */
bool see_first_error(struct kit_ends *e)
{
	const struct kit_post first = {"rdma_write", WRITE_NOWHERE, KIT_SEND,
				       .flags = SEGUE_FIRST_ERROR_ONLY},
			      second = {"rdma_write", WRITE, KIT_OTHER,
					.flags = SEGUE_FIRST_ERROR_ONLY};

	if (!kit_post(e, &first) || !kit_post(e, &second) ||
	    !post(e, "rdma_write", KIT_RECEIVE, WRITE) || !kit_take(e->kit, NULL, 2))
		return false;
	if (kit_taken(e->kit, KIT_OTHER))
		return kit_say(e->kit,
			       "the flushed request that was not the first to fail completed");
	return kit_failed(e->kit, SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, -1);
}

bool see_dc_key(struct kit_ends *e)
{
	return kit_fails(e, "rdma_write", WRITE, SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, -1);
}

/* ---- events ---- */

struct listener {
	struct segue_comp_channel *channel;
	struct segue_cq *cq;
	struct kit_ends ends;
};

static bool listen_to(struct kit *kit, struct listener *l, bool sends)
{
	struct segue_cq_options options = {.entries = 400};
	struct kit_wish wish = {.queue = "rc"};

	memset(l, 0, sizeof(*l));
	if (segue_comp_channel_open(kit->device, &l->channel))
		return kit_cannot(kit, segue_errmsg());
	options.channel = l->channel;
	if (segue_cq_open(kit->device, &options, &l->cq))
		return kit_cannot(kit, segue_errmsg());
	if (sends)
		wish.send_cq = l->cq;
	else
		wish.recv_cq = l->cq;
	return kit_open_ends(kit, &wish, &l->ends);
}

static void stop_listening(struct listener *l)
{
	kit_close_ends(&l->ends);
	(void)segue_cq_close(l->cq);
	(void)segue_comp_channel_close(l->channel);
}

/* Nanoseconds until the event, or -1: none within a second. */
static int64_t event_after(struct listener *l)
{
	const uint64_t start = kit_ns();
	struct segue_cq *cq;

	if (segue_comp_channel_wait(l->channel, segue_deadline_in_ms(1000), &cq) != 1)
		return -1;
	return (int64_t)(kit_ns() - start);
}

bool see_armed(struct kit_ends *e)
{
	struct listener l;
	bool good = listen_to(e->kit, &l, true) && post(&l.ends, "nop", KIT_SEND, NULL);

	if (good) {
		nap(20); /* it has completed, and its completion was not polled */
		good = !segue_cq_arm(l.cq, SEGUE_CQ_ARM_CMD_ANY) && event_after(&l) >= 0;
		good = kit_saw(e->kit, good, good ? "an event" : "no event within a second");
	}
	stop_listening(&l);
	return good;
}

#define MODERATION_US 4000 /* the kernel's driver has 12 bits for it */
#define MODERATED     5

/* The event of a solicited message comes late, if moderation holds it back. The fastest of some, as
 * the system is late, too. */
static bool fastest_event(struct listener *l, int64_t *ns)
{
	const struct kit_post solicited = {"send", .wr_id = KIT_SEND,
					   .flags = SEGUE_SIGNALED | SEGUE_SOLICITED};
	int64_t took;
	int i;

	*ns = INT64_MAX;
	for (i = 0; i < MODERATED; i++) {
		if (segue_cq_arm(l->cq, SEGUE_CQ_ARM_CMD_SOLICITED) ||
		    !kit_receive(&l->ends, 512, 64) || !kit_post(&l->ends, &solicited))
			return false;
		took = event_after(l);
		if (took < 0)
			return kit_say(l->ends.kit, "no event within a second");
		if (took < *ns)
			*ns = took;
		if (!kit_take(l->ends.kit, l->cq, 1) || !kit_take(l->ends.kit, NULL, 1))
			return false;
	}
	return true;
}

bool see_moderation(struct kit_ends *e)
{
	struct listener l;
	bool good = listen_to(e->kit, &l, false);
	int64_t ns;

	if (good && segue_cq_moderate(l.cq, 100, MODERATION_US))
		good = kit_cannot(e->kit, segue_errmsg());
	good = good && fastest_event(&l, &ns);
	good = good && kit_saw(e->kit, ns > MODERATION_US * 1000 / 2,
			       "the event %.2f ms after the message, with a period of %.0f ms",
			       (double)ns / MS, MODERATION_US / 1000.0);
	stop_listening(&l);
	return good;
}

/* ---- waits ---- */

bool see_wait_cq_gone(struct kit_ends *e)
{
	const struct segue_cq_options options = {.entries = 16};
	struct segue_cq *cq;

	if (segue_cq_open(e->kit->device, &options, &cq))
		return kit_cannot(e->kit, segue_errmsg());
	e->kit->value[0] = segue_cq_number(cq);
	(void)segue_cq_close(cq);
	return kit_fails(e, "wait_cq", "wait_cq max_index=1 cqn=v0",
			 SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, -1);
}

/* Completions count from the first that the queue ever had. */
bool see_wait_cq_count(struct kit_ends *e)
{
	const struct segue_cq_options options = {.entries = 400};
	const struct kit_post nop = {"nop", .wr_id = KIT_OTHER, .flags = SEGUE_SIGNALED};
	struct kit_ends other = {.kit = e->kit};
	int i;

	if (segue_cq_open(e->kit->device, &options, &e->cq))
		return kit_cannot(e->kit, segue_errmsg());
	if (!kit_open_ends(e->kit, &(struct kit_wish){.queue = "rc", .send_cq = e->cq}, &other))
		return false;
	e->other = other.a;
	e->witness_b = other.b;
	for (i = 0; i < 2; i++)
		if (!kit_post_on(e, e->other, &nop) || !kit_take(e->kit, e->cq, 1))
			return false;
	e->kit->value[0] = segue_cq_number(e->cq);
	if (!post(e, "wait_cq", KIT_SEND, "wait_cq max_index=2 cqn=v0") ||
	    !kit_take(e->kit, NULL, 1))
		return kit_say(e->kit, "of a queue that had two completions before, a wait for the "
				       "second goes on waiting");
	return post(e, "wait_cq", KIT_SEND, "wait_cq max_index=3 cqn=v0") &&
	       kit_quiet(e->kit, NULL, LOOK_MS) &&
	       kit_saw(e->kit, true,
		       "with two completions in the past, a wait for 2 ends at once and one for 3 "
		       "does not");
}

static void put_word(struct kit_ends *e, uint64_t word)
{
	uint8_t bytes[8];

	segue_put_be64(bytes, word);
	kit_store(&e->kit->here, 8192, bytes, sizeof(bytes));
}

#define WAIT_DATA(operation)                \
	"wait_on_data operation=" operation \
	" lkey=here.lkey va_fail=here+8192 data=0x0102030405060708 data_mask=0xffffffffffffffff"
#define WORD UINT64_C(0x0102030405060708)

/* A wait that holds while the word is as it is, and no longer than until it is `then`. 0: it does
 * not hold at all. `early`, `late`: what is said otherwise. */
static bool waits(struct kit_ends *e, const char *layout, uint64_t word, uint64_t then,
		  const char *early, const char *late)
{
	put_word(e, word);
	if (!post(e, "wait_on_data", KIT_SEND, layout))
		return false;
	if (then && !kit_quiet(e->kit, NULL, LOOK_MS))
		return kit_say(e->kit, "%s", early);
	if (then)
		put_word(e, then);
	return kit_take(e->kit, NULL, 1) || kit_say(e->kit, "%s", late);
}

bool see_wait_word(struct kit_ends *e)
{
	return waits(e, WAIT_DATA("EQUAL"), WORD, 0, NULL,
		     "a word in big-endian order does not equal") &&
	       kit_saw(e->kit, true, "a word in big-endian order equals");
}

bool see_wait_bigger(struct kit_ends *e)
{
	return waits(e, WAIT_DATA("BIGGER"), WORD, WORD + 1, "an equal word counts as bigger",
		     "a bigger word does not count") &&
	       kit_saw(e->kit, true, "an equal word waits, one more does not");
}

bool see_wait_cyclic(struct kit_ends *e)
{
	return waits(e,
		     "wait_on_data operation=CYCLIC_BIGGER lkey=here.lkey va_fail=here+8192 "
		     "data=0xfffffffffffffff0 data_mask=0xffffffffffffffff",
		     5, 0, NULL, "5 does not count as bigger than 2^64 - 16") &&
	       kit_saw(e->kit, true, "5 is bigger than 2^64 - 16");
}

bool see_wait_smaller(struct kit_ends *e)
{
	return waits(e, WAIT_DATA("ALWAYS_TRUE"), WORD + 1, 0, NULL, "ALWAYS_TRUE waits") &&
	       waits(e, WAIT_DATA("SMALLER"), WORD + 1, WORD - 1, "a bigger word counts as smaller",
		     "a smaller word does not count") &&
	       kit_saw(e->kit, true, "ALWAYS_TRUE goes on at once, SMALLER when the word is");
}

bool see_wait_fail(struct kit_ends *e)
{
	put_word(e, WORD + 1);
	return kit_fails(e, "wait_on_data",
			 "wait_on_data operation=EQUAL lkey=here.lkey va_fail=here+8192+1 "
			 "data=0x0102030405060708 data_mask=0xffffffffffffffff",
			 SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, -1);
}

/* ---- completions ---- */

/* A SEND of that layout into a receive of so many bytes: the receive's completion, or NULL and
 * `why`. */
static struct kit_wc *sent(struct kit_ends *e, uint32_t room, const char *layout)
{
	struct kit_wc *got;

	if (!kit_receive(e, 512, room) || !post(e, "send", KIT_SEND, layout) ||
	    !kit_take(e->kit, NULL, 2))
		return NULL;
	got = (struct kit_wc *)kit_taken(e->kit, KIT_RECEIVE);
	if (!got)
		(void)kit_say(e->kit, "the receive did not complete");
	return got;
}

bool see_dct_number(struct kit_ends *e)
{
	const struct kit_wc *const got = sent(e, 64, NULL);
	struct segue_cqe64 cqe;

	if (!got)
		return false;
	(void)segue_cqe64_unpack(&cqe, got->cqe);
	return kit_saw(e->kit, cqe.qpn == segue_qp_number(e->b),
		       "the CQE names 0x%x, the DCT is 0x%x", cqe.qpn, segue_qp_number(e->b));
}

bool see_user_index(struct kit_ends *e)
{
	const bool there = segue_device_caps(e->kit->device)->cqe_version_1;

	return kit_saw(e->kit, there,
		       there ? "CQE version 1" : "CQE version 0: completions carry numbers only");
}

/* The kernel, rather than the card. */
bool see_sqd(struct kit_ends *e)
{
	const bool refused = segue_qp_modify_to(e->a, SEGUE_QP_STATE_SQD, NULL) != 0;

	return kit_saw(e->kit, refused, refused ? "it is refused" : "the queue pair went to SQD");
}

static bool stamp(struct kit_ends *e, uint64_t *ticks)
{
	struct segue_wc_details details;

	if (!post(e, "nop", KIT_SEND, NULL) || !kit_take(e->kit, NULL, 1))
		return false;
	e->kit->taken[0].wc.cqe = e->kit->taken[0].cqe;
	segue_wc_get_details(&e->kit->taken[0].wc, &details);
	*ticks = details.timestamp;
	return (details.valid & SEGUE_WC_HAS_TIMESTAMP) ||
	       kit_cannot(e->kit, "the completion has no time stamp");
}

bool see_timestamp(struct kit_ends *e)
{
	const double khz = (double)segue_device_caps(e->kit->device)->clock_khz;
	uint64_t first, second, begun, seen, again, end;
	double ms, least, most;

	if (khz <= 0)
		return kit_cannot(e->kit, "the device does not tell how fast its clock is");
	begun = kit_ns();
	if (!stamp(e, &first))
		return false;
	seen = kit_ns();
	nap(40);
	again = kit_ns();
	if (!stamp(e, &second))
		return false;
	end = kit_ns();
	/* Both lie between a post and what was seen of it, however late the system is. */
	ms = (double)(second - first) / khz;
	least = (double)(again - seen) / MS;
	most = (double)(end - begun) / MS;
	return kit_saw(
		e->kit, ms > least * 0.95 && ms < most * 1.05,
		"%.1f ms by the stamps, at %.0f kHz, between %.1f and %.1f by the system's clock",
		ms, khz, least, most);
}

bool see_scatter(struct kit_ends *e)
{
	const struct kit_wc *const got = sent(e, 64,
					      "data addr=here+101 byte_count=20 lkey=here.lkey");
	struct segue_cqe64 cqe;

	if (!got)
		return false;
	(void)segue_cqe64_unpack(&cqe, got->cqe);
	return kit_saw(e->kit, cqe.format == SEGUE_CQE_FORMAT_INLINE_32,
		       "payload of 20 bytes came in %s",
		       cqe.format == SEGUE_CQE_FORMAT_INLINE_32 ? "the CQE" : "memory");
}

bool see_no_route(struct kit_ends *e)
{
	static const uint8_t zero[SEGUE_GRH_SIZE];
	struct segue_wc_details details;
	struct kit_wc *got;

	if (e->kit->link != SEGUE_LINK_IB)
		return kit_cannot(e->kit, "on Ethernet every datagram has a header");
	memset(e->kit->there.bytes + 512, 0, SEGUE_GRH_SIZE);
	got = sent(e, 200, NULL);
	if (!got)
		return false;
	got->wc.cqe = got->cqe;
	segue_wc_get_details(&got->wc, &details);
	return kit_saw(e->kit, !details.grh, "the completion says there is %s; the 40 bytes are %s",
		       details.grh ? "one" : "none",
		       memcmp(e->kit->there.bytes + 512, zero, sizeof(zero)) ? "not zero" : "zero");
}
