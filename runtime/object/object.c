/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/object/object.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "segue/check.h"
#include "segue/errmsg.h"

/* Checked builds keep the memory of closed objects for a while, so that using one can be told from using garbage. */
#define QUARANTINE 256

static void forget(struct seguei_object *object)
{
	static _Thread_local struct seguei_object *quarantine[QUARANTINE];
	static _Thread_local unsigned int next;

	object->life = SEGUEI_LIFE_CLOSED;
	if (!SEGUE_CHECKED) {
		free(object);
		return;
	}
	free(quarantine[next]);
	quarantine[next] = object;
	next = (next + 1) % QUARANTINE;
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

void seguei_object_open(struct seguei_object *object, const struct seguei_kind *kind, struct seguei_object *parent)
{
	object->life = SEGUEI_LIFE_OPEN;
	object->kind = kind;
	object->parent = parent;
	if (!parent)
		return;
	object->older = parent->child;
	if (parent->child)
		parent->child->newer = object;
	parent->child = object;
}

void seguei_object_use(struct seguei_object *object, struct seguei_object *used)
{
	unsigned int i;

	if (!used)
		return;
	for (i = 0; i < SEGUEI_USES_MAX; i++) {
		if (object->uses[i])
			continue;
		object->uses[i] = used;
		used->users++;
		return;
	}
	SEGUE_DCHECK(!"an object uses more others than SEGUEI_USES_MAX");
}

int seguei_object_check(const struct seguei_object *object, const struct seguei_kind *kind, const char *call)
{
	if (!object)
		return seguei_fail(EINVAL, "%s: the %s is NULL.", call, kind->name);
	if (!SEGUE_CHECKED)
		return 0;
	if (object->life == SEGUEI_LIFE_CLOSED)
		return seguei_fail(EINVAL, "%s: the %s has been closed already.", call, object->kind->name);
	if (object->life != SEGUEI_LIFE_OPEN || object->kind != kind)
		return seguei_fail(EINVAL, "%s: this is no %s.", call, kind->name);
	return 0;
}

/* The next object below `root`, depth first; NULL behind the last. */
static struct seguei_object *next_below(const struct seguei_object *root, struct seguei_object *at)
{
	if (at->child)
		return at->child;
	while (at != root && !at->older)
		at = at->parent;
	return at == root ? NULL : at->older;
}

struct seguei_object *seguei_object_next(struct seguei_object *root, const struct seguei_kind *kind, struct seguei_object *at)
{
	for (at = next_below(root, at ? at : root); at; at = next_below(root, at))
		if (at->kind == kind)
			return at;
	return NULL;
}

struct seguei_object *seguei_object_find(struct seguei_object *root, const struct seguei_kind *kind, const void *handle)
{
	struct seguei_object *at;

	for (at = next_below(root, root); at; at = next_below(root, at))
		if (at->kind == kind && at->handle == handle)
			return at;
	return NULL;
}

static struct seguei_object *user_of(struct seguei_object *object)
{
	struct seguei_object *root = object, *at;
	unsigned int i;

	while (root->parent)
		root = root->parent;
	for (at = next_below(root, root); at; at = next_below(root, at))
		for (i = 0; i < SEGUEI_USES_MAX; i++)
			if (at->uses[i] == object)
				return at;
	return NULL;
}

static int refuse_used(struct seguei_object *object)
{
	const struct seguei_object *user = user_of(object);

	return seguei_fail(EBUSY, "The %s 0x%x is used by %u open object(s), among them the %s 0x%x; close those first.",
			   object->kind->name, object->number, object->users, user ? user->kind->name : "object",
			   user ? user->number : 0);
}

static void unlink_object(struct seguei_object *object)
{
	unsigned int i;

	for (i = 0; i < SEGUEI_USES_MAX; i++)
		if (object->uses[i])
			object->uses[i]->users--;
	if (object->newer)
		object->newer->older = object->older;
	else if (object->parent)
		object->parent->child = object->older;
	if (object->older)
		object->older->newer = object->newer;
}

static int close_one(struct seguei_object *object);

/*
 * Everything below, rank by rank and the newest first: what uses others across its siblings' children (a queue pair the shared queue of
 * another domain) goes before them.
 */
static int close_below(struct seguei_object *root)
{
	struct seguei_object *at, *next;
	bool with_children;
	int rank, ret;

	for (rank = 0; rank < SEGUEI_RANKS; rank++) {
		for (at = next_below(root, root); at; at = next) {
			next = next_below(root, at);
			if ((int)at->kind->rank != rank)
				continue;
			with_children = at->child != NULL;
			ret = close_one(at);
			if (ret)
				return ret;
			if (with_children) /* the next one may have been among them */
				next = next_below(root, root);
		}
	}
	return 0;
}

static int close_one(struct seguei_object *object)
{
	int ret;

	if (object->users)
		return refuse_used(object);
	ret = close_below(object);
	if (ret)
		return ret;
	ret = object->kind->release(object);
	if (ret && ret != -EIO)
		return ret;
	unlink_object(object);
	forget(object);
	return 0;
}

int seguei_object_close(struct seguei_object *object, const struct seguei_kind *kind)
{
	int ret;

	if (!object)
		return 0;
	ret = seguei_object_check(object, kind, "close");
	return ret ? ret : close_one(object);
}
