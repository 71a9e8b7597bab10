/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Worlds over PMIx, which mpirun, prterun and srun --mpi=pmix serve. libpmix is loaded when such a
 * world is opened, so that no other program needs it.
 *
 * PMIx matches any calls of a fence, and fences without ranks that have died. So each rank puts the
 * number of its fence, and reads the numbers of all afterwards: N gets of what the fence has
 * brought, 10 to 15 us each. A launcher may report success for a fence without the dead (Open MPI
 * 4.1 does). Each number has a key of its own, because a common key would be read stale: OpenPMIx
 * 4.2.2 under 16 ranks returned the number of an earlier fence in 193 of 200 fences. A world in
 * which a fence has failed has no more fences, because the ranks' positions are not known.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/peers/world/pmix_abi.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

/*
 * Name that the launchers' libraries have in common. It also finds a library that the program has
 * loaded already (with MPI).
 */
#define LIBRARY "libpmix.so.2"

struct pmix_world {
	struct segue_world world; /* first */
	struct seguei_pmix_proc self;
	uint32_t fence;
	int broken; /* an errno. No fence is possible any more */
	char why[384];
};

/* Loaded once, and never unloaded, because it has threads. */
static struct seguei_pmix_library library;
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

static int find_calls(void *handle)
{
#define CALL_AT(name, result, arguments) \
	{"PMIx_" #name, offsetof(struct seguei_pmix_library, name)},
	static const struct {
		const char *name;
		size_t at;
	} calls[] = {SEGUEI_PMIX_CALLS(CALL_AT, , , , )};
	struct seguei_pmix_library found;
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		void *call = dlsym(handle, calls[i].name);

		if (!call)
			return seguei_fail(ENOTSUP,
					   "World: " LIBRARY
					   " has no %s(); expected PMIx 3 or later.",
					   calls[i].name);
		memcpy((char *)&found + calls[i].at, &call, sizeof(call));
	}
	library = found;
	return 0;
}

/*
 * Its plug-ins look up its names globally, as if the program were linked with it, so RTLD_GLOBAL is
 * needed.
 */
static int load(const char *reason)
{
	const char *why;
	void *handle;
	int ret = 0;

	pthread_mutex_lock(&library_lock);
	if (!library.Init) {
		handle = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL);
		why = handle ? NULL : dlerror();
		ret = handle ? find_calls(handle)
			     : seguei_fail(ENOTSUP,
					   "World: engine pmix is asked for (%s), but " LIBRARY
					   " cannot be loaded (%s); install it "
					   "(Debian: libpmix2), name the folder of the launcher's "
					   "in LD_LIBRARY_PATH, or set "
					   "SEGUE_WORLD or SEGUE_RENDEZVOUS.",
					   reason, why ? why : "no reason given");
	}
	pthread_mutex_unlock(&library_lock);
	return ret;
}

/*
 * A call in progress, which PMIx's own thread ends. PMIx_Get() and PMIx_Fence() never return if
 * their server disappears at the wrong moment (OpenPMIx 4.2.2), so no thread waits in them.
 */
struct call {
	bool ended;
	bool left; /* abandoned by the waiting thread, so the thread that ends the call frees it */
	int status;
	struct seguei_pmix_proc proc;
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct seguei_pmix_info info[2];
	char *bytes; /* result of a get, otherwise NULL */
	size_t size;
};

/* Guards all calls, and `server_is_lost`. */
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t calls_changed = PTHREAD_COND_INITIALIZER;
static bool server_is_lost;

static void free_call(struct call *call)
{
	free(call->bytes);
	free(call);
}

static void end_call(int status, void *arg)
{
	struct call *call = arg;
	bool left;

	pthread_mutex_lock(&calls_lock);
	call->status = status;
	call->ended = true;
	left = call->left;
	pthread_cond_broadcast(&calls_changed);
	pthread_mutex_unlock(&calls_lock);
	if (left)
		free_call(call);
}

