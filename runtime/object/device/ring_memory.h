/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for rings and doorbell records on huge pages or near the device. Rings are smaller than
 * huge pages, and records smaller than pages, so requests of one kind share blocks. A block is
 * freed with the last ring or record in it.
 *
 * Control path, any thread. One lock serves all devices.
 */
#ifndef SEGUE_RUNTIME_RING_MEMORY_H
#define SEGUE_RUNTIME_RING_MEMORY_H

#include <stddef.h>

#include "runtime/object/device/memory.h"

struct segue_device;

/*
 * Allocates `bytes` of zeroes at a multiple of `align`. NULL with errno, and a sentence that begins
 * with `whose`.
 */
void *seguei_ring_take(struct segue_device *device, const char *whose, size_t bytes, size_t align,
		       struct seguei_memory_wish wish);

/* Frees memory that the device no longer uses. */
void seguei_ring_give_back(struct segue_device *device, const void *start);

/*
 * Frees the rest when the device is closed: memory of objects that could not be destroyed because
 * the device was gone.
 */
void seguei_ring_end(struct segue_device *device);

#endif
