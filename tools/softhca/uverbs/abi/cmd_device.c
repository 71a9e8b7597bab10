/* SPDX-License-Identifier: BSD-2-Clause */
/* Context and device queries. */
#include <endian.h>
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/file/file.h"
#include "tools/softhca/uverbs/pages.h"

#define FW_VERSION  ((28ULL << 32) | (99ULL << 16) | 1000)
#define BF_REG_SIZE 512

static const struct softhca_config *config(const struct uv_file *f)
{
	return softhca_dev_config(f->hca->dev);
}

void uv_fill_ucontext(struct uv_file *f, struct mlx5_ib_alloc_ucontext_resp *resp)
{
	const struct softhca_config *cfg = config(f);

	memset(resp, 0, sizeof(*resp));
	resp->qp_tab_size = cfg->max_qp;
	resp->bf_reg_size = uv_no_blueflame() ? 0 : BF_REG_SIZE;
	resp->tot_bfregs = 0; /* doorbell pages are allocated one by one (LIB_CAP_DYN_UAR) */
	resp->cache_line_size = 64;
	resp->max_sq_desc_sz = (uint16_t)cfg->max_sq_desc_sz;
	resp->max_rq_desc_sz = (uint16_t)cfg->max_rq_desc_sz;
	resp->max_send_wqebb = cfg->max_qp_wr;
	resp->max_recv_wr = cfg->max_qp_wr;
	resp->max_srq_recv_wr = cfg->max_srq_wr;
	resp->num_ports = (uint16_t)cfg->nports;
	resp->response_length = sizeof(*resp);
	resp->cqe_version = f->cqe_version;
	resp->cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE |
			      MLX5_USER_CMDS_SUPP_UHW_CREATE_AH;
	resp->eth_min_inline = cfg->inline_headers ? MLX5_USER_INLINE_MODE_L2
						   : MLX5_USER_INLINE_MODE_NONE;
	resp->log_uar_size = 12;
	resp->num_uars_per_page = 1;
	resp->comp_mask = MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_DUMP_FILL_MKEY |
			  MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_SQD2RTS |
			  (cfg->ece ? MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_ECE : 0);
	if (cfg->timestamps) {
		resp->clock_info_versions = 1 << MLX5_IB_CLOCK_INFO_V1;
		resp->comp_mask |= MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET;
	}
	resp->hca_core_clock_offset = 0;
	resp->dump_fill_mkey = softhca_null_mkey(f->hca->dev);
}

int uv_setup_context(struct uv_file *f, const struct uv_cmd *c)
{
	struct mlx5_ib_alloc_ucontext_req_v2 req;
	struct mlx5_ib_alloc_ucontext_resp resp;
	const struct softhca_config *cfg = config(f);
	int err;

	if (f->ready)
		return -EINVAL; /* one context per open file */
	err = uv_drv_in(c, &req, sizeof(struct mlx5_ib_alloc_ucontext_req), sizeof(req));
	if (err)
		return err;
	if (req.flags & ~MLX5_IB_ALLOC_UCTX_DEVX)
		return -EINVAL;
	if (req.comp_mask || req.reserved0 || req.reserved1 || req.reserved2)
		return -EOPNOTSUPP;
	/* Before dynamic doorbell pages (rdma-core 28) drivers map a fixed set: not modelled. */
	if (!(req.lib_caps & MLX5_LIB_CAP_DYN_UAR))
		return -EOPNOTSUPP;
	f->cqe_version = req.max_cqe_version < cfg->cqe_version ? req.max_cqe_version
								: cfg->cqe_version;
	uv_fill_ucontext(f, &resp);
	err = uv_drv_out(c, &resp, sizeof(resp));
	if (!err)
		f->ready = true;
	return err;
}

int uv_get_context(struct uv_cmd *c)
{
	struct ib_uverbs_get_context_resp resp = {.num_comp_vectors = UV_COMP_VECTORS};
	int fd, err = uv_setup_context(c->file, c);

	if (err)
		return err;
	fd = uv_event_fd_create(c->file);
	if (fd < 0)
		return fd;
	resp.async_fd = (uint32_t)fd;
	return uv_respond(c, &resp, sizeof(resp));
}