/* PMIx owns the value, which is valid during this call only. */
static void end_get(int status, struct seguei_pmix_value *value, void *arg)
{
	struct call *call = arg;

	if (status == SEGUEI_PMIX_SUCCESS && value->type != SEGUEI_PMIX_BYTE_OBJECT)
		status = SEGUEI_PMIX_ERR_TYPE_MISMATCH;
	if (status == SEGUEI_PMIX_SUCCESS) {
		call->size = value->data.bo.size;
		call->bytes = malloc(call->size + 1);
		if (call->bytes)
			memcpy(call->bytes, value->data.bo.bytes, call->size);
		else
			status = SEGUEI_PMIX_ERR_NOMEM;
	}
	end_call(status, call);
}

/* Calls to a lost server end within a second, or never. */
static void wait_for(struct call *call)
{
	struct timespec until;
	int late = 0;

	while (!call->ended && !server_is_lost)
		pthread_cond_wait(&calls_changed, &calls_lock);
	(void)clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	while (!call->ended && !late)
		late = pthread_cond_timedwait(&calls_changed, &calls_lock, &until);
}

/* Result of a call that returned @status when it began. Unless it succeeded, @call is freed. */
static int result_of(struct call *call, int status)
{
	bool left = false;

	if (status == SEGUEI_PMIX_SUCCESS) {
		pthread_mutex_lock(&calls_lock);
		wait_for(call);
		left = call->left = !call->ended;
		status = left ? SEGUEI_PMIX_ERR_LOST_CONNECTION : call->status;
		pthread_mutex_unlock(&calls_lock);
	} else if (status == SEGUEI_PMIX_OPERATION_SUCCEEDED) {
		status = SEGUEI_PMIX_SUCCESS;
	}
	if (status != SEGUEI_PMIX_SUCCESS && !left)
		free_call(call);
	return status;
}

static bool server_lost(void)
{
	bool lost;

	pthread_mutex_lock(&calls_lock);
	lost = server_is_lost;
	pthread_mutex_unlock(&calls_lock);
	return lost;
}

static void set_server_lost(bool lost)
{
	pthread_mutex_lock(&calls_lock);
	server_is_lost = lost;
	pthread_cond_broadcast(&calls_changed);
	pthread_mutex_unlock(&calls_lock);
}

static void on_lost_server(size_t handler, int status, const struct seguei_pmix_proc *source,
			   struct seguei_pmix_info info[], size_t info_count,
			   struct seguei_pmix_info results[], size_t result_count,
			   seguei_pmix_done done, void *done_arg)
{
	(void)handler;
	(void)status;
	(void)source;
	(void)info;
	(void)info_count;
	(void)results;
	(void)result_count;
	set_server_lost(true);
	if (done)
		done(SEGUEI_PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, done_arg);
}

/* Without this a get ends at its deadline. */
static void watch_server(void)
{
	int codes[] = {SEGUEI_PMIX_ERR_LOST_CONNECTION};

	set_server_lost(false);
	(void)library.Register_event_handler(codes, 1, NULL, 0, on_lost_server, NULL, NULL);
}

/* PMIx counts whole seconds. */
static int seconds(segue_deadline deadline)
{
	const int left = segue_deadline_left_ms(deadline);

	return left < 0 ? 0 : (left + 999) / 1000;
}

static int errno_of(int status)
{
	switch (status) {
	case SEGUEI_PMIX_ERR_TIMEOUT:
		return ETIMEDOUT;
	case SEGUEI_PMIX_ERR_NOT_FOUND:
		return ENOENT;
	case SEGUEI_PMIX_ERR_UNREACH:
	case SEGUEI_PMIX_ERR_LOST_CONNECTION:
	case SEGUEI_PMIX_ERR_LOST_CONNECTION_TO_SERVER:
		return ECONNRESET;
	case SEGUEI_PMIX_ERR_NOMEM:
		return ENOMEM;
	case SEGUEI_PMIX_ERR_PARTIAL_SUCCESS:
		return ENOTCONN;
	default:
		return EIO;
	}
}

