/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory keys: shared by mem.c (life cycle), access.c (translation) and local.c (UMR, windows). */
#ifndef SOFTHCA_MEM_H
#define SOFTHCA_MEM_H

#include <signal.h>

#include "tools/softhca/engine/access.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/scheduler.h"

#define SOFTHCA_MAX_KLMS 65536u

enum softhca_key_kind {
	SOFTHCA_KEY_MR,	      /* one range of process memory */
	SOFTHCA_KEY_MW1,      /* a window, usable by every QP of its PD */
	SOFTHCA_KEY_MW2,      /* a window of one QP */
	SOFTHCA_KEY_INDIRECT, /* a list of ranges of other keys */
	SOFTHCA_KEY_NULL,
};

/* One part of an interleaved layout: `count` bytes at va, va + stride, ... */
struct softhca_strided {
	uint64_t va;
	uint32_t key;
	uint16_t count, stride;
};

struct softhca_kept;

/* A piece of a region whose pages are no more where they were registered. */
struct softhca_stale {
	struct softhca_stale *next;
	uint64_t from, len, to;
	struct softhca_kept *kept; /* NULL: the program has moved them */
};

struct softhca_mkey {
	struct softhca_dev *dev;
	struct softhca_pd *pd; /* NULL: the null key */
	uint32_t key;
	enum softhca_key_kind kind;
	uint32_t access;	     /* IBV_ACCESS_* */
	uint64_t start, len;	     /* the addresses the key stands for */
	uint64_t base;		     /* MR: process address of `start` */
	bool pinned;		     /* MR: it keeps its pages */
	struct softhca_stale *stale; /* those of them that are elsewhere by now */
	bool free;		     /* cannot be used until UMR or a bind makes it valid */
	bool umr_en;
	bool zero_based;	     /* windows */
	uint32_t qpn;		     /* type 2 window: its QP; 0xffffff: any */
	unsigned refs;		     /* windows bound to it */
	struct softhca_mkey *parent; /* window: the region behind it */
	/* indirect */
	struct softhca_klm *klm;
	uint32_t nklms, max_klms;
	uint32_t bsf_room; /* of signature and crypto settings, in units of 16 bytes */
	bool crypto;
	bool bsf_on;		 /* they apply */
	struct softhca_bsf *bsf; /* NULL: none were set */
	/* signature errors reported, and the parity of the next one that may be */
	uint8_t sig_errors;
	uint8_t sig_expected;
	struct softhca_passage *passages;
	uint8_t ksm_shift; /* != 0: all entries are 1 << ksm_shift bytes */
	struct softhca_strided *strided;
	uint32_t nstrided, repeats;
};

int softhca_null_key_create(struct softhca_dev *dev);
int softhca_mkey_set_klms(struct softhca_mkey *mkey, const struct softhca_klm *klms, uint32_t n);
/* Behind a key, by offset from its start, without signature and crypto. False: reported. */
bool softhca_key_check(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		       uint64_t len);
bool softhca_key_read(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		      void *buf, size_t len);
bool softhca_key_write(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		       const void *buf, size_t len);
void softhca_mw_unbind(struct softhca_mkey *mw);

/* ---- pin.c: what pinning means ---- */

/* Is memory pinned for writing, if a key gives these rights? */
bool softhca_pin_writes(uint32_t access);
/* What pinning a range answers: 0 or -EFAULT. */
int softhca_pin_check(uint64_t va, uint64_t len, uint32_t access);
/*
 * softhca_pin_limit: what RLIMIT_MEMLOCK answers: 0 or -ENOMEM. Of each registration of the process
 * whole pages count, however they overlap (Linux, drivers/infiniband/core/umem.c, ib_umem_get()).
 * `instead`: the one that this takes the place of.
 */
int softhca_pin_limit(const struct softhca_dev *dev, const struct softhca_mkey *instead,
		      uint64_t va, uint64_t len);
/* Writes memory that was made read-only after it was registered: 0 or -EFAULT. */
int softhca_pin_write(uint64_t va, const void *src, size_t len);
/* softhca_pin_private: is some of this a private mapping? */
bool softhca_pin_private(uint64_t at, uint64_t end);

/* ---- stale.c: what becomes of the pages of a region ---- */

/* softhca_pin, softhca_unpin: a region begins and ends, or is about to be another one. */
void softhca_pin(struct softhca_mkey *k);
void softhca_unpin(struct softhca_mkey *k);
/* softhca_stale_at: where the first bytes of [va, va + len) are by now, and how many in one piece.
 * True: elsewhere than registered. */
bool softhca_stale_at(const struct softhca_mkey *k, uint64_t *va, uint64_t *len);

/* ---- what this part keeps for the process; all zero at first, for its size ---- */

#define SOFTHCA_COPY_OWNERS 4
#define SOFTHCA_CHUNKS	    4096u /* places; several chunks of memory share one */
#define SOFTHCA_LINES	    32768u

extern struct the_memory {
	void (*owners[SOFTHCA_COPY_OWNERS])(int, void *, void *);
	int nowners;
	bool fast;	      /* the installed handler is one of owners[] */
	unsigned int changes; /* of signals, as far as we hear of them */
	struct sigaction old_segv, old_bus;
	uint8_t variant;   /* of the last key */
	uint64_t pinnable; /* bytes; 0: not asked yet */
	/* How many registered ranges there are in a chunk; read without the lock. */
	uint32_t chunks[SOFTHCA_CHUNKS];
	/* What the device has written lately, by lines: each has the number of the last write to
	 * it, or to one that shares its place. */
	bool watching;
	uint32_t writes, wrote[SOFTHCA_LINES];
} the_memory __attribute__((visibility("hidden")));

#endif
