/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Commands in one form.
 *
 * A verb reaches the kernel as write(), as the write command wrapped in an ioctl, or as an ioctl
 * method of its own. The first two become a struct uv_cmd, the last a struct uv_ioctl. Pointers in
 * them are the application's. Only the helpers here follow them, and a bad one yields -EFAULT.
 */
#ifndef SOFTHCA_UVERBS_CMD_H
#define SOFTHCA_UVERBS_CMD_H

#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uv_file;

/* A span of application memory. */
struct uv_span {
	uint64_t addr;
	size_t len;
};

struct uv_cmd {
	struct uv_file *file;
	struct uv_span in, out;		/* core */
	struct uv_span drv_in, drv_out; /* the driver's part (struct mlx5_ib_*) */
};

/* Copies from and to application memory: 0 or -EFAULT. */
int uv_copy_in(void *dst, uint64_t src, size_t len);
int uv_copy_out(uint64_t dst, const void *src, size_t len);

/*
 * Reads a request. A shorter one is zero-extended. A longer one is accepted only if the unknown
 * tail is zero (-EOPNOTSUPP otherwise), as in the kernel for forward compatibility.
 */
int uv_request(const struct uv_cmd *c, void *req, size_t len);

/* Writes the response up to the caller's size, and zeroes the rest of the caller's room. */
int uv_respond(const struct uv_cmd *c, const void *resp, size_t len);

/* The same for the driver's part. uv_drv_in() refuses fewer than `min` bytes with -EINVAL. */
int uv_drv_in(const struct uv_cmd *c, void *req, size_t min, size_t len);
int uv_drv_out(const struct uv_cmd *c, const void *resp, size_t len);

/* One write command (`id` may carry IB_USER_VERBS_CMD_FLAG_EXTENDED). Returns 0 or -errno. */
int uv_cmd_run(struct uv_cmd *c, uint32_t id);

/* With --verbose: reports a failed command on stderr, with the engine's reason if any. */
void uv_log_failure(const char *command, int err);

/* write() on the device file, as used by libibverbs before the ioctl interface. */
ssize_t uv_cmd_write(struct uv_file *f, const void *buf, size_t len);

/* ioctl methods */
struct uv_ioctl {
	struct uv_file *file;
	uint16_t object, method;
	unsigned int num_attrs;
	uint64_t user_attrs; /* address of the attributes in the application */
	struct ib_uverbs_attr attrs[64];
};

int uv_ioctl_run(struct uv_file *f, uint64_t hdr_addr);
/* True for device memory, which a forked child shares without a device of its own. */
bool uv_ioctl_is_shared(uint64_t hdr_addr);

/* Attribute access. A missing mandatory attribute is the caller's -EINVAL. */
struct ib_uverbs_attr *uv_attr(struct uv_ioctl *io, uint16_t id);
int uv_attr_u64(struct uv_ioctl *io, uint16_t id, uint64_t *value);
int uv_attr_handle(struct uv_ioctl *io, uint16_t id, uint32_t *handle);
/* Copies up to `len` bytes of an input attribute (inline or by pointer), zero-extending. */
int uv_attr_in(struct uv_ioctl *io, uint16_t id, void *buf, size_t len);
/* The span of a pointer attribute. Inline data has no span. */
struct uv_span uv_attr_span(struct uv_ioctl *io, uint16_t id);
/* Writes an output attribute and marks it valid. An absent one is skipped. */
int uv_attr_out(struct uv_ioctl *io, uint16_t id, const void *buf, size_t len);
/* Returns an object handle or an fd in the attribute itself. */
int uv_attr_set(struct uv_ioctl *io, uint16_t id, uint64_t value);

/* Marks an output attribute as written, for callers that write it by its span. */
int uv_attr_mark_valid(struct uv_ioctl *io, struct ib_uverbs_attr *a);

/* Creation and destruction of CQ, SRQ and QP, in ioctl_verbs.c. */
int uv_ioctl_verbs(struct uv_ioctl *io);

/* Memory regions and device memory, in ioctl_mr.c. */
int uv_ioctl_mr(struct uv_ioctl *io);
int uv_ioctl_dm(struct uv_ioctl *io);

/* Regions of DMA buffers, in ioctl_dmabuf.c. */
int uv_ioctl_reg_dmabuf(struct uv_ioctl *io);

/* mlx5dv's matchers and rules, in ioctl_flow.c. */
int uv_ioctl_matcher(struct uv_ioctl *io);
int uv_ioctl_flow(struct uv_ioctl *io);

/* Packet pacing entries, VAR pages, mlx5dv_query_port(), in ioctl_pp.c. */
int uv_ioctl_pp(struct uv_ioctl *io);
int uv_ioctl_var(struct uv_ioctl *io);
int uv_ioctl_query_port(struct uv_ioctl *io);

/* Driver methods, in ioctl_mlx5.c. -EPROTONOSUPPORT for those that are not modelled. */
int uv_ioctl_mlx5(struct uv_ioctl *io);

#endif /* SOFTHCA_UVERBS_CMD_H */