static int failed(const char *call, int status)
{
	return seguei_fail(
		errno_of(status), "World: %s: %s%s.", call, library.Error_string(status),
		errno_of(status) == ECONNRESET
			? "; the launcher (mpirun, srun) has died, or does not serve PMIx"
			: "");
}

static struct seguei_pmix_proc proc_of(const struct pmix_world *pmix, uint32_t rank)
{
	struct seguei_pmix_proc proc = pmix->self;

	proc.rank = rank;
	return proc;
}

/* The size of the job, not of the universe, which counts slots. */
static int ask_size(struct pmix_world *pmix)
{
	const struct seguei_pmix_proc all = proc_of(pmix, SEGUEI_PMIX_RANK_WILDCARD);
	struct seguei_pmix_value *value;
	const int status = library.Get(&all, SEGUEI_PMIX_JOB_SIZE, NULL, 0, &value);

	if (status != SEGUEI_PMIX_SUCCESS)
		return failed("PMIx_Get(PMIX_JOB_SIZE)", status);
	pmix->world.size = value->type == SEGUEI_PMIX_UINT32 ? value->data.uint32 : 0;
	free(value);
	if (!pmix->world.size || pmix->self.rank >= pmix->world.size)
		return seguei_fail(EPROTO, "World: PMIx says that this is rank %u of %u.",
				   pmix->self.rank, pmix->world.size);
	return 0;
}

/*
 * libpmix writes to its server without MSG_NOSIGNAL, and the server may be dead. A handler of the
 * program's stays.
 */
static void ignore_sigpipe(void)
{
	struct sigaction action;

	if (!sigaction(SIGPIPE, NULL, &action) && action.sa_handler == SIG_DFL)
		(void)signal(SIGPIPE, SIG_IGN);
}

static int pmix_open(const struct seguei_world_plan *plan, segue_deadline deadline,
		     struct segue_world **out)
{
	struct pmix_world *pmix = calloc(1, sizeof(*pmix));
	int status;
	int ret;

	(void)deadline; /* the server is on this host, and started before this process */
	if (!pmix)
		return seguei_fail(ENOMEM, "World: no memory.");
	ret = load(plan->reason);
	if (ret) {
		free(pmix);
		return ret;
	}
	ignore_sigpipe();
	status = library.Init(&pmix->self, NULL, 0);
	if (status != SEGUEI_PMIX_SUCCESS) {
		free(pmix);
		return failed("PMIx_Init()", status);
	}
	pmix->world.engine = &seguei_world_pmix;
	pmix->world.rank = pmix->self.rank;
	pmix->world.life = 1;
	ret = ask_size(pmix);
	if (ret) {
		(void)library.Finalize(NULL, 0);
		free(pmix);
		return ret;
	}
	watch_server();
	(void)snprintf(pmix->world.description, sizeof(pmix->world.description),
		       "pmix, rank %u of %u in %.64s (%s)", pmix->world.rank, pmix->world.size,
		       pmix->self.nspace, plan->reason);
	*out = &pmix->world;
	return 0;
}

static int pmix_close(struct segue_world *world, segue_deadline deadline)
{
	const struct pmix_world *pmix = (const struct pmix_world *)world;

	(void)deadline;
	/* The call would wait for a server that is gone. */
	if (pmix->broken != ECONNRESET)
		(void)library.Finalize(NULL, 0);
	return 0;
}

static int put_bytes(const char *key, const void *data, size_t size)
{
	struct seguei_pmix_value value = {
		.type = SEGUEI_PMIX_BYTE_OBJECT,
		.data.bo = {.bytes = (char *)(uintptr_t)data, .size = size}};
	int status;

	status = library.Put(SEGUEI_PMIX_GLOBAL, key, &value);
	return status == SEGUEI_PMIX_SUCCESS ? 0 : failed("PMIx_Put()", status);
}

static int check(const struct pmix_world *pmix)
{
	return pmix->broken ? seguei_fail(pmix->broken, "%s", pmix->why) : 0;
}

