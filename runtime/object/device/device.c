/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Devices: listing, opening by name or GUID, adopting a verbs context, and learning capabilities.
 */
#include "runtime/object/device/device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/device/command.h"
#include "runtime/object/device/ring_domain.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/segments.h"

static uint64_t guid_of(struct ibv_device *device)
{
	const __be64 guid = ibv_get_device_guid(device); /* network byte order */
	uint8_t bytes[sizeof(guid)];

	memcpy(bytes, &guid, sizeof(bytes));
	return segue_get_be64(bytes);
}

/* libibverbs returns ENOSYS if the kernel has no RDMA at all. */
static int no_list(void)
{
	const int err = errno ? errno : EIO;

	if (err == ENOSYS)
		return seguei_fail(ENODEV, "There is no RDMA device: the kernel has no RDMA "
					   "drivers loaded; load mlx5_ib, or see "
					   "docs/softhca.md for an emulated one.");
	return seguei_fail(err, "The list of RDMA devices cannot be read: %s.", strerror(err));
}

int segue_device_list(struct segue_device_info *infos, uint32_t max)
{
	struct ibv_device **list;
	int count = 0, i;

	list = ibv_get_device_list(&count);
	if (!list)
		return no_list();
	for (i = 0; i < count && (uint32_t)i < max; i++) {
		memset(&infos[i], 0, sizeof(infos[i]));
		strncpy(infos[i].name, ibv_get_device_name(list[i]), sizeof(infos[i].name) - 1);
		infos[i].guid = guid_of(list[i]);
		infos[i].supported = mlx5dv_is_supported(list[i]);
	}
	ibv_free_device_list(list);
	return count;
}

/*
 * Parses "0c42:a103:0065:4321", "0x0c42a10300654321" or the same without 0x. Returns 0 if the text
 * is not a GUID.
 */
static uint64_t parse_guid(const char *text)
{
	char digits[20] = "";
	size_t n = 0;
	char *end;
	uint64_t guid;

	if (!strncmp(text, "0x", 2))
		text += 2;
	for (; *text && n < sizeof(digits) - 1; text++)
		if (*text != ':')
			digits[n++] = *text;
	if (n != 16 || *text)
		return 0;
	guid = strtoull(digits, &end, 16);
	return *end ? 0 : guid;
}

