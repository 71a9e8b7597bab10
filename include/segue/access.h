/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Access rights of memory, and of peers through a queue pair.
 *
 * Verbs' own flags (IBV_ACCESS_…, enum segue_access_flags) and the rights in a key context (enum
 * segue_mkey_access) are bits of one byte with different meanings: the bit that lets peers write in
 * one makes addresses count from zero in the other. The rights here are verbs' flags, moved out of
 * that byte. Segue refuses verbs' flags, with a sentence, where it expects these rights. These
 * rights do not fit into a key context, and compilers warn of that by default.
 *
 * Source: ibv_reg_mr(3), ibv_modify_qp(3).
 */
#ifndef SEGUE_ACCESS_H
#define SEGUE_ACCESS_H

#include "segue/gen/enums.h"

#include "segue/detail/begin.h"

/* A right is verbs' flag, shifted left by this number of bits. */
#define SEGUEI_ACCESS_SHIFT 8

/**
 * Access rights of a memory region, or of a peer through a queue pair. enum segue_access_flags
 * describes each right.
 */
enum segue_access {
	SEGUE_ACCESS_LOCAL_WRITE = SEGUE_ACCESS_FLAGS_LOCAL_WRITE << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_REMOTE_WRITE = SEGUE_ACCESS_FLAGS_REMOTE_WRITE << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_REMOTE_READ = SEGUE_ACCESS_FLAGS_REMOTE_READ << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_REMOTE_ATOMIC = SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_MW_BIND = SEGUE_ACCESS_FLAGS_MW_BIND << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_ZERO_BASED = SEGUE_ACCESS_FLAGS_ZERO_BASED << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_ON_DEMAND = SEGUE_ACCESS_FLAGS_ON_DEMAND << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_HUGETLB = SEGUE_ACCESS_FLAGS_HUGETLB << SEGUEI_ACCESS_SHIFT,
	SEGUE_ACCESS_RELAXED_ORDERING = SEGUE_ACCESS_FLAGS_RELAXED_ORDERING << SEGUEI_ACCESS_SHIFT,
};

#include "segue/detail/end.h"

#endif
