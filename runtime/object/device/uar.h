/* SPDX-License-Identifier: BSD-2-Clause */
/* The BlueFlame registers of this process that Segue's send queues ring. */
#ifndef SEGUE_RUNTIME_OBJECT_UAR_H
#define SEGUE_RUNTIME_OBJECT_UAR_H

#include <stdbool.h>

struct seguei_uar;

/*
 * Adds a send queue to the register's users. `dedicated` means that all users ever belong to one
 * thread. NULL with a sentence kept if there is no memory. Queue pairs of others are not counted,
 * so this is not for registers that libmlx5 also rings.
 */
struct seguei_uar *seguei_uar_join(void *reg, bool dedicated);
void seguei_uar_leave(struct seguei_uar *uar);

/*
 * False if the user has disabled copies: MLX5_SHUT_UP_BF. Source: rdma-core providers/mlx5/mlx5.c,
 * get_shut_up_bf().
 */
bool seguei_uar_copies_wanted(void);

#endif
