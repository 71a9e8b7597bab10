/* SPDX-License-Identifier: BSD-2-Clause */
/* General device commands: capabilities and the port's context. */
#include "tools/softhca/uverbs/devx/devx.h"

#include <errno.h>
#include <string.h>

#include "tools/softhca/engine/offload/dek.h"
#include "tools/softhca/uverbs/devx/devx_util.h"
#include "tools/softhca/uverbs/devx/prm.h"
#include "tools/softhca/uverbs/trap/memic.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/uverbs.h"

struct the_devx the_devx;

int uv_prm_fail(struct uv_mailbox *mb, enum prm_status status)
{
	memset(mb->out, 0, mb->out_len);
	if (mb->out_len >= 8) {
		prm_set(mb->out, 0, OUT_STATUS, status);
		prm_set(mb->out, 0, OUT_SYNDROME, 0x50f7ca00u | status);
	}
	return -EREMOTEIO;
}

int uv_prm_errno(struct uv_mailbox *mb, int err)
{
	switch (err) {
	case 0:
		return 0;
	case -ENOMEM:
		return uv_prm_fail(mb, PRM_EXCEED_LIM);
	case -EBUSY:
		return uv_prm_fail(mb, PRM_RES_BUSY);
	case -EIO:
		return uv_prm_fail(mb, PRM_INTERNAL_ERR);
	default:
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	}
}

int uv_prm_begin(struct uv_mailbox *mb, size_t in_bits, size_t out_bits)
{
	if (mb->in_len * 8 < in_bits)
		return uv_prm_fail(mb, PRM_BAD_INP_LEN);
	if (mb->out_len * 8 < out_bits)
		return uv_prm_fail(mb, PRM_BAD_OUTP_LEN);
	memset(mb->out, 0, mb->out_len);
	return 0;
}

/* ---- capabilities ---- */

#define CAP 0x80 /* where the capability structure starts in the output */

static void cap(struct uv_mailbox *mb, uint16_t offset, uint16_t width, uint64_t value)
{
	struct prm_field f = {offset, width};

	prm_set(mb->out, CAP, f, value);
}

static unsigned int log2_of(uint64_t n)
{
	return n ? 63 - (unsigned int)__builtin_clzll(n) : 0;
}

static void general_sizes(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	cap(mb, 0x80, 8, log2_of(cfg->max_srq_wr + 1));	 /* log_max_srq_sz */
	cap(mb, 0x88, 8, log2_of(cfg->max_qp_wr));	 /* log_max_qp_sz */
	cap(mb, 0x9b, 5, log2_of(cfg->max_qp));		 /* log_max_qp */
	cap(mb, 0xab, 5, log2_of(cfg->max_srq));	 /* log_max_srq */
	cap(mb, 0xc8, 8, log2_of(cfg->max_cqe + 1));	 /* log_max_cq_sz */
	cap(mb, 0xdb, 5, log2_of(cfg->max_cq));		 /* log_max_cq */
	cap(mb, 0xea, 6, log2_of(cfg->max_mr));		 /* log_max_mkey */
	cap(mb, 0x109, 7, 64);				 /* log_max_mrw_sz */
	cap(mb, 0x11a, 6, 16);				 /* log_max_klm_list_size */
	cap(mb, 0x12a, 6, log2_of(cfg->max_qp_rd_atom)); /* log_max_ra_req_dc */
	cap(mb, 0x13a, 6, log2_of(cfg->max_qp_rd_atom)); /* log_max_ra_res_dc */
	cap(mb, 0x14a, 6, log2_of(cfg->max_qp_rd_atom)); /* log_max_ra_req_qp */
	cap(mb, 0x15a, 6, log2_of(cfg->max_qp_rd_atom)); /* log_max_ra_res_qp */
	cap(mb, 0x170, 16, 0); /* gid_table_size: code for 8 or 16 entries, below */
	cap(mb, 0x190, 16, 0); /* pkey_table_size: 128 entries or fewer */
	cap(mb, 0x1b8, 8, cfg->nports);
	cap(mb, 0x1c3, 5, SOFTHCA_LOG_MAX_MSG); /* log_max_msg */
	cap(mb, 0x1fc, 4, cfg->cqe_version);
	cap(mb, 0x290, 16, cfg->max_sq_desc_sz);
	cap(mb, 0x2b0, 16, cfg->max_rq_desc_sz);
	cap(mb, 0x2d0, 16, cfg->max_sq_desc_sz); /* max_wqe_sz_sq_dc */
	cap(mb, 0x32b, 5, log2_of(cfg->max_pd));
	cap(mb, 0x33b, 5, 10);			  /* log_max_xrcd */
	cap(mb, 0x383, 5, log2_of(cfg->max_srq)); /* log_max_rmp */
	cap(mb, 0x4c0, 32, 1000);		  /* device_frequency_mhz */
	cap(mb, 0x4e0, 32, 1000000);		  /* device_frequency_khz */
}

