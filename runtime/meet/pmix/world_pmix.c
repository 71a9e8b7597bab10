/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Worlds over PMIx: mpirun, prterun and srun --mpi=pmix serve it. A library of its own, so that nobody who does not want it links it.
 *
 * PMIx pairs whoever calls a fence, and fences without those that have died. So each rank puts the number of the fence that it comes to,
 * and looks at everybody's afterwards. A world in which a fence has failed has no more fences: nobody can know who is where.
 */
#include <errno.h>
#include <pmix.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/meet/world.h"
#include "segue/errmsg.h"

struct pmix_world {
	struct segue_world world; /* first */
	pmix_proc_t self;
	uint32_t fence;
	int broken; /* an errno: no more fences */
	char why[384];
};

/* Set by PMIx's own thread. A get does not say it: its server being gone, it finds nothing until its time is over. */
static atomic_bool server_is_lost;

static void on_lost_server(size_t handler, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[], size_t info_count,
			   pmix_info_t results[], size_t result_count, pmix_event_notification_cbfunc_fn_t done, void *done_arg)
{
	(void)handler;
	(void)status;
	(void)source;
	(void)info;
	(void)info_count;
	(void)results;
	(void)result_count;
	atomic_store(&server_is_lost, true);
	if (done)
		done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, done_arg);
}

/* Where that cannot be, a get ends at its deadline. */
static void watch_server(void)
{
	pmix_status_t codes[] = {PMIX_ERR_LOST_CONNECTION};

	atomic_store(&server_is_lost, false);
	(void)PMIx_Register_event_handler(codes, 1, NULL, 0, on_lost_server, NULL, NULL);
}

/* PMIx counts whole seconds. */
static int seconds(segue_deadline deadline)
{
	const int left = segue_deadline_left_ms(deadline);

	return left < 0 ? 0 : (left + 999) / 1000;
}

static int errno_of(pmix_status_t status)
{
	switch (status) {
	case PMIX_ERR_TIMEOUT:
		return ETIMEDOUT;
	case PMIX_ERR_NOT_FOUND:
		return ENOENT;
	case PMIX_ERR_UNREACH:
	case PMIX_ERR_LOST_CONNECTION:
	case PMIX_ERR_LOST_CONNECTION_TO_SERVER:
		return ECONNRESET;
	case PMIX_ERR_NOMEM:
		return ENOMEM;
	case PMIX_ERR_PARTIAL_SUCCESS:
		return ENOTCONN;
	default:
		return EIO;
	}
}

static int failed(const char *call, pmix_status_t status)
{
	return seguei_fail(errno_of(status), "World: %s: %s%s.", call, PMIx_Error_string(status),
			   errno_of(status) == ECONNRESET ? "; the launcher (mpirun, srun) has died, or does not serve PMIx" : "");
}

static pmix_proc_t proc_of(const struct pmix_world *pmix, pmix_rank_t rank)
{
	pmix_proc_t proc;

	PMIX_PROC_CONSTRUCT(&proc);
	(void)snprintf(proc.nspace, sizeof(proc.nspace), "%s", pmix->self.nspace);
	proc.rank = rank;
	return proc;
}

/* The size of the job: not of the universe, which is its slots. */
static int ask_size(struct pmix_world *pmix)
{
	const pmix_proc_t all = proc_of(pmix, PMIX_RANK_WILDCARD);
	pmix_value_t *value;
	const pmix_status_t status = PMIx_Get(&all, PMIX_JOB_SIZE, NULL, 0, &value);

	if (status != PMIX_SUCCESS)
		return failed("PMIx_Get(PMIX_JOB_SIZE)", status);
	pmix->world.size = value->type == PMIX_UINT32 ? value->data.uint32 : 0;
	PMIX_VALUE_RELEASE(value);
	if (!pmix->world.size || pmix->self.rank >= pmix->world.size)
		return seguei_fail(EPROTO, "World: PMIx says that this is rank %u of %u.", pmix->self.rank, pmix->world.size);
	return 0;
}

static int pmix_open(const struct seguei_world_plan *plan, segue_deadline deadline, struct segue_world **out)
{
	struct pmix_world *pmix = calloc(1, sizeof(*pmix));
	pmix_status_t status;
	int ret;

	(void)deadline; /* the server is on this host, and was there before this process */
	if (!pmix)
		return seguei_fail(ENOMEM, "World: no memory.");
	/* It writes to its server without MSG_NOSIGNAL, which may have died. */
	(void)signal(SIGPIPE, SIG_IGN);
	status = PMIx_Init(&pmix->self, NULL, 0);
	if (status != PMIX_SUCCESS) {
		free(pmix);
		return failed("PMIx_Init()", status);
	}
	pmix->world.engine = &seguei_world_pmix;
	pmix->world.rank = pmix->self.rank;
	pmix->world.life = 1;
	ret = ask_size(pmix);
	if (ret) {
		(void)PMIx_Finalize(NULL, 0);
		free(pmix);
		return ret;
	}
	watch_server();
	(void)snprintf(pmix->world.description, sizeof(pmix->world.description), "pmix, rank %u of %u in %.64s (%s)", pmix->world.rank,
		       pmix->world.size, pmix->self.nspace, plan->reason);
	*out = &pmix->world;
	return 0;
}

