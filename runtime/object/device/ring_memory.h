/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for the rings and doorbell records of a device that were asked to be on huge pages or near
 * it. Rings are smaller than huge pages, and records than pages, so those with the same wish share
 * blocks of them; a block is given back with the last that lies in it.
 *
 * Any thread: control path, one lock for all devices.
 */
#ifndef SEGUE_RUNTIME_RING_MEMORY_H
#define SEGUE_RUNTIME_RING_MEMORY_H

#include <stddef.h>

#include "runtime/object/device/memory.h"

struct segue_device;

/*
 * `bytes` that are zero, at a multiple of `align`, for `whose` sentence; NULL with errno and the
 * sentence.
 */
void *seguei_ring_take(struct segue_device *device, const char *whose, size_t bytes, size_t align,
		       struct seguei_memory_wish wish);

/* Gives it back, which the device does not know any more. */
void seguei_ring_give_back(struct segue_device *device, const void *start);

/*
 * All that is left, when the device is closed: of objects that could not be destroyed, as it was
 * gone.
 */
void seguei_ring_end(struct segue_device *device);

#endif