static void compression(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	cap(mb, 0x5b0, 1, 1); /* enhanced_cqe_compression */
	cap(mb, 0x5b9, 1, 1); /* mini_cqe_resp_l3_l4_tag */
	cap(mb, 0x5ba, 1, 1); /* mini_cqe_resp_flow_tag */
	cap(mb, 0x5bc, 1, 1); /* mini_cqe_resp_stride_index */
	cap(mb, 0x5be, 1, cfg->cqe_compression_128); /* cqe_compression_128 */
	cap(mb, 0x5bf, 1, 1); /* cqe_compression */
	cap(mb, 0x5d0, 16, UV_CQE_COMP_MAX);
}

/* Queues and steering of raw packets */
static void general_raw(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	cap(mb, 0x1a6, 1, 1);			 /* nic_flow_table */
	cap(mb, 0x21c, 1, 1);			 /* eth_net_offloads */
	cap(mb, 0x323, 5, 16);			 /* log_max_transport_domain */
	cap(mb, 0x348, 8, 15);			 /* log_max_flow_counter_bulk */
	cap(mb, 0x350, 16, 0xffff);		 /* max_flow_counter_15_0 */
	cap(mb, 0x363, 5, log2_of(cfg->max_qp)); /* log_max_rq, _sq, _tir, _tis */
	cap(mb, 0x36b, 5, log2_of(cfg->max_qp));
	cap(mb, 0x373, 5, log2_of(cfg->max_qp));
	cap(mb, 0x37b, 5, 16);
	cap(mb, 0x38b, 5, log2_of(SOFTHCA_MAX_TABLES)); /* log_max_rqt */
	cap(mb, 0x393, 5, SOFTHCA_MAX_LOG_TABLE);	/* log_max_rqt_size */
}

/* Only Ethernet has bonding. */
static bool bonded(const struct softhca_config *cfg)
{
	return cfg->link[0] == SOFTHCA_LINK_ROCE && cfg->lag_ports > 1;
}

