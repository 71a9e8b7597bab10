/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Common part of all control objects: a place in the tree of owners, and references to used
 * objects.
 *
 * Closing an object closes its children first, lowest rank before higher and newer before older. An
 * object that another one still uses (a CQ by its queue pairs) is not closed. The error names the
 * user.
 *
 * One lock guards the links of all trees. It is held while a few pointers change, and never across
 * a system call. So any threads may open and close objects at once, but one object is closed by one
 * thread. Objects are found by hash, so the cost of opening and closing does not depend on their
 * number.
 */
#ifndef SEGUE_RUNTIME_OBJECT_H
#define SEGUE_RUNTIME_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/object/tree/table.h"

#define SEGUEI_USES_MAX 5

/* The order in which siblings are closed. */
enum seguei_rank {
	SEGUEI_RANK_MULTI_CHANNEL, /* closes its queue pairs and the rest itself */
	SEGUEI_RANK_FLOW,
	SEGUEI_RANK_GROUP,
	SEGUEI_RANK_QP,
	SEGUEI_RANK_ADDRESS,
	SEGUEI_RANK_SRQ,
	SEGUEI_RANK_POOL, /* after the queues that its buffers are posted to */
	SEGUEI_RANK_MW,
	SEGUEI_RANK_MKEY,
	SEGUEI_RANK_MR,
	SEGUEI_RANK_TD,
	SEGUEI_RANK_PD,
	SEGUEI_RANK_XRCD,
	SEGUEI_RANK_CQ,
	SEGUEI_RANK_CHANNEL,
	SEGUEI_RANK_DEVICE,
	SEGUEI_RANKS,
};

struct seguei_object;

struct seguei_kind {
	const char *name; /* "completion queue" */
	enum seguei_rank rank;
	/*
	 * Destroys the verbs object and frees its attachments, but not the object itself. Children
	 * and uses are gone before, or released after. A failure (the error number of a verb, or a
	 * negative errno with a sentence kept) leaves the object open, except for EIO: the device
	 * is gone, so nothing of it can be destroyed, and the object is closed and freed all the
	 * same.
	 */
	int (*release)(struct seguei_object *object);
};

/* First member of every control object. */
struct seguei_object {
	uint32_t life; /* one of the SEGUEI_LIFE values */
	uint32_t users;
	const struct seguei_kind *kind;
	uint32_t number; /* qpn, cqn, lkey, …, for sentences */
	struct seguei_object *parent;
	struct seguei_object *child; /* the newest child */
	struct seguei_object *older, *newer;
	struct seguei_object *uses[SEGUEI_USES_MAX];
	/* replaces uses[] in an object with many uses. From malloc(), freed with it */
	struct seguei_object **uses_more;
	uint32_t uses_room; /* size of uses_more */
	/* seguei_forks() at its opening, because a child lacks the memory of rings */
	unsigned int forks;
	/*
	 * NULL, or checks whether it and the objects that it uses can be closed now: 0, or -EBUSY
	 * with a sentence. A close calls this before it changes anything
	 */
	int (*held)(const struct seguei_object *object);
	struct seguei_link by_place; /* key is its own address, to see whether it is open */
	/* key is the one that seguei_object_open() was given, by which the object is found */
	struct seguei_link by_key;
};

#define SEGUEI_LIFE_OPEN   0x6f70656eu
#define SEGUEI_LIFE_CLOSED 0x64656164u

/*
 * Locks the trees. Must not be held across system calls, nor while calling a function below that
 * takes it.
 */
void seguei_tree_lock(void);
void seguei_tree_unlock(void);

/*
 * A hint for the sentence about a failed creation. Registered memory is locked, and its limit is
 * often the reason.
 */
const char *seguei_memlock_hint(int err);

/* Allocates zeroed memory for an object. NULL with a sentence kept if there is none. */
void *seguei_object_alloc(size_t size, const char *what);

/*
 * Puts an allocated object below its owner (NULL for a device). `key` is its hash key, for instance
 * seguei_key_of() of a verbs object.
 */
void seguei_object_open(struct seguei_object *object, const struct seguei_kind *kind,
			struct seguei_object *parent, uint64_t key);

/*
 * Records that `object` needs `used` while it is open. NULL is ignored. The limit is
 * SEGUEI_USES_MAX, or uses_room.
 */
void seguei_object_use(struct seguei_object *object, struct seguei_object *used);

/*
 * Closes an object with all below it, and frees it. NULL is allowed. -EBUSY if others use it or
 * something is held, -EINVAL (checked builds) if it is not an open object of this kind.
 */
int seguei_object_close(struct seguei_object *object, const struct seguei_kind *kind);

/*
 * Refuses NULL, and in checked builds also closed objects and those of another kind: 0 or -EINVAL.
 * `call` is the caller's name.
 */
int seguei_object_check(const struct seguei_object *object, const struct seguei_kind *kind,
			const char *call);

/* Calls a function, with the tree locked, for each open object of some kind below `root`. */
void seguei_object_each(struct seguei_object *root, const struct seguei_kind *kind,
			void (*call)(struct seguei_object *object, void *arg), void *arg);

/* The open object of some kind that was made around this verbs object, or NULL. */
struct seguei_object *seguei_object_find(const struct seguei_kind *kind, const void *handle);

/*
 * As above for any key, among the children of `parent`, with the tree locked by the caller. Returns
 * the first object that `match` accepts.
 */
struct seguei_object *seguei_object_match(
	const struct seguei_object *parent, const struct seguei_kind *kind, uint64_t key,
	bool (*match)(const struct seguei_object *object, const void *arg), const void *arg);

static inline uint64_t seguei_key_of(const void *handle)
{
	return (uint64_t)(uintptr_t)handle;
}

#endif
