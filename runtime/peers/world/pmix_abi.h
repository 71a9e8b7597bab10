/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The part of libpmix.so.2 that Segue uses. Its binary interface is the same from PMIx 3 on. It is
 * declared here, so that the library builds without PMIx's headers and needs libpmix only under a
 * launcher. //tests/runtime/peers/world:pmix_abi_test compares all of it with pmix.h.
 *
 * Source: the PMIx standard, version 4.1, chapters 3 (data structures), 5 (initialisation), 6
 * (synchronisation, keys), 9 (events). Numbers: pmix_common.h of OpenPMIx 4.2.2.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_PMIX_ABI_H
#define SEGUE_RUNTIME_PEERS_WORLD_PMIX_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seguei_pmix_proc {
	char nspace[256];
	uint32_t rank;
};

struct seguei_pmix_value {
	uint16_t type;
	union {
		bool flag;
		int integer;
		uint32_t uint32;
		struct {
			char *bytes;
			size_t size;
		} bo;
		struct { /* the largest member is pmix_envar_t */
			char *envar, *value;
			char separator;
		} envar;
	} data;
};

struct seguei_pmix_info {
	char key[512];
	uint32_t flags;
	struct seguei_pmix_value value;
};

#define SEGUEI_PMIX_RANK_WILDCARD (UINT32_MAX - 1)
#define SEGUEI_PMIX_JOB_SIZE	  "pmix.job.size"
#define SEGUEI_PMIX_COLLECT_DATA  "pmix.collect"
#define SEGUEI_PMIX_TIMEOUT	  "pmix.timeout"
#define SEGUEI_PMIX_IMMEDIATE	  "pmix.immediate"

/* Types of values, scopes of puts, results of calls, results of event handlers. */
enum {
	SEGUEI_PMIX_BOOL = 1,
	SEGUEI_PMIX_INT = 6,
	SEGUEI_PMIX_UINT32 = 14,
	SEGUEI_PMIX_BYTE_OBJECT = 27,

	SEGUEI_PMIX_GLOBAL = 3,

	SEGUEI_PMIX_SUCCESS = 0,
	SEGUEI_PMIX_ERR_TYPE_MISMATCH = -18,
	SEGUEI_PMIX_ERR_TIMEOUT = -24,
	SEGUEI_PMIX_ERR_UNREACH = -25,
	SEGUEI_PMIX_ERR_NOMEM = -32,
	SEGUEI_PMIX_ERR_NOT_FOUND = -46,
	SEGUEI_PMIX_ERR_PARTIAL_SUCCESS = -52,
	SEGUEI_PMIX_ERR_LOST_CONNECTION = -61,
	SEGUEI_PMIX_ERR_LOST_CONNECTION_TO_SERVER = -101, /* before PMIx 4 */
	SEGUEI_PMIX_OPERATION_SUCCEEDED = -157,

	SEGUEI_PMIX_EVENT_ACTION_COMPLETE = -334,
};

/*
 * Function that an event's handler calls at its end. Parameters: the handler's status, its results
 * and their number, a callback with its argument, and the handler's `done_arg`.
 */
typedef void (*seguei_pmix_done)(int status, struct seguei_pmix_info *results, size_t count,
				 void (*end)(int, void *), void *end_arg, void *done_arg);

/*
 * An event's handler: its number, the event, the source, information about the event, results of
 * other handlers, and the call that ends it.
 */
#define SEGUEI_PMIX_HANDLER(PROC, INFO, DONE) \
	void (*)(size_t, int, const PROC *, INFO *, size_t, INFO *, size_t, DONE, void *)

/*
 * The calls, as CALL(name without "PMIx_", return type, parameters), in the types of the including
 * file.
 */
#define SEGUEI_PMIX_CALLS(CALL, PROC, VALUE, INFO, DONE)                                        \
	CALL(Init, int, (PROC *, INFO *, size_t))                                               \
	CALL(Finalize, int, (const INFO *, size_t))                                             \
	CALL(Abort, int, (int, const char *, PROC *, size_t))                                   \
	CALL(Put, int, (uint8_t, const char *, VALUE *))                                        \
	CALL(Commit, int, (void))                                                               \
	CALL(Fence_nb, int,                                                                     \
	     (const PROC *, size_t, const INFO *, size_t, void (*)(int, void *), void *))       \
	CALL(Get, int, (const PROC *, const char *, const INFO *, size_t, VALUE **))            \
	CALL(Get_nb, int,                                                                       \
	     (const PROC *, const char *, const INFO *, size_t, void (*)(int, VALUE *, void *), \
	      void *))                                                                          \
	CALL(Error_string, const char *, (int))                                                 \
	CALL(Register_event_handler, int,                                                       \
	     (int *, size_t, INFO *, size_t, SEGUEI_PMIX_HANDLER(PROC, INFO, DONE),             \
	      void (*)(int, size_t, void *), void *))

#define SEGUEI_PMIX_MEMBER(name, result, arguments) result(*name) arguments;

/* libpmix.so.2 after it was loaded. */
struct seguei_pmix_library {
	SEGUEI_PMIX_CALLS(SEGUEI_PMIX_MEMBER, struct seguei_pmix_proc, struct seguei_pmix_value,
			  struct seguei_pmix_info, seguei_pmix_done)
};

#endif