static void general_features(struct uv_mailbox *mb, const struct softhca_config *cfg, bool roce)
{
	cap(mb, 0xd0, 2, cfg->relaxed_umr ? 3 : 0); /* relaxed_ordering_write_umr, _read_umr */
	cap(mb, 0x108, 1, 1);			/* fixed_buffer_size: equal-sized lists */
	cap(mb, 0x119, 1, 1);			/* null_mkey */
	cap(mb, 0x120 + 2, 1, 1);		/* qpc_extension: needed for the two below */
	cap(mb, 0x1b6, 2, roce);		/* port_type: 0 IB, 1 Ethernet */
	cap(mb, 0x200, 1, 0);			/* compact_address_vector */
	cap(mb, 0x20d, 1, 0);			/* dc_connect_qp */
	cap(mb, 0x215, 1, cfg->inline_scatter); /* sctr_data_cqe */
	cap(mb, 0x21a, 1, cfg->dc);		/* dct */
	cap(mb, 0x21d, 1, roce);
	cap(mb, 0x21e, 1, cfg->atomics);
	cap(mb, 0x227, 1, cfg->odp); /* pg: memory is paged in on demand */
	cap(mb, 0x220, 1, 1); /* cq_oi */
	cap(mb, 0x221, 1, 1); /* cq_resize */
	cap(mb, 0x22c, 1, cfg->wait_cq); /* cd: cross-channel */
	cap(mb, 0x22e, 1, 1); /* apm: path migration */
	cap(mb, 0x23c, 1, cfg->xrc);
	cap(mb, 0x23d, 1, 1);	     /* ud */
	cap(mb, 0x23e, 1, 1);	     /* uc */
	cap(mb, 0x23f, 1, 1);	     /* rc */
	cap(mb, 0x240, 1, 1);	     /* uar_4k */
	cap(mb, 0x260, 1, 1);	     /* bf */
	cap(mb, 0x26b, 5, 9);	     /* log_bf_reg_size */
	cap(mb, 0x21b, 1, cfg->qos);
	if (roce) {
		cap(mb, 0x151, 1, 1); /* rts2rts_qp_udp_sport */
		cap(mb, 0x152, 1, bonded(cfg)); /* rts2rts_lag_tx_port_affinity */
		cap(mb, 0x278, 1, bonded(cfg)); /* lag_tx_port_affinity */
		cap(mb, 0x27b, 1, bonded(cfg)); /* lag_master */
		cap(mb, 0x27c, 4, bonded(cfg) ? cfg->lag_ports : 0);
	}
	cap(mb, 0x400, 64, uv_general_objects(cfg)); /* general_obj_types */
	cap(mb, 0x153, 1, cfg->mmo); /* dma_mmo_sq */
	cap(mb, 0x748, 1, cfg->mmo && cfg->mmo_asked); /* dma_mmo_qp */
	cap(mb, 0x6b, 5, cfg->mmo ? log2_of(cfg->max_memcpy) : 0); /* log_dma_mmo_max_size */
	cap(mb, 0x68b, 1, cfg->wait_on_data);
	cap(mb, 0x68c, 1, cfg->wait_on_time);
	cap(mb, 0x5bd, 1, 1); /* cqe_128_always */
	if (cfg->cqe_compression)
		compression(mb, cfg);
	cap(mb, 0x5f0, 1, cfg->tag_matching);
	cap(mb, 0x5f1, 1, cfg->tag_matching); /* rndv_offload_rc */
	cap(mb, 0x5f3, 5, cfg->tag_matching ? SOFTHCA_LOG_MAX_TAGS : 0);
	cap(mb, 0x5fb, 5, cfg->tag_matching ? log2_of(cfg->max_srq) : 0); /* log_max_xrq */
}

static void offload_features(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	const bool sig = cfg->sig, crypto = cfg->crypto;

	cap(mb, 0x147, 1, sig); /* sig_crc64_xp10 */
	cap(mb, 0x148, 1, sig); /* sig_crc32c */
	cap(mb, 0x1f0, 1, sig); /* sig_block_4048 */
	cap(mb, 0x20f, 1, sig); /* drain_sigerr */
	cap(mb, 0x212, 1, sig); /* sigerr_cqe */
	cap(mb, 0x217, 1, sig); /* sho: signature hand-over */
	cap(mb, 0x480, 1, sig); /* sigerr_domain_and_sig_type */
	cap(mb, 0x3f1, 1, crypto && !cfg->crypto_multi_block); /* aes_xts_single_block_le_tweak */
	cap(mb, 0x3f2, 1, crypto && cfg->crypto_multi_block);  /* aes_xts_multi_block_be_tweak */
	cap(mb, 0x469, 1, crypto);
}

