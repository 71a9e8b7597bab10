/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses through keys with signature or crypto settings. An address of such a key counts bytes on
 * the wire. The data in memory may be longer or shorter.
 */
#ifndef SOFTHCA_PASSAGE_H
#define SOFTHCA_PASSAGE_H

#include "tools/softhca/engine/memory/mem.h"

/* Like softhca_mem_check(), _read() and _write(), for a key with sufficient rights. False: reported
 * and refused. */
bool softhca_passage_check(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			   uint64_t len);
/* softhca_passage_whole: same for a range that is all of a message's use of the key. */
bool softhca_passage_whole(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			   uint64_t len);
bool softhca_passage_read(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			  void *buf, size_t len);
bool softhca_passage_write(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
			   const void *buf, size_t len);
/* softhca_passages_drop: drops the unfinished passages of a key that changes or is destroyed. */
void softhca_passages_drop(struct softhca_mkey *k);

#endif
