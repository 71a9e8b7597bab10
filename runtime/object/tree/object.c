/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tree of open objects: parents, users, closing in order, and recognition of closed objects.
 *
 * EIO from a destroy command means that the device is gone, so the object is closed all the same. A
 * parent closes everything below it rank by rank, not child by child, because a queue pair may use
 * the shared receive queue of another domain.
 */
#include "runtime/object/tree/object.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/tree/lock.h"
#include "segue/base.h"
#include "segue/detail/check.h"

/*
 * The memory of closed objects is kept for a while, so that a second close or a use after close is
 * recognized.
 */
#define QUARANTINE 256

static struct seguei_table by_place, by_key; /* of all open objects */
static struct seguei_object *quarantine[QUARANTINE];
static unsigned int next_in_quarantine;

void seguei_tree_lock(void)
{
	seguei_lock(SEGUEI_LOCK_TREE);
}

void seguei_tree_unlock(void)
{
	seguei_unlock(SEGUEI_LOCK_TREE);
}

static struct seguei_object *of_place(struct seguei_link *link)
{
	return link ? (struct seguei_object *)((char *)link -
					       offsetof(struct seguei_object, by_place))
		    : NULL;
}

static struct seguei_object *of_key(struct seguei_link *link)
{
	return link ? (struct seguei_object *)((char *)link -
					       offsetof(struct seguei_object, by_key))
		    : NULL;
}

/*
 * This function, and all up to seguei_object_alloc(), need the tree locked. It does not touch the
 * address unless an object is open there.
 */
static bool is_open(const struct seguei_object *object)
{
	return of_place(seguei_table_first(&by_place, seguei_key_of(object))) != NULL;
}

static bool was_closed(const struct seguei_object *object)
{
	unsigned int i;

	for (i = 0; i < QUARANTINE; i++)
		if (quarantine[i] == object)
			return true;
	return false;
}

static void forget(struct seguei_object *object)
{
	object->life = SEGUEI_LIFE_CLOSED;
	free(quarantine[next_in_quarantine]);
	quarantine[next_in_quarantine] = object;
	next_in_quarantine = (next_in_quarantine + 1) % QUARANTINE;
}

static int check_open(const struct seguei_object *object, const struct seguei_kind *kind,
		      const char *call)
{
	if (is_open(object) && object->kind == kind)
		return 0;
	if (!is_open(object) && was_closed(object) && object->kind == kind)
		return seguei_fail(EINVAL, "%s: the %s has been closed already.", call, kind->name);
	return seguei_fail(EINVAL, "%s: this is no %s.", call, kind->name);
}

const char *seguei_memlock_hint(int err)
{
	return err == ENOMEM ? "; see ulimit -l (RLIMIT_MEMLOCK)" : "";
}

void *seguei_object_alloc(size_t size, const char *what)
{
	void *memory = calloc(1, size);

	if (!memory)
		seguei_fail(ENOMEM, "%s: no memory for %zu bytes.", what, size);
	return memory;
}

void seguei_object_open(struct seguei_object *object, const struct seguei_kind *kind,
			struct seguei_object *parent, uint64_t key)
{
	seguei_tree_lock();
	object->life = SEGUEI_LIFE_OPEN;
	object->forks = seguei_forks();
	object->kind = kind;
	object->parent = parent;
	if (parent) {
		object->older = parent->child;
		if (parent->child)
			parent->child->newer = object;
		parent->child = object;
	}
	seguei_table_add(&by_place, &object->by_place, seguei_key_of(object));
	seguei_table_add(&by_key, &object->by_key, key);
	seguei_tree_unlock();
}

/* The objects that it uses, up to the first NULL or the end of the room. */
static struct seguei_object **uses_of(struct seguei_object *object, unsigned int *room)
{
	*room = object->uses_more ? object->uses_room : SEGUEI_USES_MAX;
	return object->uses_more ? object->uses_more : object->uses;
}

void seguei_object_use(struct seguei_object *object, struct seguei_object *used)
{
	struct seguei_object **uses;
	unsigned int i, room;

	if (!used)
		return;
	uses = uses_of(object, &room);
	for (i = 0; i < room && uses[i]; i++)
		;
	SEGUEI_DCHECK(i < room);
	if (i == room)
		return;
	seguei_tree_lock();
	uses[i] = used;
	used->users++;
	seguei_tree_unlock();
}

int seguei_object_check(const struct seguei_object *object, const struct seguei_kind *kind,
			const char *call)
{
	int ret;

	if (!object)
		return seguei_fail(EINVAL, "%s: the %s is NULL.", call, kind->name);
	if (!SEGUE_CHECKED)
		return 0;
	seguei_tree_lock();
	ret = check_open(object, kind, call);
	seguei_tree_unlock();
	return ret;
}

/*
 * The next object below `root` in depth-first order, without those below `at`. NULL after the last.
 */
static struct seguei_object *next_beside(const struct seguei_object *root, struct seguei_object *at)
{
	while (at != root && !at->older)
		at = at->parent;
	return at == root ? NULL : at->older;
}

/* As above, with those below `at`. */
static struct seguei_object *next_below(const struct seguei_object *root, struct seguei_object *at)
{
	return at->child ? at->child : next_beside(root, at);
}