static int pmix_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	int status;
	int ret = pmix->broken == ECONNRESET ? check(pmix) : 0;

	if (!ret)
		ret = put_bytes(key, data, size);
	if (ret)
		return ret;
	status = library.Commit();
	return status == SEGUEI_PMIX_SUCCESS ? 0 : failed("PMIx_Commit()", status);
}

static struct seguei_pmix_info yes(const char *key)
{
	struct seguei_pmix_info info = {.value = {.type = SEGUEI_PMIX_BOOL, .data.flag = true}};

	(void)snprintf(info.key, sizeof(info.key), "%s", key);
	return info;
}

static struct seguei_pmix_info time_out(int seconds)
{
	return (struct seguei_pmix_info){
		.key = SEGUEI_PMIX_TIMEOUT,
		.value = {.type = SEGUEI_PMIX_INT, .data.integer = seconds}};
}

/* Gets a rank's value. The caller frees @found. @now: only values that fences have brought */
static int ask(const struct pmix_world *pmix, uint32_t rank, const char *key, bool now, int timeout,
	       struct call **found)
{
	struct call *call = calloc(1, sizeof(*call));

	*found = call;
	if (!call)
		return SEGUEI_PMIX_ERR_NOMEM;
	call->proc = proc_of(pmix, rank);
	(void)snprintf(call->key, sizeof(call->key), "%s", key);
	call->info[0] = now ? yes(SEGUEI_PMIX_IMMEDIATE) : time_out(timeout);
	return result_of(call,
			 library.Get_nb(&call->proc, call->key, call->info, 1, end_get, call));
}

static int break_with(struct pmix_world *pmix, int err, const char *sentence)
{
	(void)snprintf(pmix->why, sizeof(pmix->why),
		       "%s (A PMIx world in which a fence has failed has no more fences.)",
		       sentence);
	pmix->broken = err == ECONNRESET ? ECONNRESET : EPIPE;
	return seguei_fail(err, "%s", sentence);
}

static int broken_by(struct pmix_world *pmix, const char *call, int status)
{
	(void)failed(call, status);
	return break_with(pmix, errno_of(status), segue_errmsg());
}

static int pmix_get(struct segue_world *world, uint32_t rank, const char *key,
		    struct segue_world_value *value, bool take, segue_deadline deadline)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	struct call *found;
	int status;
	int ret;

	(void)take; /* PMIx has no call to remove a value */

	if (pmix->broken == ECONNRESET)
		return check(pmix);
	/* Each try is short, because the server may keep a longer one beyond its time. */
	do {
		status = ask(pmix, rank, key, true, 0, &found);
		if (status == SEGUEI_PMIX_ERR_NOT_FOUND && segue_deadline_left_ms(deadline))
			status = ask(pmix, rank, key, false, 1, &found);
		if (status != SEGUEI_PMIX_SUCCESS && server_lost())
			return broken_by(pmix, "PMIx_Get()", SEGUEI_PMIX_ERR_LOST_CONNECTION);
	} while ((status == SEGUEI_PMIX_ERR_NOT_FOUND || status == SEGUEI_PMIX_ERR_TIMEOUT) &&
		 segue_deadline_left_ms(deadline));
	if (status == SEGUEI_PMIX_ERR_NOT_FOUND || status == SEGUEI_PMIX_ERR_TIMEOUT)
		return seguei_fail(ETIMEDOUT,
				   "World: rank %u has not put '%s' in time; PMIx does not say "
				   "whether it is alive.",
				   rank, key);
	if (status != SEGUEI_PMIX_SUCCESS)
		return failed("PMIx_Get()", status);
	ret = seguei_world_piece(found->bytes, found->size, key, value);
	free_call(found);
	return ret;
}

static void fence_key(char key[32], uint32_t fence)
{
	(void)snprintf(key, 32, "segue/fence/%u", fence);
}