static void crypto_caps(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	if (!cfg->crypto)
		return;
	cap(mb, 0x0, 1, cfg->crypto_wrapped);		  /* wrapped_crypto_operational */
	cap(mb, 0x18, 8, cfg->crypto_wrapped ? 0x4 : 0); /* wrapped_import_method: AES-XTS */
	cap(mb, 0x2b, 5, SOFTHCA_LOG_MAX_DEKS);
	cap(mb, 0x50, 8, 1); /* num_nv_import_keks */
	cap(mb, 0x58, 8, 1); /* num_nv_credentials */
}

static void atomic_caps(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	if (!cfg->atomics)
		return;
	cap(mb, 0x40, 2, 1); /* 8-byte operands are in the host's byte order */
	cap(mb, 0x46, 1, 1); /* this is selectable */
	/* bit 0 compare-and-swap, 1 fetch-and-add, 2 and 3 the masked ones */
	cap(mb, 0x90, 16, cfg->masked_atomics ? 0xf : 0x3);
	cap(mb, 0xb0, 16, cfg->masked_atomics ? 0xc : 0x8); /* sizes: powers of two, 4 and 8 */
	cap(mb, 0xd0, 16, cfg->masked_atomics ? 0xc : 0x8);
}

static void roce_caps(struct uv_mailbox *mb)
{
	cap(mb, 0x38, 8, 0x4);	   /* l3_type: IPv6 and IPv4 */
	cap(mb, 0x68, 8, 0x6);	   /* roce_version: v1 and v2 */
	cap(mb, 0xc0, 16, 0xc000); /* r_roce_min_src_udp_port in other layouts, harmless */
}

/* Sources: odp_cap and its per-transport structure in rdma-core's mlx5_ifc.h. */
static void odp_caps(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	const uint64_t all = 0x3f; /* send, receive, write, read, atomic, srq_receive */
	const uint64_t datagram = 0x21;
	const uint16_t first = 26; /* the bits start at the most significant one */

	if (!cfg->odp)
		return;
	cap(mb, 0x80, 32, all << first);
	cap(mb, 0xc0, 32, datagram << first);
	cap(mb, 0xe0, 32, cfg->xrc ? all << first : 0);
	cap(mb, 0x100, 32, cfg->dc ? all << first : 0);
}

/* Capabilities of one direction of flow tables. `at` is where they begin. */
static void table_caps(struct uv_mailbox *mb, uint16_t at, bool egress)
{
	/* Ethernet, VLAN, IP, UDP, TCP headers; see enum softhca_eth_key_at. */
	const uint32_t fields = 0xff1ffe00u;

	cap(mb, at + 0x00, 1, 1);	/* ft_support */
	cap(mb, at + 0x01, 1, !egress); /* flow_tag */
	cap(mb, at + 0x02, 1, 1);	/* flow_counter */
	cap(mb, at + 0x05, 1, 1);	/* identified_miss_table */
	cap(mb, at + 0x07, 1, 1);	/* reformat */
	cap(mb, at + 0x08, 1, !egress); /* decap */
	cap(mb, at + 0x12, 1, !egress); /* reformat_l3_tunnel_to_l2 */
	cap(mb, at + 0x13, 1, egress);	/* reformat_l2_to_l3_tunnel */
	cap(mb, at + 0x14, 1, 1);	/* reformat_and_modify_action */
	cap(mb, at + 0x22, 6, 16);	/* log_max_ft_size */
	cap(mb, at + 0x28, 8, 16);	/* log_max_modify_header_context */
	cap(mb, at + 0x30, 8, SOFTHCA_MODIFY_MAX);
	cap(mb, at + 0x38, 8, 64); /* max_ft_level */
	cap(mb, at + 0x78, 8, 16); /* log_max_ft_num */
	cap(mb, at + 0x90, 8, 16); /* log_max_flow_counter */
	cap(mb, at + 0x98, 8, 4);  /* log_max_destination */
	cap(mb, at + 0xb8, 8, 16); /* log_max_flow */
	cap(mb, at + 0x100, 32, fields);
	cap(mb, at + 0x180, 32, fields); /* the same fields with a mask */
}

