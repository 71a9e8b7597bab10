/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests of the ranks of a TCP world to the rendezvous: values, fences, aborts. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/world/server.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

/* In a FAILED frame: the failed request. */
#define OF_GET	 0
#define OF_FENCE 1

/*
 * Delay before ranks that leave are reported together. At the end of a job, when all leave, hardly
 * any rank is left to hear it.
 */
#define AWAY_MS	 1000

/* Body of a GET: offset and size. */
#define GET_BODY 16

static bool passed(segue_deadline deadline)
{
	return segue_deadline_left_ms(deadline) == 0;
}

/*
 * Sends a frame. A member with a broken connection is noticed at the next read. One that does not
 * read, so that a frame finds no room, would miss it unnoticed, so it is dropped.
 */
static void tell(struct seguei_server *server, uint32_t rank, const struct seguei_frame *frame)
{
	struct seguei_member *member = &server->members[rank];

	if (member->presence != SEGUEI_HERE || member->unreadable)
		return;
	if (seguei_pipe_add(&member->pipe, frame)) {
		(void)snprintf(member->why, sizeof(member->why), "%s", segue_errmsg());
		member->unreadable = server->any_unreadable = true;
		return;
	}
	(void)seguei_pipe_flush(&member->pipe);
	seguei_server_watch_room(server, rank);
}

static void tell_all(struct seguei_server *server, uint32_t but, const struct seguei_frame *frame)
{
	uint32_t rank;

	for (rank = 0; rank < server->expected.size; rank++)
		if (rank != but)
			tell(server, rank, frame);
}

static void tell_failure(struct seguei_server *server, uint32_t to, uint32_t number, uint32_t of,
			 int err, const char *sentence)
{
	const struct seguei_frame frame = {.type = SEGUEI_FRAME_FAILED,
					   .number = number,
					   .rank = of,
					   .extra = (uint32_t)err,
					   .body = sentence,
					   .body_size = (uint32_t)strlen(sentence)};

	tell(server, to, &frame);
}

static bool answer(struct seguei_server *server, const struct seguei_parked *get)
{
	struct seguei_frame frame = {.type = SEGUEI_FRAME_VALUE, .number = get->number};
	size_t total;
	const uint8_t *whole = seguei_store_get(&server->store, get->rank, get->key, &total);
	uint64_t size;
	char sentence[160];

	if (!whole)
		return false;
	if (get->offset > total) {
		(void)snprintf(sentence, sizeof(sentence),
			       "World: '%s' of rank %u has %zu bytes, and byte %llu is asked for.",
			       get->key, get->rank, total, (unsigned long long)get->offset);
		tell_failure(server, get->asker, get->number, OF_GET, ERANGE, sentence);
		return true;
	}
	size = total - get->offset < get->size ? total - get->offset : get->size;
	frame.body = whole + get->offset;
	frame.body_size = (uint32_t)size;
	frame.extra = (uint32_t)total;
	tell(server, get->asker, &frame);
	if (get->take)
		seguei_store_drop(&server->store, get->rank, get->key);
	return true;
}

/* How a missing rank went. */
static const char *how_it_went(const struct seguei_member *member)
{
	if (member->presence == SEGUEI_LEFT)
		return "left";
	if (member->presence == SEGUEI_RETIRED)
		return "retired";
	if (member->ended)
		return "ended";
	return member->cut ? "was cut off from rank 0, and may live" : "died";
}

/* Why a missing value will not come soon: an errno, or 0 if it may come. */
static int hopeless(const struct seguei_server *server, const struct seguei_parked *get,
		    char *sentence, size_t size)
{
	const struct seguei_member *member = &server->members[get->rank];

	if (member->presence != SEGUEI_HERE && member->presence != SEGUEI_NEVER_CAME) {
		(void)snprintf(sentence, size, "World: rank %u %s%s without having put '%s'%s%s.",
			       get->rank, member->cut ? "" : "has ", how_it_went(member), get->key,
			       member->why[0] ? ": " : "", member->why);
		return ENOTCONN;
	}
	if (!passed(get->deadline))
		return 0;
	(void)snprintf(sentence, size, "World: rank %u %s '%s' in time.", get->rank,
		       member->presence == SEGUEI_NEVER_CAME
			       ? "has never joined, and so has not put"
			       : "has not put",
		       get->key);
	return ETIMEDOUT;
}