static bool is_missing(const void *arg, uint32_t rank)
{
	const struct pmix_world *pmix = arg;
	struct call *found;
	char key[32];

	fence_key(key, pmix->fence);
	if (rank == pmix->world.rank)
		return false;
	if (ask(pmix, rank, key, true, 0, &found) != SEGUEI_PMIX_SUCCESS)
		return true;
	free_call(found);
	return false;
}

/*
 * One get per rank, of what the fence has brought. Missing ranks are looked up once more for the
 * sentence.
 */
static bool all_came(const struct pmix_world *pmix)
{
	uint32_t rank;

	for (rank = 0; rank < pmix->world.size; rank++)
		if (is_missing(pmix, rank))
			return false;
	return true;
}

static int fence_once(const struct pmix_world *pmix, int timeout)
{
	struct call *call = calloc(1, sizeof(*call));
	int status;

	if (!call)
		return SEGUEI_PMIX_ERR_NOMEM;
	call->proc = proc_of(pmix, SEGUEI_PMIX_RANK_WILDCARD);
	call->info[0] = yes(SEGUEI_PMIX_COLLECT_DATA);
	call->info[1] = time_out(timeout);
	status = library.Fence_nb(&call->proc, 1, call->info, timeout ? 2 : 1, end_call, call);
	status = result_of(call, status);
	if (status == SEGUEI_PMIX_SUCCESS)
		free_call(call);
	return status;
}

static int pmix_fence(struct segue_world *world, segue_deadline deadline)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	const int timeout = seconds(deadline);
	char key[32], missing[160], sentence[320];
	int status;
	int ret = check(pmix);

	if (!ret && !timeout && deadline != SEGUE_NEVER)
		return seguei_fail(ETIMEDOUT,
				   "World: fence %u: the deadline has passed before it began.",
				   pmix->fence);
	fence_key(key, pmix->fence);
	if (!ret)
		ret = pmix_put(world, key, "", 1);
	if (ret)
		return ret;
	status = fence_once(pmix, timeout);
	if (status != SEGUEI_PMIX_SUCCESS && errno_of(status) == ECONNRESET)
		return broken_by(pmix, "PMIx_Fence()", status);
	if (!all_came(pmix) &&
	    seguei_world_name_ranks(missing, sizeof(missing), world->size, is_missing, pmix)) {
		const bool late = status == SEGUEI_PMIX_ERR_TIMEOUT;

		(void)snprintf(sentence, sizeof(sentence), "World: fence %u %s; missing: %s.",
			       pmix->fence,
			       late ? "has not completed in time"
				    : "ended without ranks that have died or come to another fence",
			       missing);
		return break_with(pmix, late ? ETIMEDOUT : ENOTCONN, sentence);
	}
	if (status == SEGUEI_PMIX_ERR_TIMEOUT) {
		(void)snprintf(sentence, sizeof(sentence),
			       "World: fence %u has not completed in time: all ranks have come to "
			       "it, but not together; this rank, %u, was late.",
			       pmix->fence, world->rank);
		return break_with(pmix, ETIMEDOUT, sentence);
	}
	if (status != SEGUEI_PMIX_SUCCESS)
		return broken_by(pmix, "PMIx_Fence()", status);
	pmix->fence++;
	return 0;
}

static int pmix_abort(struct segue_world *world, int code, const char *why)
{
	struct pmix_world *pmix = (struct pmix_world *)world;
	char sentence[320];
	const int status = library.Abort(code, why, NULL, 0);

	(void)snprintf(sentence, sizeof(sentence),
		       "World: rank %u has aborted with code %d: %.200s", world->rank, code, why);
	(void)break_with(pmix, ECANCELED, sentence);
	return status == SEGUEI_PMIX_SUCCESS ? 0 : failed("PMIx_Abort()", status);
}

/* It has no gone(): servers report no deaths reliably. A fence or the traffic shows a death. */
const struct seguei_world_engine seguei_world_pmix = {
	.name = "pmix",
	.open = pmix_open,
	.close = pmix_close,
	.put = pmix_put,
	.get = pmix_get,
	.fence = pmix_fence,
	.abort = pmix_abort,
};