static void fill_device(struct uv_file *f, struct ib_uverbs_query_device_resp *r)
{
	const struct softhca_config *cfg = config(f);

	memset(r, 0, sizeof(*r));
	r->fw_ver = FW_VERSION;
	r->node_guid = htobe64(softhca_dev_guid(f->hca->dev));
	r->sys_image_guid = r->node_guid;
	r->max_mr_size = cfg->max_mr_size;
	r->page_size_cap = 0xfffffffffffff000;
	r->vendor_id = 0x02c9; /* Mellanox's IEEE OUI, not its PCI number */
	r->vendor_part_id = UV_PCI_DEVICE_ID;
	r->max_qp = cfg->max_qp;
	r->max_qp_wr = cfg->max_qp_wr;
	r->device_cap_flags = IB_UVERBS_DEVICE_BAD_PKEY_CNTR | IB_UVERBS_DEVICE_BAD_QKEY_CNTR |
			      IB_UVERBS_DEVICE_AUTO_PATH_MIG |
			      IB_UVERBS_DEVICE_PORT_ACTIVE_EVENT | IB_UVERBS_DEVICE_SYS_IMAGE_GUID |
			      IB_UVERBS_DEVICE_RC_RNR_NAK_GEN | IB_UVERBS_DEVICE_CHANGE_PHY_PORT |
			      IB_UVERBS_DEVICE_MEM_MGT_EXTENSIONS;
	if (cfg->mw)
		r->device_cap_flags |= IB_UVERBS_DEVICE_MEM_WINDOW |
				       IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B;
	if (cfg->xrc)
		r->device_cap_flags |= IB_UVERBS_DEVICE_XRC;
	r->max_sge = cfg->max_sge;
	r->max_sge_rd = cfg->max_sge_rd;
	r->max_cq = cfg->max_cq;
	r->max_cqe = cfg->max_cqe;
	r->max_mr = cfg->max_mr;
	r->max_pd = cfg->max_pd;
	r->max_qp_rd_atom = cfg->max_qp_rd_atom;
	r->max_qp_init_rd_atom = cfg->max_qp_init_rd_atom;
	r->max_res_rd_atom = cfg->max_qp_rd_atom * cfg->max_qp;
	r->atomic_cap = cfg->atomics ? IBV_ATOMIC_HCA : IBV_ATOMIC_NONE;
	r->max_mw = cfg->max_mw;
	r->max_mcast_grp = cfg->max_mcast_grp;
	r->max_mcast_qp_attach = cfg->max_mcast_qp;
	r->max_total_mcast_qp_attach = cfg->max_mcast_grp * cfg->max_mcast_qp;
	r->max_ah = cfg->max_ah;
	r->max_srq = cfg->max_srq;
	r->max_srq_wr = cfg->max_srq_wr;
	r->max_srq_sge = cfg->max_srq_sge;
	r->max_pkeys = SOFTHCA_PKEYS;
	r->local_ca_ack_delay = 16;
	r->phys_port_cnt = (uint8_t)cfg->nports;
}

int uv_query_device(struct uv_cmd *c)
{
	struct ib_uverbs_query_device_resp resp;

	fill_device(c->file, &resp);
	return uv_respond(c, &resp, sizeof(resp));
}

/* Raw packets are for Ethernet. The ports of a device are usually of one kind. */
static bool ethernet(const struct softhca_config *cfg)
{
	return cfg->raw_packet && cfg->link[0] == SOFTHCA_LINK_ROCE;
}

static void odp_caps(struct ib_uverbs_ex_query_device_resp *r)
{
	const uint32_t memory = IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV |
				IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ |
				IBV_ODP_SUPPORT_ATOMIC | IBV_ODP_SUPPORT_SRQ_RECV;

	r->odp_caps.general_caps = IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT;
	r->odp_caps.per_transport_caps.rc_odp_caps = memory;
	r->odp_caps.per_transport_caps.ud_odp_caps = IBV_ODP_SUPPORT_SEND |
						     IBV_ODP_SUPPORT_SRQ_RECV;
	r->xrc_odp_caps = memory;
}

#define TM_MAX_RNDV_HDR 64 /* bytes, as in the kernel's driver */