/* Checks every waiting get. */
static void look_at_parked(struct seguei_server *server)
{
	struct seguei_parked **link = &server->parked, *get;
	char sentence[320];
	int err;

	while ((get = *link)) {
		bool done = server->members[get->asker].presence != SEGUEI_HERE ||
			    answer(server, get);

		if (!done && (err = hopeless(server, get, sentence, sizeof(sentence)))) {
			tell_failure(server, get->asker, get->number, OF_GET, err, sentence);
			done = true;
		}
		if (!done) {
			link = &get->next;
			continue;
		}
		*link = get->next;
		free(get);
	}
}

static int get(struct seguei_server *server, uint32_t rank, const struct seguei_frame *frame)
{
	struct seguei_parked *parked;

	if (frame->body_size != GET_BODY || frame->rank >= server->expected.size)
		return seguei_fail(EPROTO, "it asks for rank %u of %u with %u bytes", frame->rank,
				   server->expected.size, frame->body_size);
	parked = calloc(1, sizeof(*parked));
	if (!parked)
		return seguei_fail(ENOMEM, "no memory for its request");
	parked->asker = rank;
	parked->number = frame->number;
	parked->rank = frame->rank;
	parked->take = frame->type == SEGUEI_FRAME_TAKE;
	parked->deadline = segue_deadline_in_ms(frame->extra);
	parked->offset = segue_get_be64(frame->body);
	parked->size = segue_get_be64((const uint8_t *)frame->body + 8);
	memcpy(parked->key, frame->key, sizeof(parked->key));
	if (answer(server, parked)) {
		free(parked);
		return 0;
	}
	/*
	 * A rank waits for one value at a time, so a later get replaces one that it has abandoned.
	 */
	parked->next = server->parked;
	server->parked = parked;
	look_at_parked(server);
	return 0;
}

static bool is_missing(const void *arg, uint32_t rank)
{
	const struct seguei_member *member = &((const struct seguei_server *)arg)->members[rank];

	return !member->at_fence && member->presence != SEGUEI_RETIRED;
}

static bool is_lost(const void *arg, uint32_t rank)
{
	const enum seguei_presence presence =
		((const struct seguei_server *)arg)->members[rank].presence;

	return presence == SEGUEI_GONE || presence == SEGUEI_LEFT;
}

static bool never_came(const void *arg, uint32_t rank)
{
	return ((const struct seguei_server *)arg)->members[rank].presence == SEGUEI_NEVER_CAME;
}

static void set_at_fence(struct seguei_server *server, uint32_t rank, bool is)
{
	server->n_at_fence += is;
	server->n_at_fence -= server->members[rank].at_fence;
	server->members[rank].at_fence = is;
}

/* Names the first rank with a refused caller, and the reason. */
static void name_refused(const struct seguei_server *server, char *out, size_t size)
{
	uint32_t rank;

	out[0] = 0;
	for (rank = 0; rank < server->expected.size; rank++) {
		if (!never_came(server, rank) || !server->members[rank].refused)
			continue;
		(void)snprintf(out, size, "; a caller as rank %u was refused by its %s", rank,
			       seguei_refusal_text(server->members[rank].refused));
		return;
	}
}

/* Sends the result of the fence to all members at it. */
static void end_fence(struct seguei_server *server, int err, const char *sentence)
{
	struct seguei_frame fenced = {.type = SEGUEI_FRAME_FENCED,
				      .number = server->fence,
				      .rank = server->n_retired,
				      .extra = server->expected.size};
	uint32_t rank;

	for (rank = 0; rank < server->expected.size; rank++) {
		if (!server->members[rank].at_fence)
			continue;
		set_at_fence(server, rank, false);
		if (err)
			tell_failure(server, rank, server->fence, OF_FENCE, err, sentence);
		else
			tell(server, rank, &fenced);
	}
}

static void fence_is_late(struct seguei_server *server)
{
	char sentence[768], missing[160], absent[160], refused[320] = "";
	const bool some = seguei_world_name_ranks(absent, sizeof(absent), server->expected.size,
						  never_came, server);

	(void)seguei_world_name_ranks(missing, sizeof(missing), server->expected.size, is_missing,
				      server);
	if (some)
		name_refused(server, refused, sizeof(refused));
	(void)snprintf(sentence, sizeof(sentence),
		       "World: fence %u has not completed in time; missing: %s%s%s%s.",
		       server->fence, missing, some ? ", of which never joined: " : "",
		       some ? absent : "", refused);
	end_fence(server, ETIMEDOUT, sentence);
	/* For ranks that come later, too. */
	server->fence++;
}

/*
 * A rank that has died or left will not come. The fence fails at once, and stays open until the
 * rank is back.
 */