/* flow_table_nic_cap */
static void steering_caps(struct uv_mailbox *mb)
{
	cap(mb, 0x20, 1, 1);  /* encap_general_header */
	cap(mb, 0x2b, 5, 16); /* log_max_packet_reformat_context */
	cap(mb, 0x36, 10, SOFTHCA_ENCAP_MAX);
	table_caps(mb, 0x200, false);
	table_caps(mb, 0x800, true);
}

/* Sources: qos_cap in rdma-core's mlx5_ifc.h, packet pacing in the kernel's. */
static void qos_caps(struct uv_mailbox *mb, const struct softhca_config *cfg)
{
	if (!cfg->qos)
		return;
	cap(mb, 0x0, 1, 1);   /* packet_pacing */
	cap(mb, 0x5, 1, 1);   /* packet_pacing_burst_bound */
	cap(mb, 0x6, 1, 1);   /* packet_pacing_typical_size */
	cap(mb, 0x8, 3, 7);   /* nic_sq_scheduling, nic_bw_share, nic_rate_limit */
	cap(mb, 0xb, 1, 1);   /* packet_pacing_uid */
	cap(mb, 0x21, 1, 1);  /* nic_qp_scheduling */
	cap(mb, 0x40, 32, SOFTHCA_RATE_MAX);
	cap(mb, 0x60, 32, SOFTHCA_RATE_MIN);
	cap(mb, 0x90, 16, UV_PP_ENTRIES);
	cap(mb, 0x100, 16, 1 << 0 | 1 << 4); /* nic_element_type: TSAR and queue group */
	cap(mb, 0x110, 16, 1 << 0);	     /* nic_tsar_type: DWRR */
}

/*
 * Device memory. Sources: device_mem_cap in mlx5_ifc.h. The positions of the operands' sizes,
 * in bytes, are those in rdma-core's test_mlx5_dm_ops.py.
 */
static void memory_caps(struct uv_mailbox *mb)
{
	cap(mb, 0x0, 1, 1);	      /* memic */
	cap(mb, 0x20, 8, 1);	      /* increment: one byte */
	cap(mb, 0x2b, 5, 12);	      /* log_min_memic_alloc_size */
	cap(mb, 0x30, 8, 1);	      /* test and set: one byte */
	cap(mb, 0xa0, 32, UV_DM_SIZE); /* max_memic_size */
	cap(mb, 0x200, 32, 1 << UV_MEMIC_INCREMENT | 1 << UV_MEMIC_TEST_AND_SET);
}

static int fill_caps(struct uv_file *f, struct uv_mailbox *mb, unsigned int type)
{
	const struct softhca_config *cfg = softhca_dev_config(f->hca->dev);
	bool roce = cfg->link[0] == SOFTHCA_LINK_ROCE;

	switch (type) {
	case 0x0:
		general_sizes(mb, cfg);
		general_features(mb, cfg, roce);
		if (roce)
			general_raw(mb, cfg);
		offload_features(mb, cfg);
		return 0;
	case 0x2:
		odp_caps(mb, cfg);
		return 0;
	case 0x3:
		atomic_caps(mb, cfg);
		return 0;
	case 0xf:
		memory_caps(mb);
		return 0;
	case 0xc:
		qos_caps(mb, cfg);
		return 0;
	case 0x4:
		if (!roce)
			return uv_prm_fail(mb, PRM_BAD_PARAM);
		roce_caps(mb);
		return 0;
	case 0x7:
		if (roce)
			steering_caps(mb);
		return 0;
	case 0x20:
		cap(mb, 0x93, 5, SOFTHCA_LOG_RESERVED_QPNS); /* log_reserved_qpn_granularity */
		cap(mb, 0x2e1, 1, 1);			     /* send_dbr_mode_no_dbr_ext */
		cap(mb, 0x2e3, 5, 14);			     /* log_max_send_dbr_less_qp_sq */
		return 0;
	case 0x1a:
		crypto_caps(mb, cfg);
		return 0;
	default:
		/* QoS, device memory, ...: the groups exist, with all capabilities off. */
		return type <= 0x25 ? 0 : uv_prm_fail(mb, PRM_BAD_PARAM);
	}
}