static void tag_matching(const struct softhca_config *cfg, struct ib_uverbs_tm_caps *caps)
{
	caps->max_num_tags = (1u << SOFTHCA_LOG_MAX_TAGS) - 1;
	caps->max_ops = cfg->max_qp_wr;
	caps->max_sge = 1;
	caps->flags = IBV_TM_CAP_RC;
	caps->max_rndv_hdr_size = TM_MAX_RNDV_HDR;
}

static void raw_packet_core(const struct softhca_config *cfg,
			    struct ib_uverbs_ex_query_device_resp *r)
{
	const uint32_t flags = IB_UVERBS_DEVICE_RAW_IP_CSUM |
			       IB_UVERBS_DEVICE_MANAGED_FLOW_STEERING;

	r->device_cap_flags_ex |= flags;
	r->base.device_cap_flags |= flags;
	r->raw_packet_caps = IB_UVERBS_RAW_PACKET_CAP_CVLAN_STRIPPING |
			     IB_UVERBS_RAW_PACKET_CAP_SCATTER_FCS |
			     IB_UVERBS_RAW_PACKET_CAP_IP_CSUM;
	r->rss_caps.supported_qpts = 1u << IBV_QPT_RAW_PACKET;
	r->rss_caps.max_rwq_indirection_tables = SOFTHCA_MAX_TABLES;
	r->rss_caps.max_rwq_indirection_table_size = 1u << SOFTHCA_MAX_LOG_TABLE;
	r->max_wq_type_rq = cfg->max_qp;
}

static void raw_packet_driver(const struct softhca_config *cfg, struct mlx5_ib_query_device_resp *r)
{
	r->tso_caps.max_tso = cfg->tso ? SOFTHCA_MAX_TSO : 0;
	r->tso_caps.supported_qpts = cfg->tso ? 1u << IBV_QPT_RAW_PACKET : 0;
	r->rss_caps.rx_hash_function = MLX5_RX_HASH_FUNC_TOEPLITZ;
	r->rss_caps.rx_hash_fields_mask = MLX5_RX_HASH_SRC_IPV4 | MLX5_RX_HASH_DST_IPV4 |
					  MLX5_RX_HASH_SRC_IPV6 | MLX5_RX_HASH_DST_IPV6 |
					  MLX5_RX_HASH_SRC_PORT_TCP | MLX5_RX_HASH_DST_PORT_TCP |
					  MLX5_RX_HASH_SRC_PORT_UDP | MLX5_RX_HASH_DST_PORT_UDP;
	r->striding_rq_caps.min_single_stride_log_num_of_bytes = UV_MIN_LOG_STRIDE;
	r->striding_rq_caps.max_single_stride_log_num_of_bytes = UV_MAX_LOG_STRIDE;
	r->striding_rq_caps.min_single_wqe_log_num_of_strides = UV_MIN_LOG_STRIDES;
	r->striding_rq_caps.max_single_wqe_log_num_of_strides = UV_MAX_LOG_STRIDES;
	r->striding_rq_caps.supported_qpts = 1u << IBV_QPT_RAW_PACKET;
}

static int query_driver(struct uv_cmd *c)
{
	const struct softhca_config *cfg = config(c->file);
	struct mlx5_ib_query_device_resp resp;

	memset(&resp, 0, sizeof(resp));
	resp.response_length = (uint32_t)(c->drv_out.len < sizeof(resp) ? c->drv_out.len
									: sizeof(resp));
	resp.dci_streams_caps.max_log_num_concurent = cfg->max_dci_log_streams;
	resp.dci_streams_caps.max_log_num_errored = cfg->max_dci_log_streams;
	if (ethernet(cfg))
		raw_packet_driver(cfg, &resp);
	resp.flags = MLX5_IB_QUERY_DEV_RESP_FLAGS_CQE_128B_PAD;
	if (cfg->cqe_compression) {
		if (cfg->cqe_compression_128)
			resp.flags |= MLX5_IB_QUERY_DEV_RESP_FLAGS_CQE_128B_COMP;
		resp.cqe_comp_caps.max_num = UV_CQE_COMP_MAX;
		resp.cqe_comp_caps.supported_format = MLX5_IB_CQE_RES_FORMAT_HASH |
						      MLX5_IB_CQE_RES_FORMAT_CSUM |
						      MLX5_IB_CQE_RES_FORMAT_CSUM_STRIDX;
	}
	if (ethernet(cfg) && cfg->qos) {
		resp.packet_pacing_caps.qp_rate_limit_min = SOFTHCA_RATE_MIN;
		resp.packet_pacing_caps.qp_rate_limit_max = SOFTHCA_RATE_MAX;
		resp.packet_pacing_caps.supported_qpts = 1u << IBV_QPT_RAW_PACKET;
		resp.packet_pacing_caps.cap_flags = MLX5_IB_PP_SUPPORT_BURST;
	}
	if (cfg->inline_scatter)
		resp.flags |= MLX5_IB_QUERY_DEV_RESP_FLAGS_SCAT2CQE_DCT;
	return uv_drv_out(c, &resp, sizeof(resp));
}

