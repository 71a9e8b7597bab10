/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion channels and completion queues: opening, adopting, closing, arming and events.
 *
 * An adopted completion queue must be new and empty, because libmlx5 keeps its own consumer index
 * of it.
 */
#include "runtime/object/cq/cq.h"
#include "runtime/object/device/ring_domain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/ring/cq/geometry.h"
#include "segue/base.h"

struct segue_comp_channel {
	struct seguei_object object; /* first */
	struct ibv_comp_channel *channel;
	struct segue_device *device;
};

static int release_channel(struct seguei_object *object)
{
	const int ret = ibv_destroy_comp_channel(((struct segue_comp_channel *)object)->channel);

	return ret < 0 ? errno : ret;
}

static const struct seguei_kind channel_kind = {"completion channel", SEGUEI_RANK_CHANNEL,
						release_channel};

int segue_comp_channel_open(struct segue_device *device, struct segue_comp_channel **out)
{
	struct segue_comp_channel *channel;
	int ret, flags;

	ret = seguei_object_check((struct seguei_object *)device, &seguei_device_kind,
				  "segue_comp_channel_open()");
	if (ret)
		return ret;
	channel = seguei_object_alloc(sizeof(*channel), "Completion channel");
	if (!channel)
		return -ENOMEM;
	channel->device = device;
	channel->channel = ibv_create_comp_channel(device->context);
	if (!channel->channel) {
		ret = errno ? errno : EIO;
		goto err_free;
	}
	flags = fcntl(channel->channel->fd, F_GETFL);
	if (flags < 0 || fcntl(channel->channel->fd, F_SETFL, flags | O_NONBLOCK)) {
		ret = errno;
		goto err_destroy;
	}
	seguei_object_open(&channel->object, &channel_kind, &device->object,
			   seguei_key_of(channel->channel));
	channel->object.number = (uint32_t)channel->channel->fd;
	*out = channel;
	return 0;

err_destroy:
	ibv_destroy_comp_channel(channel->channel);
err_free:
	free(channel);
	return seguei_fail(ret, "No completion channel on %s: %s.", segue_device_name(device),
			   strerror(ret));
}

int segue_comp_channel_close(struct segue_comp_channel *channel)
{
	return seguei_object_close((struct seguei_object *)channel, &channel_kind);
}

int segue_comp_channel_fd(const struct segue_comp_channel *channel)
{
	return channel->channel->fd;
}

/*
 * The completion queue of an event, or NULL: an adopted one may be closed while its events wait.
 * The tree is locked, so that no thread closes the queue meanwhile.
 */
static struct segue_cq *take_event(const struct ibv_cq *verbs)
{
	struct seguei_object *found;
	struct segue_cq *cq = NULL;

	seguei_tree_lock();
	found = seguei_object_match(NULL, &seguei_cq_kind, seguei_key_of(verbs), NULL, NULL);
	if (found) {
		cq = &((struct seguei_cq_object *)found)->cq;
		segue_cq_ack_event(cq);
	}
	seguei_tree_unlock();
	return cq;
}

int segue_comp_channel_wait(struct segue_comp_channel *channel, segue_deadline deadline,
			    struct segue_cq **cq)
{
	struct pollfd fd = {.fd = channel->channel->fd, .events = POLLIN};
	struct ibv_cq *verbs;
	void *context;

	for (;;) {
		struct segue_cq *found;
		int ret;

		ret = poll(&fd, 1, segue_deadline_left_ms(deadline));
		if (ret < 0 && errno == EINTR)
			continue;
		if (ret < 0)
			return seguei_fail(errno, "Waiting for a completion event: %s.",
					   strerror(errno));
		if (!ret)
			return 0;
		if (ibv_get_cq_event(channel->channel, &verbs, &context)) {
			if (errno == EAGAIN || errno == EINTR)
				continue;
			return seguei_fail(errno, "A completion event cannot be read: %s.",
					   strerror(errno));
		}
		found = take_event(verbs);
		/*
		 * From here on another thread may close the queue, which waits for this
		 * acknowledgement.
		 */
		ibv_ack_cq_events(verbs, 1);
		if (!found)
			continue;
		*cq = found;
		return 1;
	}
}

