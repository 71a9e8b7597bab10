/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What all control objects share: a place in the tree of owners, and references to objects they
 * use.
 *
 * Closing an object closes its children first, those with the lowest rank before the others and the
 * newest before the older. An object that another one still uses (a CQ by its queue pairs) is not
 * closed; the user is named instead.
 *
 * One lock guards the links of all trees, for as long as it takes to change a few pointers and
 * never across a system call. So any threads may open and close objects at once; one object is
 * closed by one of them. Objects are found by hash, so that opening and closing them costs the same
 * however many there are.
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
	SEGUEI_RANK_POOL, /* behind the queues that its buffers are posted to */
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
	 * Destroys the verbs object and frees what hangs on it, but not the object itself. Children
	 * and uses are gone or go afterwards. A failure (negative errno, sentence kept) leaves the
	 * object open, except for -EIO: the device is gone, nothing of it can ever be destroyed,
	 * and the object is closed all the same. Memory is freed then, too.
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
	struct seguei_object *child; /* the newest */
	struct seguei_object *older, *newer;
	struct seguei_object *uses[SEGUEI_USES_MAX];
	/* in their place, from malloc(): of an object that may use many; freed with it */
	struct seguei_object **uses_more;
	uint32_t uses_room;               /* of that */
	/* seguei_forks() when it was opened: a child does not have the memory of rings */
	unsigned int forks;
	/*
	 * NULL, or answers whether it, and what uses it, can be closed now: 0, or -EBUSY with a
	 * sentence. A close asks this before it changes anything
	 */
	int (*held)(const struct seguei_object *object);
	struct seguei_link by_place; /* its own address: is it open? */
	struct seguei_link by_key;   /* the verbs object's address, or what its kind is found by */
};

#define SEGUEI_LIFE_OPEN   0x6f70656eu
#define SEGUEI_LIFE_CLOSED 0x64656164u

/*
 * Guards the trees. Not across system calls, and nothing below that takes it itself is called with
 * it.
 */
void seguei_tree_lock(void);
void seguei_tree_unlock(void);

/*
 * What to add to the sentence about a failed creation: registered memory is locked, and the limit
 * of that is often the reason.
 */
const char *seguei_memlock_hint(int err);

/* Memory for an object, zeroed. NULL with a sentence kept if there is none. */
void *seguei_object_alloc(size_t size, const char *what);

/*
 * Puts an allocated object below its owner (NULL for a device). `key` is what it is found by:
 * seguei_key_of() a verbs object.
 */
void seguei_object_open(struct seguei_object *object, const struct seguei_kind *kind,
			struct seguei_object *parent, uint64_t key);

/*
 * Notes that `object` needs `used` for as long as it is open. NULL is ignored. At most
 * SEGUEI_USES_MAX, or uses_room.
 */
void seguei_object_use(struct seguei_object *object, struct seguei_object *used);

/*
 * Closes an object with all below it and frees it. NULL is fine. -EBUSY if others use it, or
 * something is held, -EINVAL
 * (checked builds) if it is no open object of this kind.
 */
int seguei_object_close(struct seguei_object *object, const struct seguei_kind *kind);

/*
 * Refuses NULL, and in checked builds closed objects and others: 0 or -EINVAL. `call` is the
 * caller's name.
 */
int seguei_object_check(const struct seguei_object *object, const struct seguei_kind *kind,
			const char *call);

/* Calls a function, with the tree locked, for each open object of some kind below `root`. */
void seguei_object_each(struct seguei_object *root, const struct seguei_kind *kind,
			void (*call)(struct seguei_object *object, void *arg), void *arg);

/* The open object of some kind that was made around this verbs object, or NULL. */
struct seguei_object *seguei_object_find(const struct seguei_kind *kind, const void *handle);

/*
 * As above for any key, among the children of `parent`, with the tree locked by the caller: the
 * first that `match` says yes to.
 */
struct seguei_object *seguei_object_match(
	const struct seguei_object *parent, const struct seguei_kind *kind, uint64_t key,
	bool (*match)(const struct seguei_object *object, const void *arg), const void *arg);

static inline uint64_t seguei_key_of(const void *handle)
{
	return (uint64_t)(uintptr_t)handle;
}

#endif
