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

/* Piece of a region with pages that are no longer where they were registered. */
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
	uint64_t start, len;	     /* addresses that the key stands for */
	uint64_t base;		     /* MR: process address of `start` */
	bool pinned;		     /* MR: it keeps its pages */
	struct softhca_stale *stale; /* pieces that are elsewhere now */
	bool free;		     /* unusable until UMR or a bind makes it valid */
	bool umr_en;
	uint32_t qpn;		     /* type 2 window: its QP. 0xffffff: any */
	unsigned refs;		     /* windows bound to it */
	struct softhca_mkey *parent; /* window: its region */
	/* indirect */
	struct softhca_klm *klm;
	uint32_t nklms, max_klms;
	uint32_t bsf_room; /* for signature and crypto settings, in units of 16 bytes */
	bool crypto;
	bool bsf_on;		 /* they apply */
	struct softhca_bsf *bsf; /* NULL: none were set */
	/* signature errors reported, and parity of the next one that may be reported */
	uint8_t sig_errors;
	uint8_t sig_expected;
	struct softhca_passage *passages;
	uint8_t ksm_shift; /* != 0: all entries are 1 << ksm_shift bytes */
	struct softhca_strided *strided;
	uint32_t nstrided, repeats;
};

int softhca_null_key_create(struct softhca_dev *dev);
int softhca_mkey_set_klms(struct softhca_mkey *mkey, const struct softhca_klm *klms, uint32_t n);
/* Checks the content of a key by offset, without signature and crypto. False: reported. */
bool softhca_key_check(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		       uint64_t len);
bool softhca_key_read(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		      void *buf, size_t len);
bool softhca_key_write(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		       const void *buf, size_t len);
void softhca_mw_unbind(struct softhca_mkey *mw);

/* ---- pin.c: pinning ---- */

/* Returns whether a key with these rights pins memory for writing. */
bool softhca_pin_writes(uint32_t access);
/* Checks that a range can be pinned: 0 or -EFAULT. */
int softhca_pin_check(uint64_t va, uint64_t len, uint32_t access);
/*
 * softhca_pin_limit: checks RLIMIT_MEMLOCK: 0 or -ENOMEM. The whole pages of each registration of
 * the process count, however they overlap (Linux, drivers/infiniband/core/umem.c, ib_umem_get()).
 * `instead` is the registration that this one replaces.
 */
int softhca_pin_limit(const struct softhca_dev *dev, const struct softhca_mkey *instead,
		      uint64_t va, uint64_t len);
/* Writes memory that was made read-only after it was registered: 0 or -EFAULT. */
int softhca_pin_write(uint64_t va, const void *src, size_t len);
/* softhca_pin_private: returns whether some of this is a private mapping. */
bool softhca_pin_private(uint64_t at, uint64_t end);

/* ---- stale_pages.c: moved pages of a region ---- */

/* softhca_pin, softhca_unpin: a region begins, and a region ends or is about to change. */
void softhca_pin(struct softhca_mkey *k);
void softhca_unpin(struct softhca_mkey *k);
/* softhca_stale_at: finds the present place of the first bytes of [va, va + len), and the length of
 * that piece. True if it differs from the registered place. */
bool softhca_stale_at(const struct softhca_mkey *k, uint64_t *va, uint64_t *len);

/* ---- state of this part for the process, all zero at first because of its size ---- */

#define SOFTHCA_COPY_OWNERS 4
#define SOFTHCA_CHUNKS	    4096u /* places; several chunks of memory share one */
#define SOFTHCA_LINES	    32768u

extern struct the_memory {
	void (*owners[SOFTHCA_COPY_OWNERS])(int, void *, void *);
	int nowners;
	bool fast;	      /* the installed handler is one of owners[] */
	unsigned int changes; /* of signals, as far as they are noticed */
	struct sigaction old_segv, old_bus;
	uint8_t variant;   /* of the last key */
	uint64_t pinnable; /* bytes. 0: not asked yet */
	/* Number of registered ranges in a chunk. It is read without the lock. */
	uint32_t chunks[SOFTHCA_CHUNKS];
	/* Recent writes of the device, by lines. Each line has the number of the last write to it,
	 * or to a line that shares its place. */
	bool watching;
	uint32_t writes, wrote[SOFTHCA_LINES];
} the_memory __attribute__((visibility("hidden")));

#endif