static int pmix_close(struct segue_world *world, segue_deadline deadline)
{
	const struct pmix_world *pmix = (const struct pmix_world *)world;

	(void)deadline;
	/* A server that is gone would be waited for. */
	if (pmix->broken != ECONNRESET)
		(void)PMIx_Finalize(NULL, 0);
	return 0;
}

static int put_bytes(const char *key, const void *data, size_t size)
{
	pmix_value_t value;
	pmix_status_t status;

	PMIX_VALUE_CONSTRUCT(&value);
	value.type = PMIX_BYTE_OBJECT;
	value.data.bo.bytes = (char *)(uintptr_t)data;
	value.data.bo.size = size;
	status = PMIx_Put(PMIX_GLOBAL, key, &value);
	return status == PMIX_SUCCESS ? 0 : failed("PMIx_Put()", status);
}

static int check(const struct pmix_world *pmix)
{
	return pmix->broken ? seguei_fail(pmix->broken, "%s", pmix->why) : 0;
}

static int pmix_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	pmix_status_t status;
	int ret = pmix->broken == ECONNRESET ? check(pmix) : 0;

	if (!ret)
		ret = put_bytes(key, data, size);
	if (ret)
		return ret;
	status = PMIx_Commit();
	return status == PMIX_SUCCESS ? 0 : failed("PMIx_Commit()", status);
}

/* What a rank has put: @value is the caller's to release. @now: without asking beyond what the fences have brought. */
static pmix_status_t ask(const struct pmix_world *pmix, uint32_t rank, const char *key, bool now, int timeout, pmix_value_t **value)
{
	const pmix_proc_t proc = proc_of(pmix, rank);
	pmix_status_t status;
	pmix_info_t info;

	PMIX_INFO_CONSTRUCT(&info);
	if (now)
		PMIX_INFO_LOAD(&info, PMIX_IMMEDIATE, NULL, PMIX_BOOL);
	else
		PMIX_INFO_LOAD(&info, PMIX_TIMEOUT, &timeout, PMIX_INT);
	status = PMIx_Get(&proc, key, &info, 1, value);
	PMIX_INFO_DESTRUCT(&info);
	if (status == PMIX_SUCCESS && (*value)->type != PMIX_BYTE_OBJECT) {
		PMIX_VALUE_RELEASE(*value);
		status = PMIX_ERR_TYPE_MISMATCH;
	}
	return status;
}

static int break_with(struct pmix_world *pmix, int err, const char *sentence)
{
	(void)snprintf(pmix->why, sizeof(pmix->why), "%s (A PMIx world in which a fence has failed has no more fences.)", sentence);
	pmix->broken = err == ECONNRESET ? ECONNRESET : EPIPE;
	return seguei_fail(err, "%s", sentence);
}

static int lost(struct pmix_world *pmix, const char *call, pmix_status_t status)
{
	char sentence[320];

	(void)failed(call, status);
	(void)snprintf(sentence, sizeof(sentence), "%.300s", segue_errmsg());
	return break_with(pmix, ECONNRESET, sentence);
}

static int pmix_get(struct segue_world *world, uint32_t rank, const char *key, struct segue_world_value *value,
		    segue_deadline deadline)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	pmix_value_t *found;
	pmix_status_t status;
	int ret;

	if (pmix->broken == ECONNRESET)
		return check(pmix);
	/* Each try is short, as the server may keep a longer one beyond its time. */
	do {
		status = ask(pmix, rank, key, true, 0, &found);
		if (status == PMIX_ERR_NOT_FOUND && segue_deadline_left_ms(deadline))
			status = ask(pmix, rank, key, false, 1, &found);
		if (status != PMIX_SUCCESS && atomic_load(&server_is_lost))
			return lost(pmix, "PMIx_Get()", PMIX_ERR_LOST_CONNECTION);
	} while ((status == PMIX_ERR_NOT_FOUND || status == PMIX_ERR_TIMEOUT) && segue_deadline_left_ms(deadline));
	if (status == PMIX_ERR_NOT_FOUND || status == PMIX_ERR_TIMEOUT)
		return seguei_fail(ETIMEDOUT, "World: rank %u has not put '%s' in time; PMIx does not say whether it is alive.", rank, key);
	if (status != PMIX_SUCCESS)
		return failed("PMIx_Get()", status);
	ret = seguei_world_piece(found->data.bo.bytes, found->data.bo.size, key, value);
	PMIX_VALUE_RELEASE(found);
	return ret;
}

