/* SPDX-License-Identifier: BSD-2-Clause */
/* Parent domains with an allocator that gives libmlx5 the memory of rings and doorbell records. */
#define _GNU_SOURCE
#include "runtime/object/device/ring_domain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/object/tree/lock.h"
#include "segue/base.h"

/* Zeroes the memory, because libmlx5 does not. */
static void *take(struct ibv_pd *pd, void *context, size_t bytes, size_t align, uint64_t type)
{
	struct seguei_ring_domain *domain = context;
	const struct seguei_ring_place *place = &domain->place;
	void *start;

	(void)pd;
	if (!bytes || (place->own_record && type == MLX5DV_RES_TYPE_DBR))
		return IBV_ALLOCATOR_USE_DEFAULT;
	start = seguei_ring_take(place->device, place->whose, bytes, align, place->wish);
	if (!start)
		domain->failure = -errno;
	return start;
}

static void give_back(struct ibv_pd *pd, void *context, void *start, uint64_t type)
{
	const struct seguei_ring_domain *domain = context;

	(void)pd;
	(void)type;
	seguei_ring_give_back(domain->place.device, start);
}

/*
 * A parent domain needs a domain below it. A completion queue takes any, so a device has one for
 * all.
 */
static struct ibv_pd *pd_of(struct segue_device *device)
{
	struct ibv_pd *pd;

	seguei_lock(SEGUEI_LOCK_RING_DOMAIN);
	if (!device->ring_pd)
		device->ring_pd = ibv_alloc_pd(device->context);
	pd = device->ring_pd;
	seguei_unlock(SEGUEI_LOCK_RING_DOMAIN);
	return pd;
}

static int make_parent(struct seguei_ring_domain *domain)
{
	const struct seguei_ring_place *place = &domain->place;
	struct ibv_parent_domain_init_attr attr = {
		.td = place->td ? place->td->td : NULL,
		.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS |
			     IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT,
		.alloc = take,
		.free = give_back,
		.pd_context = domain,
	};
	int err;

	errno = 0;
	attr.pd = place->pd ? place->pd->pd : pd_of(place->device);
	if (attr.pd)
		domain->parent = ibv_alloc_parent_domain(place->device->context, &attr);
	if (domain->parent)
		return 0;
	err = errno ? errno : ENOMEM;
	return seguei_fail(err,
			   "%s: no parent domain on %s, through which libmlx5 is given memory for "
			   "rings (huge_pages, near_device): %s.",
			   place->whose, segue_device_name(place->device), strerror(err));
}

int seguei_ring_domain_open(const struct seguei_ring_place *place, struct seguei_ring_domain **out)
{
	struct seguei_ring_domain *domain;
	int ret;

	*out = NULL;
	if (!place->wish.huge_pages && !place->wish.near_device)
		return 0;
	domain = seguei_object_alloc(sizeof(*domain), place->whose);
	if (!domain)
		return -ENOMEM;
	domain->place = *place;
	ret = make_parent(domain);
	if (ret)
		free(domain);
	else
		*out = domain;
	return ret;
}

void seguei_ring_domain_close(struct seguei_ring_domain *domain)
{
	const struct seguei_ring_place *place;

	if (!domain)
		return;
	place = &domain->place;
	/*
	 * An object that could not be destroyed, because its device is gone, keeps its domain for
	 * ever, and so the two domains below.
	 */
	if (ibv_dealloc_pd(domain->parent)) {
		if (place->pd)
			place->pd->held = true;
		else
			place->device->ring_pd_held = true;
		if (place->td)
			place->td->held = true;
	}
	free(domain);
}

void *seguei_ring_domain_take(struct seguei_ring_domain *domain, const char *whose, size_t bytes)
{
	void *memory;

	if (domain) {
		memory = seguei_ring_take(domain->place.device, whose, bytes,
					  (size_t)sysconf(_SC_PAGESIZE), domain->place.wish);
		if (!memory)
			domain->failure = -errno;
		return memory;
	}
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		(void)seguei_fail(ENOMEM, "%s: no memory for rings of %zu bytes.", whose, bytes);
		errno = ENOMEM;
		return NULL;
	}
	(void)madvise(memory, bytes, MADV_DONTFORK); /* a fork must not copy these pages on write */
	return memory;
}

void seguei_ring_domain_give_back(const struct seguei_ring_domain *domain, void *memory,
				  size_t bytes)
{
	if (!memory)
		return;
	if (domain)
		seguei_ring_give_back(domain->place.device, memory);
	else
		munmap(memory, bytes);
}

int seguei_ring_domain_failure(const struct seguei_ring_domain *domain)
{
	return domain ? domain->failure : 0;
}

int seguei_ring_domain_end(struct segue_device *device)
{
	/* returns the error number */
	const int ret = device->ring_pd ? ibv_dealloc_pd(device->ring_pd) : 0;

	/* the device is gone, or objects of a lost device still use the domain */
	const bool gone = ret == EIO || (ret == EBUSY && device->ring_pd_held);

	if (ret && !gone)
		return seguei_fail(ret,
				   "Device %s cannot be closed, because the domain below its "
				   "completion queues cannot: %s.",
				   segue_device_name(device), strerror(ret));
	device->ring_pd = NULL;
	return 0;
}
