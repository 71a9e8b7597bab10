/* SPDX-License-Identifier: BSD-2-Clause */
/* What Segue declares of libpmix, compared with PMIx's own header: numbers, layouts, and the types
 * of the calls. */
#define _GNU_SOURCE
#include <pmix.h>
#include <stdio.h>
#include <string.h>

#include "runtime/peers/world/pmix_abi.h"

#define SAME(name) _Static_assert(SEGUEI_PMIX_##name == PMIX_##name, #name)
#define SAME_SIZE(ours, theirs)                                                              \
	_Static_assert(sizeof(ours) == sizeof(theirs) && _Alignof(ours) == _Alignof(theirs), \
		       #theirs)
#define SAME_MEMBER(ours, theirs, member)                                                      \
	_Static_assert(offsetof(ours, member) == offsetof(theirs, member) &&                   \
			       sizeof(((ours *)0)->member) == sizeof(((theirs *)0)->member), \
		       #theirs "." #member)

SAME(BOOL);
SAME(INT);
SAME(UINT32);
SAME(BYTE_OBJECT);
SAME(GLOBAL);
SAME(SUCCESS);
SAME(ERR_TYPE_MISMATCH);
SAME(ERR_TIMEOUT);
SAME(ERR_UNREACH);
SAME(ERR_NOMEM);
SAME(ERR_NOT_FOUND);
SAME(ERR_PARTIAL_SUCCESS);
SAME(ERR_LOST_CONNECTION);
SAME(ERR_LOST_CONNECTION_TO_SERVER);
SAME(OPERATION_SUCCEEDED);
SAME(EVENT_ACTION_COMPLETE);
_Static_assert(SEGUEI_PMIX_RANK_WILDCARD == (PMIX_RANK_WILDCARD), "RANK_WILDCARD");

SAME_SIZE(struct seguei_pmix_proc, pmix_proc_t);
SAME_MEMBER(struct seguei_pmix_proc, pmix_proc_t, nspace);
SAME_MEMBER(struct seguei_pmix_proc, pmix_proc_t, rank);
SAME_SIZE(struct seguei_pmix_value, pmix_value_t);
SAME_MEMBER(struct seguei_pmix_value, pmix_value_t, type);
SAME_MEMBER(struct seguei_pmix_value, pmix_value_t, data);
SAME_MEMBER(struct seguei_pmix_value, pmix_value_t, data.flag);
SAME_MEMBER(struct seguei_pmix_value, pmix_value_t, data.integer);
SAME_MEMBER(struct seguei_pmix_value, pmix_value_t, data.uint32);
SAME_MEMBER(struct seguei_pmix_value, pmix_value_t, data.bo.bytes);
SAME_MEMBER(struct seguei_pmix_value, pmix_value_t, data.bo.size);
SAME_SIZE(struct seguei_pmix_info, pmix_info_t);
SAME_MEMBER(struct seguei_pmix_info, pmix_info_t, key);
SAME_MEMBER(struct seguei_pmix_info, pmix_info_t, flags);
SAME_MEMBER(struct seguei_pmix_info, pmix_info_t, value);
_Static_assert(sizeof(pmix_status_t) == sizeof(int), "a status");
_Static_assert(sizeof(pmix_scope_t) == sizeof(uint8_t), "a scope");

/* The list of calls in PMIx's types: an initialiser of another type is an error. */
#define SAME_CALL(name, result, arguments) static result(*const name) arguments = PMIx_##name;
SEGUEI_PMIX_CALLS(SAME_CALL, pmix_proc_t, pmix_value_t, pmix_info_t,
		  pmix_event_notification_cbfunc_fn_t)

/* And how a handler of events says that it is done. */
#define pmix_done_in_our_words(INFO) \
	void (*)(int, INFO *, size_t, void (*)(int, void *), void *, void *)
_Static_assert(_Generic((pmix_event_notification_cbfunc_fn_t)0,
			pmix_done_in_our_words(pmix_info_t) : 1, default : 0),
	       "done");
_Static_assert(_Generic((seguei_pmix_done)0, pmix_done_in_our_words(struct seguei_pmix_info) : 1,
			default : 0),
	       "done");

static int differ(const char *ours, const char *theirs)
{
	if (!strcmp(ours, theirs))
		return 0;
	printf("FAILED: '%s' is '%s'\n", ours, theirs);
	return 1;
}

int main(void)
{
	const void *calls[] = {&Init,	&Finalize,     &Abort,
			       &Put,	&Commit,       &Fence_nb,
			       &Get,	&Get_nb,       &Error_string,
			       &Register_event_handler};

	(void)calls;
	return differ(SEGUEI_PMIX_JOB_SIZE, PMIX_JOB_SIZE) |
	       differ(SEGUEI_PMIX_COLLECT_DATA, PMIX_COLLECT_DATA) |
	       differ(SEGUEI_PMIX_TIMEOUT, PMIX_TIMEOUT) |
	       differ(SEGUEI_PMIX_IMMEDIATE, PMIX_IMMEDIATE);
}