static void fence_key(char key[32], uint32_t fence)
{
	(void)snprintf(key, 32, "segue/fence/%u", fence);
}

static bool is_missing(const void *arg, uint32_t rank)
{
	const struct pmix_world *pmix = arg;
	pmix_value_t *value;
	char key[32];

	fence_key(key, pmix->fence);
	if (rank == pmix->world.rank)
		return false;
	if (ask(pmix, rank, key, true, 0, &value) != PMIX_SUCCESS)
		return true;
	PMIX_VALUE_RELEASE(value);
	return false;
}

static pmix_status_t fence_once(const struct pmix_world *pmix, int timeout)
{
	const pmix_proc_t all = proc_of(pmix, PMIX_RANK_WILDCARD);
	pmix_info_t info[2];
	bool collect = true;
	pmix_status_t status;

	PMIX_INFO_CONSTRUCT(&info[0]);
	PMIX_INFO_CONSTRUCT(&info[1]);
	PMIX_INFO_LOAD(&info[0], PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
	PMIX_INFO_LOAD(&info[1], PMIX_TIMEOUT, &timeout, PMIX_INT);
	status = PMIx_Fence(&all, 1, info, timeout ? 2 : 1);
	PMIX_INFO_DESTRUCT(&info[0]);
	PMIX_INFO_DESTRUCT(&info[1]);
	return status;
}

static int pmix_fence(struct segue_world *world, segue_deadline deadline)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	const int timeout = seconds(deadline);
	char key[32], missing[160], sentence[320];
	pmix_status_t status;
	int ret = check(pmix);

	if (!ret && !timeout && deadline != SEGUE_NEVER)
		return seguei_fail(ETIMEDOUT, "World: fence %u: the deadline has passed before it began.", pmix->fence);
	fence_key(key, pmix->fence);
	if (!ret)
		ret = pmix_put(world, key, "", 1);
	if (ret)
		return ret;
	status = fence_once(pmix, timeout);
	if (status != PMIX_SUCCESS && errno_of(status) == ECONNRESET)
		return lost(pmix, "PMIx_Fence()", status);
	if (seguei_world_name_ranks(missing, sizeof(missing), world->size, is_missing, pmix)) {
		const bool late = status == PMIX_ERR_TIMEOUT;

		(void)snprintf(sentence, sizeof(sentence), "World: fence %u %s; missing: %s.", pmix->fence,
			       late ? "has not come about in time" : "came about without everybody, who died or came to another one", missing);
		return break_with(pmix, late ? ETIMEDOUT : ENOTCONN, sentence);
	}
	if (status == PMIX_ERR_TIMEOUT) {
		(void)snprintf(sentence, sizeof(sentence), "World: fence %u has not come about in time: all have been at it, but not together; "
			       "this rank, %u, was late.", pmix->fence, world->rank);
		return break_with(pmix, ETIMEDOUT, sentence);
	}
	if (status != PMIX_SUCCESS) {
		(void)failed("PMIx_Fence()", status);
		(void)snprintf(sentence, sizeof(sentence), "%.300s", segue_errmsg());
		return break_with(pmix, errno_of(status), sentence);
	}
	pmix->fence++;
	return 0;
}

static int pmix_abort(struct segue_world *world, int code, const char *why)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	char sentence[320];
	const pmix_status_t status = PMIx_Abort(code, why, NULL, 0);

	(void)snprintf(sentence, sizeof(sentence), "World: rank %u has aborted with code %d: %.200s", world->rank, code, why);
	(void)break_with(pmix, ECANCELED, sentence);
	return status == PMIX_SUCCESS ? 0 : failed("PMIx_Abort()", status);
}

/* It does not know: servers report no deaths on which one could rely. A fence tells, or the traffic. */
static int pmix_gone(struct segue_world *world, uint32_t rank, bool *gone, uint32_t *life)
{
	(void)world;
	(void)rank;
	(void)gone;
	*life = 1;
	return 0;
}

const struct seguei_world_engine seguei_world_pmix = {
	.name = "pmix",
	.open = pmix_open,
	.close = pmix_close,
	.put = pmix_put,
	.get = pmix_get,
	.fence = pmix_fence,
	.abort = pmix_abort,
	.gone = pmix_gone,
};
