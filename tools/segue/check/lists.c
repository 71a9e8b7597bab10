// SPDX-License-Identifier: BSD-2-Clause
/* Tag lists: commands carried out, and what becomes of messages that fit an entry or none. */
#include <string.h>
#include <time.h>

#include "segue/base.h"
#include "segue/gen/segments.h"
#include "segue/tags.h"
#include "tools/segue/check/facts.h"

#define TAG	UINT64_C(0x1122334455667788)
#define OTHER	UINT64_C(5)
#define MESSAGE 1000 /* here: header and payload */
#define BUFFER	4096 /* there: of an entry */
#define RECEIVE 512  /* there */

const struct kit_wish kit_tagged = {.queue = "rc", .tagged = true};

/* A header before what memory holds anyway. The message is on its way. */
static bool send(struct kit_ends *e, uint64_t tag, uint32_t length)
{
	const struct segue_seg_tmh tmh = {.opcode = SEGUE_TMH_OPCODE_EAGER, .tag = tag};
	const struct kit_post post = {
		.request = "send",
		.layout = "data addr=here+1000 byte_count=v5 lkey=here.lkey",
		.wr_id = KIT_SEND,
		.flags = SEGUE_SIGNALED,
	};
	uint8_t bytes[SEGUE_SEG_TMH_SIZE];

	segue_seg_tmh_pack(bytes, &tmh);
	kit_store(&e->kit->here, MESSAGE, bytes, sizeof(bytes));
	e->kit->value[5] = SEGUE_SEG_TMH_SIZE + length;
	return kit_post(e, &post);
}

/* The completion about the list with that report, among those taken. */
static const struct segue_wc *told(const struct kit *kit, enum segue_tm_app_op op)
{
	unsigned int i;

	for (i = 0; i < kit->n_taken; i++)
		if (kit->taken[i].wc.flags & SEGUE_WC_TAG &&
		    segue_wc_tag_op(&kit->taken[i].wc) == op)
			return &kit->taken[i].wc;
	return NULL;
}

static bool post_append(struct kit_ends *e, uint32_t room, uint16_t *handle)
{
	const struct segue_tag tag = {
		.wr_id = KIT_BEHIND,
		.tag = TAG,
		.mask = UINT64_MAX,
		.buffer = {.addr = (uintptr_t)e->kit->there.bytes + BUFFER,
			   .length = room,
			   .key.lkey = e->kit->there.lkey},
	};

	return !segue_tag_append(e->srq, KIT_OTHER, &tag, handle) ||
	       kit_say(e->kit, "%s", segue_errmsg());
}

static bool answered(struct kit_ends *e, enum segue_tm_app_op op)
{
	const struct segue_wc *wc;

	if (!kit_take(e->kit, NULL, 1))
		return false;
	wc = told(e->kit, op);
	if (!wc || wc->flags & SEGUE_WC_TAG_REFUSED)
		return kit_say(e->kit, "the command was %s", wc ? "refused" : "not answered");
	return true;
}

static bool append(struct kit_ends *e, uint32_t room)
{
	uint16_t handle;

	return post_append(e, room, &handle) && answered(e, SEGUE_TM_APP_OP_APPEND);
}

/* A message and the completions of both sides. */
static bool message(struct kit_ends *e, uint64_t tag, uint32_t length)
{
	return send(e, tag, length) && kit_take(e->kit, NULL, 2);
}

static bool lands(struct kit_ends *e, uint32_t length)
{
	const struct segue_wc *wc;

	if (!message(e, TAG, length))
		return false;
	wc = told(e->kit, SEGUE_TM_APP_OP_CONSUMED_MSG);
	if (!wc || wc->byte_len != length)
		return kit_say(e->kit,
			       wc ? "the message has another length" : "the message did not match");
	kit_want(&e->kit->there, BUFFER, e->kit->here.want + MESSAGE + SEGUE_SEG_TMH_SIZE, length);
	return kit_compare(e->kit, false);
}

