/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * /dev/infiniband/umadN: the device files through which libibumad sends and receives management
 * datagrams. What the interposed C library calls need; the devices themselves must be up.
 */
#ifndef SOFTHCA_UMAD_UMAD_H
#define SOFTHCA_UMAD_UMAD_H

/*
 * libibumad looks at the numbers 0 to 63 only. Ours end there, so that they are not those of a real
 * card: the last 32 are eight devices of four ports.
 */
#define UMAD_DEV_PREFIX	      "/dev/infiniband/umad"
#define UMAD_FIRST	      32
#define UMAD_PORTS_PER_DEVICE 4
#define UMAD_MAJOR	      231
#define UMAD_MINOR	      0 /* of number 0, as in Linux */
#define UMAD_ABI_VERSION      "5"

#endif /* SOFTHCA_UMAD_UMAD_H */
