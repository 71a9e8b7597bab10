/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files that run commands: cmd.c and query.c. */
#ifndef SOFTHCA_RDMACM_CMD_H
#define SOFTHCA_RDMACM_CMD_H

#include <rdma/rdma_user_cm.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/rdmacm/file.h"

#define UNTIL(s, f) offsetof(struct s, f)

/* One command: the place of its request in the program, its length, the room for the answer. */
struct cmd {
	struct rcm_file *file;
	uint64_t in;
	uint16_t in_len, out_len;
	/* The request, unless old programs bring a shorter one. */
	union {
		struct rdma_ucm_create_id create_id;
		struct rdma_ucm_destroy_id destroy_id;
		struct rdma_ucm_bind_ip bind_ip;
		struct rdma_ucm_bind bind;
		struct rdma_ucm_resolve_ip resolve_ip;
		struct rdma_ucm_resolve_addr resolve_addr;
		struct rdma_ucm_resolve_route resolve_route;
		struct rdma_ucm_listen listen;
		struct rdma_ucm_reject reject;
		struct rdma_ucm_disconnect disconnect;
		struct rdma_ucm_init_qp_attr init_qp_attr;
		struct rdma_ucm_notify notify;
		struct rdma_ucm_set_option set_option;
		struct rdma_ucm_join_ip_mcast join_ip_mcast;
		struct rdma_ucm_join_mcast join_mcast;
		struct rdma_ucm_migrate_id migrate_id;
	} req;
};

static inline int get_request(const struct cmd *c, void *req, size_t len)
{
	/* Like the kernel, which uses the structure's size rather than the length. */
	return softhca_copy_in(req, c->in, len);
}

static inline int put_response(uint64_t va, const void *resp, size_t len)
{
	return softhca_copy_out(va, resp, len);
}

static inline size_t at_most(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- query.c ---- */

int rcm_query_route(struct cmd *c);
int rcm_query(struct cmd *c);
/* Takes one record of RDMA_OPTION_IB_PATH. False: not the primary path. */
bool rcm_take_path(const struct ib_path_rec_data *data, struct rcm_path *path);

#endif /* SOFTHCA_RDMACM_CMD_H */