/* It comes to a plain receive, with its header. */
static bool unexpected(struct kit_ends *e, uint64_t tag, uint32_t length)
{
	if (!kit_receive(e, RECEIVE, 2000) || !message(e, tag, length))
		return false;
	if (!told(e->kit, SEGUE_TM_APP_OP_UNEXPECTED))
		return kit_say(e->kit, "a message for no entry is not reported as unexpected");
	kit_want(&e->kit->there, RECEIVE, e->kit->here.want + MESSAGE, SEGUE_SEG_TMH_SIZE + length);
	return kit_compare(e->kit, false);
}

/* ---- the requests ---- */

bool kit_append_tag(struct kit_ends *e)
{
	return append(e, 500) && lands(e, 300) && append(e, 500) && lands(e, 500);
}

bool kit_remove_tag(struct kit_ends *e)
{
	uint16_t handle;

	if (!post_append(e, 500, &handle) || !answered(e, SEGUE_TM_APP_OP_APPEND))
		return false;
	if (segue_tag_remove(e->srq, KIT_OTHER, handle))
		return kit_say(e->kit, "%s", segue_errmsg());
	return answered(e, SEGUE_TM_APP_OP_REMOVE) && unexpected(e, TAG, 200);
}

bool kit_sync_tags(struct kit_ends *e)
{
	if (!unexpected(e, OTHER, 100))
		return false;
	if (segue_tag_sync(e->srq, KIT_OTHER))
		return kit_say(e->kit, "%s", segue_errmsg());
	return answered(e, SEGUE_TM_APP_OP_NOOP) && append(e, 500) && lands(e, 70);
}

/* ---- facts ---- */

bool see_tag_unexpected(struct kit_ends *e)
{
	return unexpected(e, OTHER, 100) &&
	       kit_saw(e->kit, true, "header and payload came to a plain receive");
}

/* The device alone sees a message that was not polled yet. Sends complete elsewhere. */
static bool behind(struct kit_ends *e)
{
	uint16_t handle;

	if (!kit_receive(e, RECEIVE, 500) || !kit_receive(e, RECEIVE + 600, 500) ||
	    !send(e, OTHER, 100) || !kit_take(e->kit, e->cq, 1) || !post_append(e, 500, &handle) ||
	    !kit_take(e->kit, NULL, 2) || !send(e, TAG, 60) || !kit_take(e->kit, e->cq, 1) ||
	    !kit_take(e->kit, NULL, 1))
		return false;
	if (!told(e->kit, SEGUE_TM_APP_OP_UNEXPECTED))
		return kit_say(e->kit, "it matched at once");
	if (segue_tag_sync(e->srq, KIT_OTHER) || !answered(e, SEGUE_TM_APP_OP_NOOP) ||
	    !send(e, TAG, 60) || !kit_take(e->kit, e->cq, 1) || !kit_take(e->kit, NULL, 1))
		return false;
	if (!told(e->kit, SEGUE_TM_APP_OP_CONSUMED_MSG))
		return kit_say(e->kit, "it does not match when the count has caught up");
	return kit_saw(e->kit, true, "it waited, and matched when the count had caught up");
}

bool see_tag_behind(struct kit_ends *none)
{
	const struct segue_cq_options options = {.entries = 400};
	struct kit_wish wish = kit_tagged;
	struct kit_ends e = {.kit = none->kit};
	struct segue_cq *cq;
	bool good;

	if (segue_cq_open(none->kit->device, &options, &cq))
		return kit_cannot(none->kit, segue_errmsg());
	wish.send_cq = cq;
	none->kit->cannot = !kit_open_ends(none->kit, &wish, &e);
	e.cq = cq;
	good = !none->kit->cannot && behind(&e);
	kit_close_ends(&e);
	return good;
}

bool see_tag_too_long(struct kit_ends *e)
{
	unsigned int i;

	if (!append(e, 100) || !message(e, TAG, 300))
		return false;
	for (i = 0; i < e->kit->n_taken; i++) {
		const struct segue_wc *const wc = &e->kit->taken[i].wc;

		if (wc->wr_id != KIT_SEND &&
		    kit_saw(e->kit, wc->syndrome == SEGUE_WC_TAG_CANCELED, "its entry was %s",
			    wc->syndrome == SEGUE_WC_TAG_CANCELED ? "canceled" : "not canceled"))
			return true;
	}
	return false;
}