static bool fence_is_broken(struct seguei_server *server)
{
	char sentence[512], lost[160];
	uint32_t rank;

	if (server->n_lost == server->n_retired)
		return false;
	(void)seguei_world_name_ranks(lost, sizeof(lost), server->expected.size, is_lost, server);
	for (rank = 0; !is_lost(server, rank); rank++)
		;
	(void)snprintf(sentence, sizeof(sentence), "World: fence %u cannot complete: %s %s%s%s.",
		       server->fence, lost, how_it_went(&server->members[rank]),
		       server->members[rank].why[0] ? ": " : "", server->members[rank].why);
	end_fence(server, ENOTCONN, sentence);
	return true;
}

static bool is_late(const struct seguei_server *server)
{
	const segue_deadline now = segue_deadline_in_ms(0);
	uint32_t rank;

	for (rank = 0; rank < server->expected.size; rank++)
		if (server->members[rank].at_fence && server->members[rank].fence_deadline <= now)
			return true;
	return false;
}

/* Retired ranks after the last one that has not retired stop being ranks. */
static void shrink(struct seguei_server *server)
{
	uint32_t *size = &server->expected.size;

	while (server->members[*size - 1].presence == SEGUEI_RETIRED) {
		server->members[--*size].presence = SEGUEI_NEVER_CAME;
		server->n_came--;
		server->n_lost--;
		server->n_retired--;
	}
	if (*size < server->least_size)
		server->least_size = *size;
	if (*size > server->most_size)
		server->most_size = *size;
}

/* An admitted rank may have had a process before, when the world was larger. */
static void tell_of_second(struct seguei_server *server, uint32_t from)
{
	for (; from < server->expected.size; from++) {
		const struct seguei_frame back = {.type = SEGUEI_FRAME_BACK,
						  .rank = from,
						  .extra = server->members[from].life};

		if (back.extra > 1)
			tell_all(server, from, &back);
	}
}

/* True if the fence has succeeded or failed. */
static bool fence_is_over(struct seguei_server *server)
{
	uint32_t rank, before, admit = 0;

	if (!server->n_at_fence || server->n_at_fence < server->expected.size - server->n_retired)
		return !server->n_at_fence || fence_is_broken(server);
	for (rank = 0; rank < server->expected.size; rank++)
		admit += server->members[rank].at_fence && server->members[rank].admits;
	if (admit % server->n_at_fence) {
		end_fence(
			server, EPROTO,
			"World: some ranks call segue_world_admit(), others segue_world_fence().");
		return true;
	}
	shrink(server);
	before = server->expected.size;
	if (admit)
		seguei_door_admit(server, server->fence + 1);
	if (server->expected.size > server->most_size)
		server->most_size = server->expected.size;
	end_fence(server, 0, NULL);
	server->fence++;
	tell_of_second(server, before);
	return true;
}

static int fence(struct seguei_server *server, uint32_t rank, const struct seguei_frame *frame)
{
	char sentence[160];

	if ((int32_t)(frame->number - server->fence) > 0)
		return seguei_fail(EPROTO, "it is at fence %u, but %u is not over", frame->number,
				   server->fence);
	if (frame->number != server->fence) {
		(void)snprintf(sentence, sizeof(sentence),
			       "World: fence %u is over: the others gave it up, because rank %u "
			       "was not there in time.",
			       frame->number, rank);
		tell_failure(server, rank, frame->number, OF_FENCE, ETIMEDOUT, sentence);
		return 0;
	}
	set_at_fence(server, rank, true);
	server->members[rank].admits = frame->rank != 0;
	server->members[rank].fence_deadline = segue_deadline_in_ms(frame->extra);
	(void)fence_is_over(server);
	return 0;
}

static int put(struct seguei_server *server, uint32_t rank, const struct seguei_frame *frame)
{
	const int ret = seguei_store_put(&server->store, rank, frame->key, frame->body,
					 frame->body_size);

	if (!ret)
		look_at_parked(server);
	return ret;
}

static void leave(struct seguei_server *server, uint32_t rank, const struct seguei_frame *frame)
{
	struct seguei_member *member = &server->members[rank];

	member->ended = frame->body_size != 0;
	member->cut = false;
	member->presence = member->ended ? SEGUEI_GONE : SEGUEI_LEFT;
	(void)snprintf(member->why, sizeof(member->why), "%s",
		       member->ended ? (const char *)frame->body : "");
	server->any_second = true;
	seguei_pipe_close(&member->pipe);
	seguei_service_lost(server, rank);
}

static void tell_done(struct seguei_server *server, uint32_t to, uint32_t number)
{
	const struct seguei_frame done = {.type = SEGUEI_FRAME_VALUE, .number = number};

	tell(server, to, &done);
}

