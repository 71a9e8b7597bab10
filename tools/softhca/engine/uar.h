/* SPDX-License-Identifier: BSD-2-Clause */
/* Doorbell pages: stores into them (uar.c), and which of them are read when (doorbell_scan.c). */
#ifndef SOFTHCA_UAR_H
#define SOFTHCA_UAR_H

#include <stdbool.h>
#include <stdint.h>

#define SOFTHCA_UAR_BF	 256u /* bytes of one BlueFlame register */
#define SOFTHCA_UAR_REGS 4u   /* of them on a page */

struct softhca_dev;
struct softhca_qp;
struct softhca_uar;

/* What the ring held when a register was last rung, to compare a BlueFlame copy with: see uar.c. */
struct softhca_blueflame {
	uint32_t qpn;
	uint16_t index;
	unsigned int len;
	uint8_t copy[SOFTHCA_UAR_BF];
};

/* Sets of pages that a device looks at. */
enum softhca_page_set {
	SOFTHCA_PAGES_ALL,
	SOFTHCA_PAGES_ARM, /* completion queues are armed there */
	SOFTHCA_PAGE_SETS,
};

struct softhca_uar {
	struct softhca_dev *dev;
	void *page; /* the device's alias */
	uint32_t page_id;
	unsigned users;		/* QPs and CQs created with it */
	unsigned cqs;		/* CQs among them */
	struct softhca_qp *qps; /* ring of those created with it, through qp->uar_next */
	unsigned num_qps, unseen; /* unseen: of them still to be looked at since a doorbell */
	unsigned silent;	  /* of them: those that ring and do not say so, see uar.c */
	uint64_t spared_scan;	  /* dev->look.scans when the others were last not looked at */
	bool trapped;		/* the front calls softhca_uar_scan() after each store */
	bool busy;		/* is in the device's look.busy */
	unsigned storing;	/* trap mode: threads inside of a store to it */
	unsigned place[SOFTHCA_PAGE_SETS];
	struct softhca_blueflame bf[SOFTHCA_UAR_REGS];
};

/* softhca_uar_poll: as softhca_uar_scan(), for the polling thread, where a BlueFlame copy may be
 * seen half done. */
int softhca_uar_poll(struct softhca_uar *uar);
/* softhca_uar_rung: the same, for a queue pair with a page, whose thread says that it has rung. */
void softhca_uar_rung(struct softhca_qp *qp);
/* softhca_uar_look_for: the same, for a queue pair that a command or a finding is about, whose
 * doorbell another one's may have replaced since this was last asked of all. */
void softhca_uar_look_for(struct softhca_qp *qp);
/* softhca_uar_rest, softhca_arm_rest: looks at some more of the queues whose doorbell, or arm,
 * another one's may have replaced; whether there were any. */
bool softhca_uar_rest(struct softhca_uar *uar);
bool softhca_arm_rest(struct softhca_dev *dev);
/* The queue pairs of a page, and its completion queues. */
void softhca_uar_add(struct softhca_uar *uar, struct softhca_qp *qp);
void softhca_uar_remove(struct softhca_uar *uar, struct softhca_qp *qp);
void softhca_uar_add_cq(struct softhca_uar *uar);
void softhca_uar_remove_cq(struct softhca_uar *uar);

/* ---- which pages are looked at (doorbell_scan.c) ---- */

#define SOFTHCA_BUSY_PAGES 32u

struct softhca_pages {
	struct softhca_uar **uar;
	unsigned n, at; /* at: the next one to be looked at */
};

struct softhca_look {
	struct softhca_pages set[SOFTHCA_PAGE_SETS];
	unsigned room; /* of each set */
	unsigned trapped;
	/* Where something was found lately: looked at in each turn. */
	struct softhca_uar *busy[SOFTHCA_BUSY_PAGES];
	unsigned next_busy;
	uint64_t last_ns;
	/* how often all queue pairs were asked whether a doorbell is missing, plus one */
	uint64_t scans;
	uint64_t queues; /* queue pairs that were looked at for doorbells of others */
};

/* softhca_look_add: 0 or -ENOMEM. */
int softhca_look_add(struct softhca_uar *uar);
void softhca_look_remove(struct softhca_uar *uar);
void softhca_look_fini(struct softhca_look *look);
/* softhca_look: the pages that are due in this turn; how many doorbells there were. */
int softhca_look(struct softhca_dev *dev, bool skip_trapped, uint64_t now_ns);
/* softhca_look_rung: where the queue pair rings; softhca_look_armed: where a CQ is armed. */
void softhca_look_rung(uint32_t qpn);
void softhca_look_armed(void);
/* softhca_look_again: something was, or is still to be, found there. */
void softhca_look_again(struct softhca_uar *uar);
/* softhca_look_open: pages whose stores are seen by looking only. */
unsigned softhca_look_open(const struct softhca_dev *dev, bool skip_trapped);

#endif
