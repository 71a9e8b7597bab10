/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/uverbs/trap/memic.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

#define PAGE	   4096u
#define PAGES	   (UV_DM_SIZE / PAGE)
#define MAX_RANGES 256u

/* Read in signal handlers: `dm` is set last and cleared first. */
static struct range {
	char *addr;
	size_t len;
	unsigned int op;
	const struct uv_obj *dm;
	uint8_t *memory;
} ranges[MAX_RANGES];
static unsigned int num_ranges;

/* Held while a page is open: one operation at a time, on one byte, as the capabilities say. */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct range *stepping __attribute__((tls_model("initial-exec")));
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

	/* Under the engine's lock, so writers are alone; the handlers read without it. Nobody says
	 * when a program unmaps a page: what lies there now is what counts. */
	for (i = 0; i < num_ranges; i++)
		if (ranges[i].addr < (char *)addr + len &&
		    (char *)addr < ranges[i].addr + ranges[i].len)
			__atomic_store_n(&ranges[i].dm, NULL, __ATOMIC_RELEASE);
	for (i = 0; i < num_ranges; i++)
		if (!ranges[i].dm)
			break;
	if (i == MAX_RANGES || uv_trap_steps())
		return false;
	ranges[i].addr = addr;
	ranges[i].len = len;
	ranges[i].op = op;
	ranges[i].memory = dm->u.dm.page;
	__atomic_store_n(&ranges[i].dm, dm, __ATOMIC_RELEASE);
	if (i == num_ranges)
		__atomic_store_n(&num_ranges, i + 1, __ATOMIC_RELEASE);
	return true;
}

void uv_memic_forget(const struct uv_obj *dm)
{
	for (unsigned int i = 0; i < num_ranges; i++)
		if (ranges[i].dm == dm)
			__atomic_store_n(&ranges[i].dm, NULL, __ATOMIC_RELEASE);
}

void uv_memic_fork_child(void)
{
	num_ranges = 0;
	stepping = NULL;
	pthread_mutex_init(&open_lock, NULL);
	memset(ranges, 0, sizeof(ranges));
}

static struct range *find(const char *addr)
{
	const unsigned int n = __atomic_load_n(&num_ranges, __ATOMIC_ACQUIRE);

	for (unsigned int i = 0; i < n; i++)
		if (__atomic_load_n(&ranges[i].dm, __ATOMIC_ACQUIRE) && addr >= ranges[i].addr &&
		    addr < ranges[i].addr + ranges[i].len)
			return &ranges[i];
	return NULL;
}

/*
 * What the one instruction will see: for test-and-set the memory, else 0, so it stores the addend.
 */
bool uv_memic_begin(void *addr)
{
	struct range *const r = stepping ? NULL : find(addr);

	if (!r)
		return false;
	pthread_mutex_lock(&open_lock);
	at = (size_t)((char *)addr - r->addr);
	if (mprotect(r->addr, r->len, PROT_READ | PROT_WRITE)) {
		pthread_mutex_unlock(&open_lock);
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
	struct range *const r = stepping;

	if (!r)
		return false;
	stepping = NULL;
	if (r->op == UV_MEMIC_TEST_AND_SET)
		r->memory[at] = 1;
	else
		r->memory[at] = (uint8_t)(r->memory[at] + (uint8_t)r->addr[at]);
	(void)mprotect(r->addr, r->len, PROT_NONE);
	pthread_mutex_unlock(&open_lock);
	return true;
}