/* Fences no longer wait for it, so the open one may be complete. */
static void retire_lost(struct seguei_server *server, uint32_t rank)
{
	struct seguei_member *member = &server->members[rank];
	char why[sizeof(member->why)];

	(void)snprintf(why, sizeof(why), "rank 0 does without it, after it %s%s%.48s",
		       member->presence == SEGUEI_NEVER_CAME ? "did not come" : how_it_went(member),
		       member->why[0] ? ": " : "", member->why);
	memcpy(member->why, why, sizeof(why));
	if (member->presence == SEGUEI_NEVER_CAME) {
		server->n_came++;
		member->life = 1; /* to the others, a process that fills the gap is a second one */
	} else {
		server->n_lost--; /* counted again in its new state */
	}
	member->presence = SEGUEI_RETIRED;
	member->cut = false;
	seguei_service_lost(server, rank);
}

/* Its connection ends after the answer. */
static void retire_self(struct seguei_server *server, uint32_t rank, uint32_t number)
{
	struct seguei_member *member = &server->members[rank];

	tell_done(server, rank, number);
	member->presence = SEGUEI_RETIRED;
	(void)snprintf(member->why, sizeof(member->why), "it has decided that itself");
	seguei_pipe_close(&member->pipe);
	seguei_service_lost(server, rank);
}

static int retire(struct seguei_server *server, uint32_t asker, const struct seguei_frame *frame)
{
	const uint32_t rank = frame->rank;
	char sentence[160];

	if (!rank || rank >= server->expected.size || (asker && asker != rank))
		return seguei_fail(EPROTO, "it retires rank %u of %u", rank, server->expected.size);
	server->any_second = true;
	if (asker == rank) {
		retire_self(server, rank, frame->number);
		return 0;
	}
	if (server->members[rank].presence == SEGUEI_HERE)
		seguei_server_serve(server, rank); /* it may have died unnoticed */
	if (server->members[rank].presence == SEGUEI_HERE) {
		(void)snprintf(sentence, sizeof(sentence),
			       "World: rank %u is there; it can retire itself, or leave before it "
			       "is retired.",
			       rank);
		tell_failure(server, asker, frame->number, OF_GET, EBUSY, sentence);
		return 0;
	}
	if (server->members[rank].presence != SEGUEI_RETIRED)
		retire_lost(server, rank);
	tell_done(server, asker, frame->number);
	return 0;
}

int seguei_service_request(struct seguei_server *server, uint32_t rank,
			   const struct seguei_frame *frame)
{
	struct seguei_frame copy = *frame;

	switch (frame->type) {
	case SEGUEI_FRAME_PUT:
		return put(server, rank, frame);
	case SEGUEI_FRAME_GET:
	case SEGUEI_FRAME_TAKE:
		return get(server, rank, frame);
	case SEGUEI_FRAME_DROP:
		seguei_store_drop(&server->store, rank, frame->key);
		return 0;
	case SEGUEI_FRAME_FENCE:
		return fence(server, rank, frame);
	case SEGUEI_FRAME_ABORT:
		copy.rank = rank;
		tell_all(server, rank, &copy);
		return 0;
	case SEGUEI_FRAME_RETIRE:
		return retire(server, rank, frame);
	case SEGUEI_FRAME_LEAVE:
		leave(server, rank, frame);
		return 0;
	default:
		return seguei_fail(EPROTO,
				   "it sends a frame of type %u, which is the rendezvous' own",
				   (unsigned int)frame->type);
	}
}

/* Its process may live, but the world would not see it die. */
static bool is_away(const struct seguei_member *member)
{
	return member->presence == SEGUEI_LEFT || (member->presence == SEGUEI_GONE && member->cut);
}

static enum seguei_gone how_gone(const struct seguei_member *member)
{
	if (member->presence == SEGUEI_RETIRED)
		return SEGUEI_HAS_RETIRED;
	return member->ended ? SEGUEI_HAS_ENDED : SEGUEI_HAS_DIED;
}

static struct seguei_frame gone_frame(const struct seguei_member *member, uint32_t rank)
{
	return (struct seguei_frame){.type = SEGUEI_FRAME_GONE,
				     .rank = rank,
				     .number = how_gone(member),
				     .extra = member->life,
				     .body = member->why,
				     .body_size = (uint32_t)strlen(member->why)};
}

static bool is_told_gone(const struct seguei_member *member)
{
	return member->presence == SEGUEI_RETIRED ||
	       (member->presence == SEGUEI_GONE && !member->cut);
}

