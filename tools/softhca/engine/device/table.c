/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects by number. */
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/dev.h"

#include <errno.h>
#include <stdlib.h>

static int grow(struct softhca_table *t)
{
	uint32_t size = t->size ? t->size * 2 : 64;
	void **slot;

	if (t->max && size > t->max + 1)
		size = t->max + 1;
	if (size > SOFTHCA_NUM_MASK - t->base)
		size = SOFTHCA_NUM_MASK - t->base;
	if (size <= t->size)
		return softhca_fail(-ENOMEM, "all %u objects of this kind are in use", t->used);
	slot = realloc(t->slot, size * sizeof(*slot));
	if (!slot)
		return softhca_fail(-ENOMEM, "out of memory");
	for (uint32_t i = t->size; i < size; i++)
		slot[i] = NULL;
	t->slot = slot;
	t->size = size;
	return 0;
}

int softhca_table_add(struct softhca_table *t, void *obj, uint32_t *num)
{
	uint32_t n;
	int err;

	if (t->max && t->used >= t->max)
		return softhca_fail(-ENOMEM, "all %u objects of this kind are in use", t->max);
	/* A half empty table delays the reuse of numbers. Stale numbers should hit no object. */
	if (t->used + 1 >= t->size / 2 + 1) {
		err = grow(t);
		if (err && t->used + 1 >= t->size)
			return err;
	}
	for (n = t->next; !n || n >= t->size || t->slot[n]; n++)
		if (n >= t->size)
			n = 0;
	t->slot[n] = obj;
	t->used++;
	t->next = n + 1;
	*num = t->base + n;
	return 0;
}

void *softhca_table_new(struct softhca_table *t, size_t size, uint32_t *num)
{
	void *const obj = calloc(1, size);

	if (!obj)
		(void)softhca_fail(-ENOMEM, "out of memory");
	else if (!softhca_table_add(t, obj, num))
		return obj;
	free(obj);
	return NULL;
}

void softhca_table_next(struct softhca_table *t, uint32_t num)
{
	while (num - t->base >= t->size && !grow(t))
		;
	if (num - t->base < t->size)
		t->next = num - t->base;
}

void *softhca_table_get(const struct softhca_table *t, uint32_t num)
{
	return num - t->base < t->size ? t->slot[num - t->base] : NULL;
}

void softhca_table_del(struct softhca_table *t, uint32_t num)
{
	if (softhca_table_get(t, num)) {
		t->slot[num - t->base] = NULL;
		t->used--;
	}
}

void *softhca_table_iter(const struct softhca_table *t, uint32_t *num)
{
	uint32_t n = *num < t->base ? 1 : *num - t->base + 1;

	for (; n < t->size; n++) {
		if (t->slot[n]) {
			*num = t->base + n;
			return t->slot[n];
		}
	}
	return NULL;
}

void softhca_table_free(struct softhca_table *t)
{
	free(t->slot);
	t->slot = NULL;
	t->size = t->used = t->next = 0;
}