/* Callers may have less room than the whole structure needs, and get its beginning. */
static int query_hca_cap(struct uv_file *f, struct uv_mailbox *mb)
{
	struct uv_mailbox full = {mb->in, mb->in_len, the_devx.whole, sizeof(the_devx.whole)};
	unsigned int type = (unsigned int)prm_get(mb->in, 0, IN_OP_MOD) >> 1;
	int err = uv_prm_begin(mb, 0x40, CAP);

	if (err)
		return err;
	memset(the_devx.whole, 0, sizeof(the_devx.whole));
	err = fill_caps(f, &full, type);
	memcpy(mb->out, the_devx.whole,
	       mb->out_len < sizeof(the_devx.whole) ? mb->out_len : sizeof(the_devx.whole));
	return err;
}

static int query_vport(struct uv_file *f, struct uv_mailbox *mb)
{
	struct prm_field port_num = {0x4c, 4};
	struct softhca_port_attr attr;
	unsigned int port;
	int err = uv_prm_begin(mb, 0x80, 0x80 + 0x340);

	if (err)
		return err;
	port = (unsigned int)prm_get(mb->in, 0, port_num);
	if (softhca_port_query(f->hca->dev, port ? port : 1, &attr))
		return uv_prm_fail(mb, PRM_BAD_INDEX);
	if (attr.link != SOFTHCA_LINK_IB)
		return uv_prm_fail(mb, PRM_BAD_OP);
	cap(mb, 0x110, 4, attr.state == IBV_PORT_DOWN ? 3 : 5);
	cap(mb, 0x118, 4, attr.state);
	cap(mb, 0x11c, 4, attr.state);
	cap(mb, 0x140, 64, softhca_dev_guid(f->hca->dev));
	cap(mb, 0x180, 64, attr.guid);
	cap(mb, 0x1c0, 64, softhca_dev_guid(f->hca->dev));
	cap(mb, 0x300, 16, attr.lid);
	cap(mb, 0x318, 3, attr.lmc);
	cap(mb, 0x31b, 5, 18);
	cap(mb, 0x320, 16, attr.sm_lid);
	return 0;
}

/* All zero if ports are not bonded. Bonded ones are all up, so each sends for itself. */
static int query_lag(struct uv_file *f, struct uv_mailbox *mb)
{
	int err = uv_prm_begin(mb, 0x80, 0x80);

	if (err || !bonded(softhca_dev_config(f->hca->dev)))
		return err;
	prm_set(mb->out, LAGC, LAGC_STATE, 1);
	prm_set(mb->out, LAGC, LAGC_REMAP_1, 1);
	prm_set(mb->out, LAGC, LAGC_REMAP_2, 2);
	return 0;
}

int uv_devx_general(struct uv_file *f, struct uv_mailbox *mb)
{
	if (mb->in_len < 8 || mb->out_len < 8)
		return -EINVAL;
	switch (prm_get(mb->in, 0, IN_OPCODE)) {
	case PRM_QUERY_HCA_CAP:
		return query_hca_cap(f, mb);
	case PRM_QUERY_HCA_VPORT_CONTEXT:
		return query_vport(f, mb);
	case PRM_QUERY_LAG:
		return query_lag(f, mb);
	default:
		return -EINVAL; /* not among the commands that the driver allows */
	}
}