static void learn_mlx5(struct segue_device *device)
{
	struct segue_caps *caps = &device->caps;
	struct mlx5dv_context dv = {0};

	dv.comp_mask = MLX5DV_CONTEXT_MASK_CQE_COMPRESION | MLX5DV_CONTEXT_MASK_STRIDING_RQ |
		       MLX5DV_CONTEXT_MASK_DYN_BFREGS | MLX5DV_CONTEXT_MASK_DC_ODP_CAPS |
		       MLX5DV_CONTEXT_MASK_NUM_LAG_PORTS | MLX5DV_CONTEXT_MASK_SIGNATURE_OFFLOAD |
		       MLX5DV_CONTEXT_MASK_DCI_STREAMS | MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH |
		       MLX5DV_CONTEXT_MASK_CRYPTO_OFFLOAD;
	if (mlx5dv_query_device(device->context, &dv))
		return;
	caps->cqe_version_1 = dv.flags & MLX5DV_CONTEXT_FLAGS_CQE_V1;
	caps->enhanced_mpw = dv.flags & MLX5DV_CONTEXT_FLAGS_ENHANCED_MPW;
	caps->cqe_128_compression = dv.flags & MLX5DV_CONTEXT_FLAGS_CQE_128B_COMP;
	caps->cqe_128_padding = dv.flags & MLX5DV_CONTEXT_FLAGS_CQE_128B_PAD;
	caps->packet_based_credit = dv.flags & MLX5DV_CONTEXT_FLAGS_PACKET_BASED_CREDIT_MODE;
	/* The answer's mask has a bit for each part that the driver has filled. */
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_CQE_COMPRESION) {
		caps->cqe_compression = dv.cqe_comp_caps.max_num > 0;
		caps->cqe_compression_max = dv.cqe_comp_caps.max_num;
		caps->cqe_compression_formats = dv.cqe_comp_caps.supported_format;
	}
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_STRIDING_RQ) {
		caps->striding_rq = dv.striding_rq_caps.supported_qpts != 0;
		caps->striding_min_log_bytes =
			dv.striding_rq_caps.min_single_stride_log_num_of_bytes;
		caps->striding_max_log_bytes =
			dv.striding_rq_caps.max_single_stride_log_num_of_bytes;
		caps->striding_min_log_strides =
			dv.striding_rq_caps.min_single_wqe_log_num_of_strides;
		caps->striding_max_log_strides =
			dv.striding_rq_caps.max_single_wqe_log_num_of_strides;
	}
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_DYN_BFREGS)
		caps->dynamic_doorbells = dv.max_dynamic_bfregs;
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_DC_ODP_CAPS)
		caps->odp_dc = dv.dc_odp_caps;
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_NUM_LAG_PORTS)
		caps->lag_ports = dv.num_lag_ports;
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_SIGNATURE_OFFLOAD)
		caps->signature = dv.sig_caps.block_prot != 0;
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_DCI_STREAMS) {
		caps->dci_streams = dv.dci_streams_caps.max_log_num_concurent != 0;
		caps->dci_max_log_concurrent = dv.dci_streams_caps.max_log_num_concurent;
		caps->dci_max_log_errored = dv.dci_streams_caps.max_log_num_errored;
	}
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH)
		caps->max_memcpy = dv.max_wr_memcpy_length;
	if (dv.comp_mask & MLX5DV_CONTEXT_MASK_CRYPTO_OFFLOAD)
		caps->crypto = dv.crypto_caps.crypto_engines != 0;
}

/* Queries the device itself. Without DEVX, the driver's flags for DC have to suffice. */
static void learn_firmware(struct segue_device *device)
{
	struct segue_caps *caps = &device->caps;
	struct segue_seg_query_hca_cap_atomic_out atomic;
	struct segue_seg_query_hca_cap_out general;

	caps->dc = caps->dci_streams || caps->odp_dc;
	caps->wait_cq = caps->wait_on_data = caps->wait_on_time = true;
	if (!seguei_command_general_caps(device->context, &general)) {
		caps->dc = general.dct;
		caps->compact_address_vector = general.compact_address_vector;
		caps->umr_max_pieces = 1u << (general.log_max_klm_list_size & 31);
		caps->cqe_enhanced_compression = general.enhanced_cqe_compression;
		caps->umr_relaxed_writes = general.relaxed_ordering_write_umr;
		caps->umr_relaxed_reads = general.relaxed_ordering_read_umr;
		caps->wait_cq = general.cd;
		caps->wait_on_data = general.wait_on_data;
		caps->wait_on_time = general.wait_on_time;
		caps->memcpy_by_option = general.dma_mmo_qp;
	}
	if (caps->atomics && !seguei_command_atomic_caps(device->context, &atomic)) {
		caps->masked_atomics = atomic.masked_fetch_add && atomic.masked_cmp_swap;
		caps->masked_atomic_sizes = caps->masked_atomics ? atomic.atomic_size_qp : 0;
		caps->masked_atomic_sizes_dc = caps->masked_atomics && caps->dc
						       ? atomic.atomic_size_dc
						       : 0;
	}
}

