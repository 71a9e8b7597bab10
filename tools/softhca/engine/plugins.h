/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of the device that not every program needs, as tables of functions. A plug-in sets its
 * pointer from a constructor; where it is not linked the pointer is NULL, and what would need it
 * fails as on a card without that feature. The core knows nothing else of them.
 *
 * Why they are archives, and not loaded on demand: dlopen() was tried in three ways.
 *  - As it is. A plug-in needs 35 or more functions of the core. The preloaded library hides them
 *    from programs, so that a program's own functions never bind to ours: "undefined symbol:
 *    softhca_gsi_unregister".
 *  - With the core's functions exported, from the preloaded library or one that it needs. In the
 *    program's global scope they replace the program's own functions of the same name. That was a
 *    bug once, and exports_test guards against it. Passing the plug-in a table of the core's
 *    functions needs a stub for each, written twice.
 *  - On first use. Signatures are first needed when a request is executed, raw packets in a
 *    command, management datagrams when a packet arrives: under the device's lock, in trap mode in
 *    a signal handler, where dlopen() is not allowed. dlopen() takes the dynamic linker's lock. A
 *    program that loads a library whose constructor opens a device takes the two locks in the other
 *    order: two threads that do only these two things deadlock within the first turns.
 * Loading all at start would save nothing: the four are 116 KB of text, untouched unless used.
 */
#ifndef SOFTHCA_PLUGINS_H
#define SOFTHCA_PLUGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct softhca_access;
struct softhca_ctrl;
struct softhca_dev;
struct softhca_mkey;
struct softhca_msg;
struct softhca_pkt;
struct softhca_port;
struct softhca_qp;

/* Raw packets and steering (raw/). */
struct softhca_raw_plugin {
	/* ready: may the next frame be sent, or is a receiver of the last one full? */
	bool (*ready)(const struct softhca_qp *qp);
	/* send: one frame, or with TSO many; the syndrome. */
	int (*send)(struct softhca_qp *qp, struct softhca_msg *msg);
	/* wanted: does a port have rules at all? */
	bool (*wanted)(const struct softhca_port *port);
	/* receive: a packet with an Ethernet frame came, to the port or to everybody. */
	void (*receive)(struct softhca_port *port, const struct softhca_pkt *pkt);
	/* run: frames that wait; *next: at most when the next is due. Returns how many went on. */
	int (*run)(struct softhca_dev *dev, uint64_t now, uint64_t *next);
	/* forget: the device goes, with its rules, tables, and frames that wait. */
	void (*forget)(struct softhca_dev *dev);
};

/* Signatures and crypto on the way to and from memory (offload/). */
struct softhca_offload_plugin {
	/* check, read, write: as softhca_mem_check() and so on, through a key that has such
	 * settings. False: reported and refused. */
	bool (*check)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
		      uint64_t len);
	bool (*read)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va, void *buf,
		     size_t len);
	bool (*write)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
		      const void *buf, size_t len);
	/* whole: as check; and may that be all that a message has of the key? */
	bool (*whole)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
		      uint64_t len);
	/* set: gives a key the settings of `octowords` 16-byte units of a UMR; the syndrome. */
	int (*set)(struct softhca_qp *qp, struct softhca_mkey *k, const uint8_t *raw,
		   unsigned octowords);
	/* drop: what is under way through a key: it changes or goes. unset: its settings, too. */
	void (*drop)(struct softhca_mkey *k);
	void (*unset)(struct softhca_mkey *k);
	/* psv: SET_PSV, GET_PSV, CHECK_PSV; the syndrome. */
	int (*psv)(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
	/* forget: the device goes, with its signature values, keys and logins. */
	void (*forget)(struct softhca_dev *dev);
};

#endif