int uv_ex_query_device(struct uv_cmd *c)
{
	struct ib_uverbs_ex_query_device req;
	struct ib_uverbs_ex_query_device_resp resp;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (req.comp_mask || req.reserved)
		return -EINVAL;
	memset(&resp, 0, sizeof(resp));
	fill_device(c->file, &resp.base);
	resp.response_length = (uint32_t)(c->out.len < sizeof(resp) ? c->out.len : sizeof(resp));
	if (config(c->file)->timestamps) {
		resp.timestamp_mask = 0x7fffffffffffffffULL;
		resp.hca_core_clock = 1000000; /* kHz, since the device counts nanoseconds */
	}
	resp.device_cap_flags_ex = resp.base.device_cap_flags;
	resp.cq_moderation_caps.max_cq_moderation_count = UINT16_MAX;
	resp.cq_moderation_caps.max_cq_moderation_period = UV_CQ_PERIOD_MAX;
	resp.max_dm_size = UV_DM_SIZE;
	if (config(c->file)->odp)
		odp_caps(&resp);
	if (config(c->file)->tag_matching)
		tag_matching(config(c->file), &resp.tm_caps);
	if (ethernet(config(c->file)))
		raw_packet_core(config(c->file), &resp);
	if (c->drv_out.len >= 8) {
		err = query_driver(c);
		if (err)
			return err;
	}
	return uv_respond(c, &resp, sizeof(resp));
}

int uv_fill_port(struct uv_file *f, unsigned int port, struct ib_uverbs_query_port_resp *resp)
{
	struct softhca_port_attr attr;
	bool ethernet;

	if (!port || port > config(f)->nports || softhca_port_query(f->hca->dev, port, &attr))
		return -EINVAL;
	ethernet = attr.link == SOFTHCA_LINK_ROCE;
	memset(resp, 0, sizeof(*resp));
	resp->state = (uint8_t)attr.state;
	resp->max_mtu = (uint8_t)attr.max_mtu;
	resp->active_mtu = (uint8_t)attr.active_mtu;
	resp->gid_tbl_len = attr.gid_len;
	resp->pkey_tbl_len = (uint16_t)attr.pkey_len;
	resp->port_cap_flags = ethernet ? UV_PORT_CAPS_ROCE : SOFTHCA_PORT_CAPS_IB;
	resp->max_msg_sz = 1u << SOFTHCA_LOG_MAX_MSG;
	resp->lid = attr.lid;
	resp->sm_lid = attr.sm_lid;
	resp->lmc = attr.lmc;
	resp->max_vl_num = ethernet ? 0 : 4;
	resp->subnet_timeout = ethernet ? 0 : 18;
	resp->active_width = 2;	 /* 4X */
	resp->active_speed = 32; /* EDR: 25 Gb/s a lane */
	resp->phys_state = attr.state == IBV_PORT_DOWN ? 3 : 5;
	resp->link_layer = ethernet ? IBV_LINK_LAYER_ETHERNET : IBV_LINK_LAYER_INFINIBAND;
	resp->flags = ethernet ? IB_UVERBS_QPF_GRH_REQUIRED : 0;
	return 0;
}

int uv_query_port(struct uv_cmd *c)
{
	struct ib_uverbs_query_port req;
	struct ib_uverbs_query_port_resp resp;
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = uv_fill_port(c->file, req.port_num, &resp);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}