static void learn_verbs(struct segue_device *device)
{
	const struct ibv_device_attr *attr = &device->attr.orig_attr;
	const struct ibv_odp_caps *odp = &device->attr.odp_caps;
	struct segue_caps *caps = &device->caps;

	caps->ports = attr->phys_port_cnt;
	caps->clock_khz = device->attr.hca_core_clock;
	caps->timestamp_mask = device->attr.completion_timestamp_mask;
	caps->max_qp = (uint32_t)attr->max_qp;
	caps->max_qp_wr = (uint32_t)attr->max_qp_wr;
	caps->max_sge = (uint32_t)attr->max_sge;
	caps->max_sge_rd = (uint32_t)attr->max_sge_rd;
	caps->max_cq = (uint32_t)attr->max_cq;
	caps->max_cqe = (uint32_t)attr->max_cqe;
	caps->max_mr = (uint32_t)attr->max_mr;
	caps->max_pd = (uint32_t)attr->max_pd;
	caps->max_srq = (uint32_t)attr->max_srq;
	caps->max_srq_wr = (uint32_t)attr->max_srq_wr;
	caps->max_srq_sge = (uint32_t)attr->max_srq_sge;
	caps->max_mw = (uint32_t)attr->max_mw;
	caps->max_ah = (uint32_t)attr->max_ah;
	caps->max_qp_rd_atom = (uint32_t)attr->max_qp_rd_atom;
	caps->max_qp_init_rd_atom = (uint32_t)attr->max_qp_init_rd_atom;
	caps->max_mr_size = attr->max_mr_size;
	caps->page_sizes = attr->page_size_cap;
	caps->atomics = attr->atomic_cap != IBV_ATOMIC_NONE;
	caps->global_atomics = attr->atomic_cap == IBV_ATOMIC_GLOB;
	caps->memory_windows = attr->device_cap_flags &
			       (IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2A |
				IBV_DEVICE_MEM_WINDOW_TYPE_2B);
	caps->xrc = attr->device_cap_flags & IBV_DEVICE_XRC;
	caps->max_tags = device->attr.tm_caps.max_num_tags;
	caps->max_tag_commands = device->attr.tm_caps.max_ops;
	caps->rss_max_table = device->attr.rss_caps.max_rwq_indirection_table_size;
	caps->max_device_memory = device->attr.max_dm_size;
	caps->max_tso = device->attr.tso_caps.max_tso;
	caps->on_demand_paging = odp->general_caps & IBV_ODP_SUPPORT;
	caps->implicit_on_demand_paging = odp->general_caps & IBV_ODP_SUPPORT_IMPLICIT;
	caps->odp_rc = odp->per_transport_caps.rc_odp_caps;
	caps->odp_uc = odp->per_transport_caps.uc_odp_caps;
	caps->odp_ud = odp->per_transport_caps.ud_odp_caps;
	caps->odp_xrc = device->attr.xrc_odp_caps;
	if (device->attr.packet_pacing_caps.supported_qpts & 1u << IBV_QPT_RAW_PACKET) {
		caps->rate_min = device->attr.packet_pacing_caps.qp_rate_limit_min;
		caps->rate_max = device->attr.packet_pacing_caps.qp_rate_limit_max;
	}
}

static int release_device(struct seguei_object *object)
{
	struct segue_device *device = (struct segue_device *)object;
	int ret = seguei_ring_domain_end(device);

	if (ret)
		return ret;
	free(device->ports);
	device->ports = NULL;
	if (!device->adopted && ibv_close_device(device->context))
		ret = seguei_fail(EIO, "Device %s cannot be closed: %s.",
				  ibv_get_device_name(device->context->device), strerror(errno));
	seguei_events_close(device);
	seguei_ring_end(device);
	return ret;
}

const struct seguei_kind seguei_device_kind = {"device", SEGUEI_RANK_DEVICE, release_device};

struct segue_device *seguei_device_of(struct seguei_object *object)
{
	while (object->parent)
		object = object->parent;
	return (struct segue_device *)object;
}

