/* SPDX-License-Identifier: BSD-2-Clause */
/* Doorbell pages: stores into them (uar.c), and the choice of those to read (doorbell_scan.c). */
#ifndef SOFTHCA_UAR_H
#define SOFTHCA_UAR_H

#include <stdbool.h>
#include <stdint.h>

#define SOFTHCA_UAR_BF	 256u /* bytes of one BlueFlame register */
#define SOFTHCA_UAR_REGS 4u   /* of them on a page */

/* Blocks of the longest send queue without a doorbell record. */
#define SOFTHCA_NO_RECORD_MAX (1u << 14)

struct softhca_dev;
struct softhca_qp;
struct softhca_uar;

/* Content of the ring at a register's last doorbell, to compare BlueFlame copies (uar.c). */
struct softhca_blueflame {
	uint32_t qpn;
	uint16_t index;
	unsigned int len;
	uint8_t copy[SOFTHCA_UAR_BF];
};

/* Sets of pages that a device checks. */
enum softhca_page_set {
	SOFTHCA_PAGES_ALL,
	SOFTHCA_PAGES_ARM, /* completion queues are armed there */
	SOFTHCA_PAGE_SETS,
};

struct softhca_uar {
	struct softhca_dev *dev;
	void *page; /* the device's own mapping of the page */
	uint32_t page_id;
	unsigned users;		/* QPs and CQs created with it */
	unsigned cqs;		/* CQs among them */
	struct softhca_qp *qps; /* ring of the QPs created with it, through qp->uar_next */
	unsigned num_qps, unseen; /* unseen: of those QPs still to check since a doorbell */
	unsigned silent;	  /* of those QPs: the ones without notifications, see uar.c */
	uint64_t spared_scan;	  /* dev->look.scans when the others were last skipped */
	bool no_record;		/* one of its QPs has no doorbell record */
	bool trapped;		/* the front calls softhca_uar_scan() after each store */
	bool busy;		/* is in the device's look.busy */
	unsigned storing;	/* trap mode: threads inside of a store to it */
	unsigned place[SOFTHCA_PAGE_SETS];
	struct softhca_blueflame bf[SOFTHCA_UAR_REGS];
};

/* softhca_uar_poll: like softhca_uar_scan(), for the polling thread, which may see an incomplete
 * BlueFlame copy. */
int softhca_uar_poll(struct softhca_uar *uar);
/* softhca_uar_rung: same, for a queue pair with a page, after a notification of its thread. */
void softhca_uar_rung(struct softhca_qp *qp);
/* softhca_uar_look_for: like softhca_uar_rung, for the queue pair of a command or a finding.
 * Another queue's doorbell may have replaced its own since all were last checked. */
void softhca_uar_look_for(struct softhca_qp *qp);
/* softhca_uar_rest, softhca_arm_rest: check more of the queues with a doorbell, or arm, that
 * another one may have replaced. They return whether there were any. */
bool softhca_uar_rest(struct softhca_uar *uar);
bool softhca_arm_rest(struct softhca_dev *dev);
/* Queue pairs of a page, and its completion queues. */
void softhca_uar_add(struct softhca_uar *uar, struct softhca_qp *qp);
void softhca_uar_remove(struct softhca_uar *uar, struct softhca_qp *qp);
void softhca_uar_add_cq(struct softhca_uar *uar);
void softhca_uar_remove_cq(struct softhca_uar *uar);

/* ---- choice of the pages to check (doorbell_scan.c) ---- */

#define SOFTHCA_BUSY_PAGES 32u

struct softhca_pages {
	struct softhca_uar **uar;
	unsigned n, at; /* at: the next one to check */
};

struct softhca_look {
	struct softhca_pages set[SOFTHCA_PAGE_SETS];
	unsigned room; /* of each set */
	unsigned trapped;
	/* Pages with recent doorbells, which are checked in each turn. */
	struct softhca_uar *busy[SOFTHCA_BUSY_PAGES];
	unsigned next_busy;
	uint64_t last_ns;
	/* number of times that all queue pairs were checked for a missing doorbell, plus one */
	uint64_t scans;
	uint64_t queues; /* queue pairs that were checked because of others' doorbells */
};

/* softhca_look_add: 0 or -ENOMEM. */
int softhca_look_add(struct softhca_uar *uar);
void softhca_look_remove(struct softhca_uar *uar);
void softhca_look_fini(struct softhca_look *look);
/* softhca_look: checks the pages that are due in this turn, and returns the number of doorbells. */
int softhca_look(struct softhca_dev *dev, bool skip_trapped, uint64_t now_ns);
/* softhca_look_rung: the queue pair has rung. softhca_look_armed: a CQ was armed. */
void softhca_look_rung(uint32_t qpn);
void softhca_look_armed(void);
/* softhca_look_again: the page had doorbells, or may have more. */
void softhca_look_again(struct softhca_uar *uar);
/* softhca_look_open: number of pages with stores that only polling sees. */
unsigned softhca_look_open(const struct softhca_dev *dev, bool skip_trapped);

#endif