/* Returns an error number. */
static int destroy(struct seguei_cq_object *cq)
{
	return cq->verbs ? ibv_destroy_cq(cq->verbs) : -seguei_devx_close(&cq->devx);
}

static int release_cq(struct seguei_object *object)
{
	struct seguei_cq_object *cq = (struct seguei_cq_object *)object;

	if (!cq->adopted) {
		const int ret = destroy(cq);

		if (ret && ret != EIO)
			return ret;
	}
	seguei_devx_give_back(&cq->devx, cq->rings);
	seguei_ring_domain_close(cq->rings);
	seguei_cq_budget_fini(&cq->budget);
	segue_cq_fini(&cq->cq);
	return 0;
}

const struct seguei_kind seguei_cq_kind = {"completion queue", SEGUEI_RANK_CQ, release_cq};

struct seguei_cq_object *seguei_cq_object_of(struct segue_cq *cq)
{
	return cq ? (struct seguei_cq_object *)((char *)cq - offsetof(struct seguei_cq_object, cq))
		  : NULL;
}

struct ibv_cq *seguei_cq_verbs_of(struct segue_cq *cq)
{
	return cq ? seguei_cq_object_of(cq)->verbs : NULL;
}

bool seguei_cq_by_command(struct segue_cq *cq)
{
	return cq && !seguei_cq_object_of(cq)->verbs;
}

int seguei_cq_need_kernel(struct segue_cq *cq, const char *whose)
{
	return seguei_cq_by_command(cq)
		       ? seguei_fail(ENOTSUP,
				     "%s: the kernel does not know completion queue 0x%x, which "
				     "was opened with compress_enhanced, collapsed or memory.",
				     whose, cq->cqn)
		       : 0;
}

static uint32_t format_of(const struct segue_cq_options *options)
{
	return options->compress_format ? options->compress_format : SEGUE_CQE_COMP_RES_FORMAT_HASH;
}

/* Sets the layout of compressed entries. False if the enum has no such format. */
static bool minis_of(const struct segue_cq_options *options, uint32_t *minis)
{
	static const struct {
		uint32_t format, minis;
	} all[] = {
		{SEGUE_CQE_COMP_RES_FORMAT_HASH, SEGUE_MINI_CQE_FORMAT_HASH},
		{SEGUE_CQE_COMP_RES_FORMAT_CSUM, SEGUE_MINI_CQE_FORMAT_CSUM},
		{SEGUE_CQE_COMP_RES_FORMAT_CSUM_STRIDX, SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].format != format_of(options))
			continue;
		if (minis)
			*minis = all[i].minis;
		return true;
	}
	return false;
}

const char *seguei_cq_command_option(const struct segue_cq_options *options)
{
	return options->collapsed	    ? "collapsed"
	       : options->compress_enhanced ? "compress_enhanced"
	       : options->memory	    ? "memory"
					    : NULL;
}

static int check_by_command(const struct segue_device *device,
			    const struct segue_cq_options *options)
{
	const struct segue_ring_memory *const memory = options->memory;
	const char *const with =
		options->channel      ? "channel; it is only polled"
		: options->timestamps ? "timestamps, which a queue of a raw command lacks"
		: options->grow	      ? "grow, but only the kernel resizes queues"
		: options->collapsed && options->compress ? "compress; it has one entry"
		: memory && (options->huge_pages || options->near_device)
			? "huge_pages or near_device, but its memory is the program's"
			: NULL;

	if (options->compress_enhanced && !device->caps.cqe_enhanced_compression)
		return seguei_fail(ENOTSUP,
				   "Completion queue: compress_enhanced is given, but %s has no "
				   "such blocks, or the kernel no DEVX to ask it.",
				   segue_device_name(device));
	if (options->compress_enhanced && !options->compress)
		return seguei_fail(
			EINVAL, "Completion queue: compress_enhanced is given without compress.");
	if (with)
		return seguei_fail(EINVAL, "Completion queue: %s is given together with %s.",
				   seguei_cq_command_option(options), with);
	if (memory && memory->lanes_only && !options->collapsed)
		return seguei_fail(EINVAL,
				   "Completion queue: memory is lanes_only, but collapsed is not "
				   "given; lanes alone read the queue.");
	return memory ? seguei_check_reserved(memory->reserved, "Completion queue: memory") : 0;
}