/* Takes the context over. On failure the caller still owns it. */
static int make_device(struct segue_device **out, struct ibv_context *context, bool adopted)
{
	struct segue_device *device;
	int ret;

	device = seguei_object_alloc(sizeof(*device), "Device");
	if (!device)
		return -ENOMEM;
	device->context = context;
	device->adopted = adopted;
	ret = seguei_events_open(device);
	if (ret) {
		free(device);
		return ret;
	}
	ret = ibv_query_device_ex(context, NULL, &device->attr); /* returns the error number */
	if (ret) {
		seguei_events_close(device);
		free(device);
		return seguei_fail(ret, "Device %s: its capabilities cannot be queried: %s.",
				   ibv_get_device_name(context->device), strerror(ret));
	}
	learn_verbs(device);
	learn_mlx5(device);
	learn_firmware(device);
	seguei_object_open(&device->object, &seguei_device_kind, NULL, seguei_key_of(context));
	*out = device;
	return 0;
}

static bool has_active_port(struct ibv_context *context)
{
	struct ibv_device_attr attr;
	struct ibv_port_attr port;
	unsigned int i;

	if (ibv_query_device(context, &attr))
		return false;
	for (i = 1; i <= attr.phys_port_cnt; i++)
		if (!ibv_query_port(context, (uint8_t)i, &port) && port.state == IBV_PORT_ACTIVE)
			return true;
	return false;
}

static int open_context(struct ibv_device *found, struct ibv_context **context)
{
	if (!mlx5dv_is_supported(found))
		return seguei_fail(ENOTSUP,
				   "Device %s is not an mlx5 (ConnectX); Segue writes work "
				   "requests for mlx5 only.",
				   ibv_get_device_name(found));
	*context = ibv_open_device(found);
	if (!*context)
		return seguei_fail(
			errno ? errno : EIO,
			"Device %s cannot be opened: %s; check the rights on /dev/infiniband.",
			ibv_get_device_name(found), strerror(errno));
	return 0;
}

static int open_named(struct ibv_device **list, int count, const char *name,
		      struct ibv_context **context)
{
	const uint64_t guid = parse_guid(name);
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name) ||
		    (guid && guid_of(list[i]) == guid))
			return open_context(list[i], context);
	return seguei_fail(ENODEV,
			   "There is no RDMA device %s; of the %d device(s) the first is %s.", name,
			   count, count ? ibv_get_device_name(list[0]) : "none");
}

static int open_first(struct ibv_device **list, int count, struct ibv_context **context)
{
	char reason[256] = "";
	int i;

	for (i = 0; i < count; i++) {
		if (open_context(list[i], context)) {
			snprintf(reason, sizeof(reason), " %s", segue_errmsg());
			continue;
		}
		if (has_active_port(*context))
			return 0;
		ibv_close_device(*context);
	}
	return seguei_fail(
		ENODEV,
		"None of the %d RDMA device(s) is an mlx5 with an active port; see ibv_devinfo.%s",
		count, reason);
}

int segue_device_open(const char *name, struct segue_device **out)
{
	struct ibv_context *context = NULL;
	struct ibv_device **list;
	int count = 0, ret;

	list = ibv_get_device_list(&count);
	if (!list)
		return no_list();
	ret = name ? open_named(list, count, name, &context) : open_first(list, count, &context);
	ibv_free_device_list(list);
	if (ret)
		return ret;
	ret = make_device(out, context, false);
	if (ret)
		ibv_close_device(context);
	return ret;
}

int segue_device_adopt(struct ibv_context *context, struct segue_device **out)
{
	if (!context)
		return seguei_fail(EINVAL, "segue_device_adopt(): the context is NULL.");
	if (!mlx5dv_is_supported(context->device))
		return seguei_fail(ENOTSUP,
				   "Device %s is not an mlx5 (ConnectX); Segue writes work "
				   "requests for mlx5 only.",
				   ibv_get_device_name(context->device));
	return make_device(out, context, true);
}

int segue_fork_prepare(void)
{
	const int ret = ibv_fork_init(); /* returns the error number */

	if (ret == EINVAL)
		return seguei_fail(EINVAL, "segue_fork_prepare(): memory has been registered "
					   "already; call it before anything is opened.");
	return ret ? seguei_fail(ret, "segue_fork_prepare(): fork() cannot be made safe: %s.",
				 strerror(ret))
		   : 0;
}

