/* SPDX-License-Identifier: BSD-2-Clause */
/* Atomic operations on device memory that a program starts by a load or a store. */
#include "tools/softhca/uverbs/trap/memic.h"

#include <string.h>
#include <sys/mman.h>

#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

#define PAGE	   4096u
#define PAGES	   (UV_DM_SIZE / PAGE)

static __thread struct uv_memic_range *stepping __attribute__((tls_model("initial-exec")));
static __thread size_t at __attribute__((tls_model("initial-exec")));

uint16_t uv_memic_index(uint16_t first, unsigned int op)
{
	return (uint16_t)((op + 1) * PAGES + first);
}

struct uv_obj *uv_memic_find(struct uv_file *f, uint64_t index, unsigned int *op)
{
	if (index < PAGES || index >= (UV_MEMIC_OPS + 1) * PAGES)
		return NULL;
	*op = (unsigned int)(index / PAGES) - 1;
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *const o = f->objs[i];

		if (o && o->type == UV_DM && o->u.dm.first == index % PAGES)
			return o;
	}
	return NULL;
}

bool uv_memic_mapped(void *addr, size_t len, struct uv_obj *dm, unsigned int op)
{
	unsigned int i;

	/* Writers hold the engine's lock, so they are alone. The handlers read without it. A
	 * program's unmapping of a page is not seen. The present mapping counts. */
	for (i = 0; i < the_trap.num_memic; i++)
		if (the_trap.memic[i].addr < (char *)addr + len &&
		    (char *)addr < the_trap.memic[i].addr + the_trap.memic[i].len)
			__atomic_store_n(&the_trap.memic[i].dm, NULL, __ATOMIC_RELEASE);
	for (i = 0; i < the_trap.num_memic; i++)
		if (!the_trap.memic[i].dm)
			break;
	if (i == UV_MEMIC_RANGES || uv_trap_steps())
		return false;
	the_trap.memic[i].addr = addr;
	the_trap.memic[i].len = len;
	the_trap.memic[i].op = op;
	the_trap.memic[i].memory = dm->u.dm.page;
	__atomic_store_n(&the_trap.memic[i].dm, dm, __ATOMIC_RELEASE);
	if (i == the_trap.num_memic)
		__atomic_store_n(&the_trap.num_memic, i + 1, __ATOMIC_RELEASE);
	return true;
}

void uv_memic_forget(const struct uv_obj *dm)
{
	for (unsigned int i = 0; i < the_trap.num_memic; i++)
		if (the_trap.memic[i].dm == dm)
			__atomic_store_n(&the_trap.memic[i].dm, NULL, __ATOMIC_RELEASE);
}

void uv_memic_fork_child(void)
{
	the_trap.num_memic = 0;
	stepping = NULL;
	pthread_mutex_init(&the_trap.open_lock, NULL);
	memset(the_trap.memic, 0, sizeof(the_trap.memic));
}

static struct uv_memic_range *find(const char *addr)
{
	const unsigned int n = __atomic_load_n(&the_trap.num_memic, __ATOMIC_ACQUIRE);

	for (unsigned int i = 0; i < n; i++)
		if (__atomic_load_n(&the_trap.memic[i].dm, __ATOMIC_ACQUIRE) &&
		    addr >= the_trap.memic[i].addr &&
		    addr < the_trap.memic[i].addr + the_trap.memic[i].len)
			return &the_trap.memic[i];
	return NULL;
}

/* Value for the instruction to read: memory for test-and-set, otherwise 0, to store the addend. */
bool uv_memic_begin(void *addr)
{
	struct uv_memic_range *const r = stepping ? NULL : find(addr);

	if (!r)
		return false;
	pthread_mutex_lock(&the_trap.open_lock);
	at = (size_t)((char *)addr - r->addr);
	if (mprotect(r->addr, r->len, PROT_READ | PROT_WRITE)) {
		pthread_mutex_unlock(&the_trap.open_lock);
		return false;
	}
	if (r->op == UV_MEMIC_TEST_AND_SET)
		memcpy(r->addr, r->memory, r->len);
	else
		memset(r->addr, 0, r->len);
	stepping = r;
	return true;
}

bool uv_memic_end(void)
{
	struct uv_memic_range *const r = stepping;

	if (!r)
		return false;
	stepping = NULL;
	if (r->op == UV_MEMIC_TEST_AND_SET)
		r->memory[at] = 1;
	else
		r->memory[at] = (uint8_t)(r->memory[at] + (uint8_t)r->addr[at]);
	(void)mprotect(r->addr, r->len, PROT_NONE);
	pthread_mutex_unlock(&the_trap.open_lock);
	return true;
}