void seguei_object_each(struct seguei_object *root, const struct seguei_kind *kind,
			void (*call)(struct seguei_object *object, void *arg), void *arg)
{
	struct seguei_object *at;

	seguei_tree_lock();
	for (at = next_below(root, root); at; at = next_below(root, at))
		if (at->kind == kind)
			call(at, arg);
	seguei_tree_unlock();
}

struct seguei_object *seguei_object_match(
	const struct seguei_object *parent, const struct seguei_kind *kind, uint64_t key,
	bool (*match)(const struct seguei_object *object, const void *arg), const void *arg)
{
	struct seguei_link *link;

	for (link = seguei_table_first(&by_key, key); link; link = seguei_table_next(link)) {
		struct seguei_object *object = of_key(link);

		if (object->kind == kind && (!parent || object->parent == parent) &&
		    (!match || match(object, arg)))
			return object;
	}
	return NULL;
}

struct seguei_object *seguei_object_find(const struct seguei_kind *kind, const void *handle)
{
	struct seguei_object *found;

	seguei_tree_lock();
	found = seguei_object_match(NULL, kind, seguei_key_of(handle), NULL, NULL);
	seguei_tree_unlock();
	return found;
}

static struct seguei_object *user_of(struct seguei_object *object)
{
	struct seguei_object *root = object, *at;
	unsigned int i, room;

	while (root->parent)
		root = root->parent;
	for (at = next_below(root, root); at; at = next_below(root, at)) {
		struct seguei_object **uses = uses_of(at, &room);

		for (i = 0; i < room; i++)
			if (uses[i] == object)
				return at;
	}
	return NULL;
}

static int refuse_used(struct seguei_object *object)
{
	const struct seguei_object *user = user_of(object);

	return seguei_fail(EBUSY,
			   "The %s 0x%x is used by %u open object(s), among them the %s 0x%x; "
			   "close those first.",
			   object->kind->name, object->number, object->users,
			   user ? user->kind->name : "object", user ? user->number : 0);
}

static void unlink_object(struct seguei_object *object)
{
	struct seguei_object **uses;
	unsigned int i, room;

	seguei_table_remove(&by_place, &object->by_place);
	seguei_table_remove(&by_key, &object->by_key);
	uses = uses_of(object, &room);
	for (i = 0; i < room; i++)
		if (uses[i])
			uses[i]->users--;
	free(object->uses_more);
	object->uses_more = NULL;
	if (object->newer)
		object->newer->older = object->older;
	else if (object->parent)
		object->parent->child = object->older;
	if (object->older)
		object->older->newer = object->newer;
}

static int close_one(struct seguei_object *object);

/*
 * Closes all objects below, rank by rank and newest first. An object that uses one of another
 * branch (a queue pair with a shared queue of another domain) is closed before that. No other
 * thread touches objects below one that is being closed.
 */
static int close_below(struct seguei_object *root)
{
	struct seguei_object *at, *next;
	int rank, ret;

	for (rank = 0; rank < SEGUEI_RANKS && root->child; rank++) {
		for (at = next_below(root, root); at; at = next) {
			if ((int)at->kind->rank != rank) {
				next = next_below(root, at);
				continue;
			}
			next = next_beside(root, at);
			ret = close_one(at);
			if (ret)
				return ret;
			if (rank ==
			    SEGUEI_RANK_MULTI_CHANNEL) /* it has closed others, perhaps the next
							  one */
				next = next_below(root, root);
		}
	}
	return 0;
}

/* Refuses an object that others use, or that another thread is closing. */
static int begin_close(struct seguei_object *object)
{
	int ret = 0;

	seguei_tree_lock();
	if (object->users)
		ret = refuse_used(object);
	seguei_tree_unlock();
	return ret;
}

static int close_one(struct seguei_object *object)
{
	int ret;

	ret = begin_close(object);
	if (!ret)
		ret = close_below(object);
	if (!ret)
		ret = object->kind->release(object);
	if (ret > 0)
		ret = seguei_fail(ret, "The %s 0x%x cannot be closed: %s.", object->kind->name,
				  object->number, strerror(ret));
	if (ret && ret != -EIO)
		return ret;
	seguei_tree_lock();
	unlink_object(object);
	forget(object);
	seguei_tree_unlock();
	return 0;
}

/* 0, or the reason why an object to be closed, or one that it uses, is held. */
static int check_held(const struct seguei_object *root)
{
	struct seguei_object *at = (struct seguei_object *)(uintptr_t)root;
	int ret = 0;

	for (; at && !ret; at = next_below(root, at)) {
		unsigned int i, room;
		struct seguei_object **uses = uses_of(at, &room);

		if (at->forks != seguei_forks())
			continue; /* a parent's queues are not polled, and cannot be read */
		ret = at->held ? at->held(at) : 0;
		for (i = 0; i < room && !ret && uses[i]; i++)
			ret = uses[i]->held ? uses[i]->held(uses[i]) : 0;
	}
	return ret;
}

int seguei_object_close(struct seguei_object *object, const struct seguei_kind *kind)
{
	int ret;

	if (!object)
		return 0;
	seguei_tree_lock();
	ret = check_open(object, kind, "close");
	if (!ret)
		ret = check_held(object);
	seguei_tree_unlock();
	return ret ? ret : close_one(object);
}