static int check_options(const struct segue_device *device, const struct segue_cq_options *options)
{
	if (seguei_check_reserved(options->reserved, "Completion queue"))
		return -EINVAL;
	if (!options->entries || options->entries > device->caps.max_cqe)
		return seguei_fail(EINVAL, "Completion queue: entries is %u, expected 1 to %u.",
				   options->entries, device->caps.max_cqe);
	if (options->cqe_size && options->cqe_size != SEGUE_CQE_SIZE &&
	    options->cqe_size != SEGUE_CQE_SIZE_128)
		return seguei_fail(EINVAL,
				   "Completion queue: cqe_size is %u, expected 64 or 128 bytes.",
				   options->cqe_size);
	if (options->vector >= (uint32_t)device->context->num_comp_vectors)
		return seguei_fail(EINVAL, "Completion queue: vector is %u, expected 0 to %d.",
				   options->vector, device->context->num_comp_vectors - 1);
	if (options->compress && !device->caps.cqe_compression)
		return seguei_fail(ENOTSUP, "Completion queue: %s cannot compress completions.",
				   segue_device_name(device));
	if (options->compress && options->cqe_size == SEGUE_CQE_SIZE_128 &&
	    !device->caps.cqe_128_compression)
		return seguei_fail(ENOTSUP,
				   "Completion queue: %s cannot compress completions of 128 bytes; "
				   "use a cqe_size of 64.",
				   segue_device_name(device));
	if (options->compress_format && !options->compress)
		return seguei_fail(EINVAL,
				   "Completion queue: compress_format is given without compress.");
	if (options->compress && !minis_of(options, NULL))
		return seguei_fail(EINVAL,
				   "Completion queue: compress_format is 0x%x, expected HASH, CSUM "
				   "or CSUM_STRIDX of enum segue_cqe_comp_res_format.",
				   options->compress_format);
	if (options->compress && !(device->caps.cqe_compression_formats & format_of(options)))
		return seguei_fail(ENOTSUP,
				   "Completion queue: %s does not compress in the format 0x%x, but "
				   "in those of 0x%x.",
				   segue_device_name(device), format_of(options),
				   device->caps.cqe_compression_formats);
	if (seguei_cq_command_option(options))
		return check_by_command(device, options);
	if (options->timestamps && !device->caps.timestamp_mask)
		return seguei_fail(
			ENOTSUP,
			"Completion queue: timestamps is given, but %s does not stamp completions.",
			segue_device_name(device));
	if (options->timestamps && options->compress)
		return seguei_fail(EINVAL,
				   "Completion queue: timestamps is given together with compress, "
				   "but the entries of a compressed block share one stamp.");
	if (options->grow && (options->compress || options->overcommit))
		return seguei_fail(EINVAL, "Completion queue: grow is given together with %s; %s.",
				   options->compress ? "compress" : "overcommit",
				   options->compress ? "one that compresses cannot be resized"
						     : "one that overcommits never needs to");
	return 0;
}

static struct ibv_cq *verbs_cq(struct segue_device *device, const struct segue_cq_options *options,
			       const struct seguei_ring_domain *rings)
{
	struct mlx5dv_cq_init_attr mlx5 = {0};
	struct ibv_cq_init_attr_ex attr = {0};
	struct ibv_cq_ex *cq;

	attr.cqe = seguei_cq_ample(device, options->entries);
	attr.channel = options->channel ? options->channel->channel : NULL;
	attr.comp_vector = options->vector;
	if (options->overrun_ignored) {
		attr.comp_mask |= IBV_CQ_INIT_ATTR_MASK_FLAGS;
		attr.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	}
	attr.wc_flags = options->timestamps ? IBV_WC_EX_WITH_COMPLETION_TIMESTAMP : 0;
	if (rings) {
		attr.comp_mask |= IBV_CQ_INIT_ATTR_MASK_PD;
		attr.parent_domain = rings->parent;
	}
	if (options->cqe_size) {
		mlx5.comp_mask |= MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE;
		mlx5.cqe_size = (uint16_t)options->cqe_size;
	}
	if (options->compress) {
		mlx5.comp_mask |= MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE;
		mlx5.cqe_comp_res_format = (uint8_t)format_of(options);
	}
	cq = mlx5dv_create_cq(device->context, &attr, &mlx5);
	return cq ? ibv_cq_ex_to_cq(cq) : NULL;
}