int segue_device_close(struct segue_device *device)
{
	return seguei_object_close(device ? &device->object : NULL, &seguei_device_kind);
}

const char *segue_device_name(const struct segue_device *device)
{
	return ibv_get_device_name(device->context->device);
}

struct ibv_context *segue_device_ibv(struct segue_device *device)
{
	return device->context;
}

const struct segue_caps *segue_device_caps(const struct segue_device *device)
{
	return &device->caps;
}

int segue_device_query_port(struct segue_device *device, uint8_t port, struct segue_port_info *info)
{
	struct ibv_port_attr attr;
	int ret;

	ret = seguei_object_check(&device->object, &seguei_device_kind,
				  "segue_device_query_port()");
	if (ret)
		return ret;
	if (port < 1 || port > device->caps.ports)
		return seguei_fail(EINVAL, "Device %s has no port %u, expected 1 to %u.",
				   segue_device_name(device), port, device->caps.ports);
	ret = ibv_query_port(device->context, port, &attr); /* returns the error number */
	if (ret)
		return seguei_fail(ret, "Port %u of %s cannot be queried: %s.", port,
				   segue_device_name(device), strerror(ret));
	memset(info, 0, sizeof(*info));
	info->port = port;
	info->link = attr.link_layer == IBV_LINK_LAYER_ETHERNET ? SEGUE_LINK_ROCE : SEGUE_LINK_IB;
	info->active = attr.state == IBV_PORT_ACTIVE;
	info->mtu = 128u << attr.active_mtu; /* enum ibv_mtu: 1 is 256 bytes */
	info->max_mtu = 128u << attr.max_mtu;
	info->lid = info->link == SEGUE_LINK_IB ? attr.lid : 0;
	info->sm_lid = attr.sm_lid;
	info->lmc = attr.lmc;
	info->gids = (uint32_t)attr.gid_tbl_len;
	info->pkeys = attr.pkey_tbl_len;
	return 0;
}

int segue_device_query_gid(struct segue_device *device, uint8_t port, uint32_t index,
			   struct segue_gid_info *info)
{
	struct segue_port_info port_info;
	struct ibv_gid_entry entry = {0};
	int ret;

	/* returns the error number */
	ret = ibv_query_gid_ex(device->context, port, index, &entry, 0);
	if (ret == ENODATA)
		return seguei_fail(ENOENT, "GID %u of port %u of %s is empty.", index, port,
				   segue_device_name(device));
	if (ret == EINVAL) {
		ret = segue_device_query_port(device, port, &port_info);
		if (ret)
			return ret;
		return seguei_fail(EINVAL, "Port %u of %s has no GID %u, expected less than %u.",
				   port, segue_device_name(device), index, port_info.gids);
	}
	if (ret)
		return seguei_fail(ret, "GID %u of port %u of %s cannot be read: %s.", index, port,
				   segue_device_name(device), strerror(ret));
	memcpy(info->gid.bytes, entry.gid.raw, sizeof(info->gid.bytes));
	info->index = index;
	info->interface = entry.ndev_ifindex;
	info->type = entry.gid_type == IBV_GID_TYPE_ROCE_V2   ? SEGUE_GID_ROCE_V2
		     : entry.gid_type == IBV_GID_TYPE_ROCE_V1 ? SEGUE_GID_ROCE_V1
							      : SEGUE_GID_IB;
	return 0;
}

int seguei_gid_worth(const struct segue_gid_info *info)
{
	const bool link_local = info->gid.bytes[0] == 0xfe && (info->gid.bytes[1] & 0xc0) == 0x80;

	if (info->type == SEGUE_GID_ROCE_V2)
		return link_local ? 3 : 4;
	return link_local ? 1 : 2;
}