/* Ranks that are away: all, or only those not yet reported. NULL if there is no memory. */
static uint8_t *list_away(const struct seguei_server *server, bool all, uint32_t *bytes)
{
	uint8_t *list = malloc((size_t)server->expected.size * sizeof(uint32_t));
	uint32_t rank;

	for (rank = *bytes = 0; list && rank < server->expected.size; rank++) {
		const struct seguei_member *member = &server->members[rank];

		if (!is_away(member) || (!all && !member->untold))
			continue;
		segue_put_be32(list + *bytes, rank);
		*bytes += sizeof(uint32_t);
	}
	return list;
}

/* Without memory they are reported later. */
static void tell_away(struct seguei_server *server)
{
	struct seguei_frame away = {.type = SEGUEI_FRAME_AWAY};
	uint8_t *list = list_away(server, false, &away.body_size);
	uint32_t rank;

	server->away_due = list ? SEGUE_NEVER : segue_deadline_in_ms(AWAY_MS);
	if (!list)
		return;
	away.body = list;
	if (away.body_size)
		tell_all(server, SEGUEI_NO_RANK, &away);
	for (rank = 0; rank < server->expected.size; rank++)
		server->members[rank].untold = false;
	free(list);
}

static void tell_newcomer_of_away(struct seguei_server *server, uint32_t rank)
{
	struct seguei_frame away = {.type = SEGUEI_FRAME_AWAY};
	uint8_t *list = list_away(server, true, &away.body_size);

	away.body = list;
	if (list && away.body_size)
		tell(server, rank, &away);
	free(list);
}

void seguei_service_arrived(struct seguei_server *server, uint32_t rank)
{
	const struct seguei_frame back = {
		.type = SEGUEI_FRAME_BACK, .rank = rank, .extra = server->members[rank].life};
	uint32_t other;

	if (back.extra > 1) /* all expect the first one of each rank */
		tell_all(server, rank, &back);
	for (other = 0; other < server->expected.size && server->any_second; other++) {
		const struct seguei_member *member = &server->members[other];
		const struct seguei_frame gone = gone_frame(member, other);
		const struct seguei_frame here = {
			.type = SEGUEI_FRAME_BACK, .rank = other, .extra = member->life};

		if (is_told_gone(member))
			tell(server, rank, &gone);
		else if (member->presence == SEGUEI_HERE && member->life > 1)
			tell(server, rank, &here);
	}
	if (server->any_second)
		tell_newcomer_of_away(server, rank);
}

void seguei_service_lost(struct seguei_server *server, uint32_t rank)
{
	struct seguei_member *member = &server->members[rank];
	const struct seguei_frame gone = gone_frame(member, rank);

	set_at_fence(server, rank, false);
	server->n_lost += is_lost(server, rank) || member->presence == SEGUEI_RETIRED;
	server->n_retired += member->presence == SEGUEI_RETIRED;
	if (is_told_gone(member))
		tell_all(server, rank, &gone);
	member->untold = is_away(member);
	if (member->untold && server->away_due == SEGUE_NEVER)
		server->away_due = segue_deadline_in_ms(AWAY_MS);
	look_at_parked(server);
	(void)fence_is_over(server);
}

/* Some of the members may belong to the other job. It is not known which. */
void seguei_service_doubt(struct seguei_server *server)
{
	char sentence[240];
	struct seguei_frame abort = {
		.type = SEGUEI_FRAME_ABORT, .extra = EADDRINUSE, .body = sentence};

	abort.body_size = (uint32_t)snprintf(
		sentence, sizeof(sentence),
		"a second process is rank 0 of the job '%.*s' at this port, before all ranks have "
		"come: two runs "
		"would mix; give each a SEGUE_JOB or a port of its own.",
		SEGUE_WORLD_NAME_MAX, server->expected.job);
	tell_all(server, SEGUEI_NO_RANK, &abort);
}

void seguei_service_clock(struct seguei_server *server)
{
	look_at_parked(server);
	if (!fence_is_over(server) && is_late(server))
		fence_is_late(server);
	if (passed(server->away_due))
		tell_away(server);
}

segue_deadline seguei_service_next(const struct seguei_server *server)
{
	segue_deadline next = server->away_due;
	const struct seguei_parked *parked;
	uint32_t rank;

	for (parked = server->parked; parked; parked = parked->next)
		if (parked->deadline < next)
			next = parked->deadline;
	for (rank = 0; rank < server->expected.size; rank++)
		if (server->members[rank].at_fence && server->members[rank].fence_deadline < next)
			next = server->members[rank].fence_deadline;
	return next;
}