/* Creates the verbs object, and the source of its ring's memory. -errno with a sentence. */
static int create(struct seguei_cq_object *cq, struct segue_device *device,
		  const struct segue_cq_options *options, struct segue_cq_init_options *attr)
{
	const struct seguei_ring_place place = {
		.whose = "Completion queue",
		.device = device,
		.wish = {options->huge_pages, options->near_device},
	};
	int ret = seguei_ring_domain_open(&place, &cq->rings);
	int err;

	if (ret)
		return ret;
	if (seguei_cq_command_option(options))
		return seguei_cq_devx_create(cq, device, options, attr);
	cq->verbs = verbs_cq(device, options, cq->rings);
	if (cq->verbs)
		return 0;
	err = errno ? errno : EIO;
	ret = seguei_ring_domain_failure(cq->rings);
	return ret ? ret
		   : seguei_fail(err, "No completion queue of %u entries on %s: %s%s.",
				 options->entries, segue_device_name(device), strerror(err),
				 seguei_memlock_hint(err));
}

/* Completions that were written by the device and not yet polled. */
static uint32_t count_unpolled(const struct segue_cq *cq)
{
	uint32_t n = 0;

	while (n < cq->ring.cqe_cnt && seguei_cq_ring_is_new(&cq->ring, seguei_cq_ci(cq) + n))
		n++;
	return n;
}

/*
 * Starts at libmlx5's consumer index, which is in the doorbell record. libmlx5 has armed the queue
 * again after each acknowledged event. Source: rdma-core providers/mlx5/cq.c (update_cons_index(),
 * mlx5_arm_cq()), libibverbs/verbs.c (ibv_ack_cq_events()).
 */
static int take_over(struct seguei_cq_object *cq)
{
	const uint32_t unpolled = count_unpolled(&cq->cq);

	cq->cq.arm_sn = cq->verbs->comp_events_completed;
	if (!unpolled)
		return 0;
	segue_cq_fini(&cq->cq);
	return seguei_fail(EBUSY,
			   "segue_cq_adopt(): in completion queue 0x%x, %u completion%s of "
			   "requests that Segue has not posted; poll until it is empty, then "
			   "adopt it.",
			   cq->cq.cqn, unpolled, unpolled == 1 ? " waits" : "s wait");
}

/* Gets the memory of the verbs object. From here on libmlx5 does not touch the entries. */
static int ask_libmlx5(struct seguei_cq_object *cq, struct segue_cq_init_options *attr)
{
	struct mlx5dv_cq dv = {0};
	struct mlx5dv_obj obj = {.cq = {.in = cq->verbs, .out = &dv}};
	int ret;

	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ);
	if (ret)
		return seguei_fail(ret > 0 ? ret : EIO,
				   "Completion queue: libmlx5 does not say where its ring is.");
	attr->buf = dv.buf;
	attr->cqe_cnt = dv.cqe_cnt;
	attr->cqe_size = dv.cqe_size;
	attr->dbrec = (uint32_t *)dv.dbrec;
	attr->uar = dv.cq_uar;
	attr->cqn = dv.cqn;
	attr->first_index = segue_be32(((const uint32_t *)dv.dbrec)[SEGUE_CQ_DBREC_SET_CI]);
	return 0;
}

static int init_ring(struct seguei_cq_object *cq, const struct segue_cq_options *options,
		     struct segue_cq_init_options *attr)
{
	int ret = cq->verbs ? ask_libmlx5(cq, attr) : 0;

	if (ret)
		return ret;
	cq->object.number = attr->cqn;
	cq->budget.entries = cq->adopted ? attr->cqe_cnt - 1
					 : seguei_cq_entries(options->entries, attr->cqe_cnt);
	ret = segue_cq_init(&cq->cq, attr);
	return ret || !cq->adopted ? ret : take_over(cq);
}

static int held(const struct seguei_object *object)
{
	return seguei_cq_check_unpolled(&((const struct seguei_cq_object *)object)->cq, "Closing");
}

static int make_cq(struct segue_device *device, const struct segue_cq_options *options,
		   struct ibv_cq *adopted, struct segue_cq **out)
{
	struct segue_cq_init_options attr = {0};
	struct seguei_cq_object *cq;
	int ret;

