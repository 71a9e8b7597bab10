/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Optional parts of the device, as tables of functions. A plug-in sets its pointer from a
 * constructor. If it is not linked, the pointer is NULL, and requests that need it fail as on a
 * card without that feature. The core knows nothing else of plug-ins.
 *
 * They are archives, and not loaded on demand, because three ways of dlopen() have failed:
 *  - Unchanged. A plug-in needs 35 or more functions of the core. The preloaded library hides them
 *    from programs, so that a program's own functions never bind to ours: "undefined symbol:
 *    softhca_gsi_unregister".
 *  - With the core's functions exported, from the preloaded library or one that it needs. In the
 *    program's global scope they replace the program's own functions of the same name. That was a
 *    bug once, and exports_test guards against it. Passing the plug-in a table of the core's
 *    functions needs a stub for each, written twice.
 *  - On first use. Signatures are first needed when a request is executed, raw packets in a
 *    command, management datagrams when a packet arrives. This is under the device's lock, in trap
 *    mode in a signal handler, where dlopen() is not allowed. dlopen() takes the dynamic linker's
 *    lock. A library's constructor may open a device, which takes the two locks in the other
 *    order. Two threads that do only these two things deadlock within the first turns.
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
	/* ready: whether the next frame may be sent, or a receiver of the last one is full. */
	bool (*ready)(const struct softhca_qp *qp);
	/* send: sends one frame, or many with TSO, and returns the syndrome. */
	int (*send)(struct softhca_qp *qp, struct softhca_msg *msg);
	/* wanted: whether a port has any rules. */
	bool (*wanted)(const struct softhca_port *port);
	/* receive: handles a packet with an Ethernet frame, to the port or to all ports. */
	void (*receive)(struct softhca_port *port, const struct softhca_pkt *pkt);
	/* run: sends waiting frames, and returns their number. Lowers *next to the next time. */
	int (*run)(struct softhca_dev *dev, uint64_t now, uint64_t *next);
	/* forget: frees the rules, tables and waiting frames of a device that is destroyed. */
	void (*forget)(struct softhca_dev *dev);
};

/* Signatures and crypto on the way to and from memory (offload/). */
struct softhca_offload_plugin {
	/* check, read, write: like softhca_mem_check() and so on, through a key with such settings.
	 * False: reported and refused. */
	bool (*check)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
		      uint64_t len);
	bool (*read)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va, void *buf,
		     size_t len);
	bool (*write)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
		      const void *buf, size_t len);
	/* whole: like check, for a range that is all of a message's use of the key. */
	bool (*whole)(const struct softhca_access *a, struct softhca_mkey *k, uint64_t va,
		      uint64_t len);
	/* set: gives a key `octowords` 16-byte units of a UMR's settings. Returns the syndrome. */
	int (*set)(struct softhca_qp *qp, struct softhca_mkey *k, const uint8_t *raw,
		   unsigned octowords);
	/* drop: drops a key's unfinished transfers before it changes. unset: also its settings. */
	void (*drop)(struct softhca_mkey *k);
	void (*unset)(struct softhca_mkey *k);
	/* psv: executes SET_PSV, GET_PSV and CHECK_PSV, and returns the syndrome. */
	int (*psv)(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw);
	/* forget: frees the signature values, keys and logins of a device that is destroyed. */
	void (*forget)(struct softhca_dev *dev);
};

#endif