	cq = seguei_object_alloc(sizeof(*cq), "Completion queue");
	if (!cq)
		return -ENOMEM;
	cq->adopted = adopted != NULL;
	cq->compresses = options && options->compress;
	cq->timestamps = options && options->timestamps;
	cq->collapsed = options && options->collapsed;
	cq->overrun_ignored = options && (options->overrun_ignored || options->collapsed);
	cq->budget.grows = options && options->grow;
	cq->budget.overcommits = options && (options->overcommit || options->collapsed);
	cq->verbs = adopted;
	if (options && options->compress)
		(void)minis_of(options, &attr.minis);
	ret = adopted ? 0 : create(cq, device, options, &attr);
	if (ret)
		goto err_free;
	ret = init_ring(cq, options, &attr);
	if (ret)
		goto err_destroy;
	cq->object.held = held;
	seguei_object_open(&cq->object, &seguei_cq_kind, &device->object,
			   cq->verbs ? seguei_key_of(cq->verbs) : seguei_key_of(cq->devx.obj));
	if (options && options->channel)
		seguei_object_use(&cq->object, &options->channel->object);
	*out = &cq->cq;
	return 0;

err_destroy:
	if (!adopted)
		(void)destroy(cq);
err_free:
	seguei_devx_give_back(&cq->devx, cq->rings);
	seguei_ring_domain_close(cq->rings);
	free(cq);
	return ret;
}

int segue_cq_open(struct segue_device *device, const struct segue_cq_options *options,
		  struct segue_cq **out)
{
	int ret = seguei_object_check((struct seguei_object *)device, &seguei_device_kind,
				      "segue_cq_open()");

	if (!ret)
		ret = check_options(device, options);
	return ret ? ret : make_cq(device, options, NULL, out);
}

/* True if the options contain more than a size. */
static bool says_more(const struct segue_cq_options *options)
{
	return options->entries || options->cqe_size || options->compress ||
	       options->compress_format || options->compress_enhanced || options->grow ||
	       options->timestamps || options->overrun_ignored || options->collapsed ||
	       options->memory || options->channel || options->vector || options->huge_pages ||
	       options->near_device;
}

int segue_cq_adopt(struct segue_device *device, struct ibv_cq *cq,
		   const struct segue_cq_options *options, struct segue_cq **out)
{
	const int ret = seguei_object_check((struct seguei_object *)device, &seguei_device_kind,
					    "segue_cq_adopt()");

	if (ret)
		return ret;
	if (!cq || cq->context != device->context)
		return seguei_fail(EINVAL, "segue_cq_adopt(): the completion queue %s.",
				   cq ? "is on another verbs context than the device" : "is NULL");
	if (options && says_more(options))
		return seguei_fail(EINVAL, "segue_cq_adopt(): options say how a queue is opened; "
					   "for one that exists they may have overcommit alone.");
	return make_cq(device, options, cq, out);
}

int segue_cq_close(struct segue_cq *cq)
{
	return seguei_object_close((struct seguei_object *)seguei_cq_object_of(cq),
				   &seguei_cq_kind);
}

uint32_t segue_cq_number(const struct segue_cq *cq)
{
	return cq->cqn;
}

struct ibv_cq *segue_cq_ibv(struct segue_cq *cq)
{
	return seguei_cq_object_of(cq)->verbs;
}

int segue_cq_moderate(struct segue_cq *cq, uint16_t count, uint16_t period)
{
	struct ibv_modify_cq_attr attr = {0};
	int ret = seguei_cq_need_kernel(cq, "Moderation");

	if (ret)
		return ret;
	attr.attr_mask = IBV_CQ_ATTR_MODERATE;
	attr.moderate.cq_count = count;
	attr.moderate.cq_period = period;
	ret = ibv_modify_cq(seguei_cq_object_of(cq)->verbs, &attr);
	return ret ? seguei_fail(ret > 0 ? ret : errno,
				 "Completion queue 0x%x: moderation of %u completions and %u us is "
				 "refused.",
				 cq->cqn, count, period)
		   : 0;
}

void seguei_cq_keep(struct segue_cq *cq)
{
	seguei_cq_object_of(cq)->adopted = false;
}
