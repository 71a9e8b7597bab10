/* SPDX-License-Identifier: BSD-2-Clause */
/* Address handles, shared by all peers that are reached in the same way. */
#include "segue/ah.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/device/pd.h"
#include "runtime/object/path/path.h"
#include "segue/base.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"

/* Version field of a global route header or an IPv6 header. */
#define IP_VERSION(bytes) ((bytes)[0] >> 4)
#define GRH_SGID          8
/* Offset of an IPv4 header, and of its source address within. */
#define IPV4_AT     20
#define IPV4_SOURCE 12

struct segue_ah {
	struct seguei_object object; /* first */
	struct ibv_ah *ah;
	struct ibv_ah_attr attr; /* attributes that it was made from */
	struct segue_address_vector av;
	uint32_t references;
};

const size_t seguei_ah_size = sizeof(struct segue_ah);

static int release_address(struct seguei_object *object)
{
	return ibv_destroy_ah(((struct segue_ah *)object)->ah);
}

static const struct seguei_kind address_kind = {"address", SEGUEI_RANK_ADDRESS, release_address};

/* FNV-1a. The attributes were filled from zeroed memory, so padding is equal too. */
static uint64_t key_of(const struct ibv_ah_attr *attr)
{
	const uint8_t *bytes = (const uint8_t *)attr;
	uint64_t key = 0xcbf29ce484222325u;
	size_t i;

	for (i = 0; i < sizeof(*attr); i++)
		key = (key ^ bytes[i]) * 0x100000001b3u;
	return key;
}

static bool is_for(const struct seguei_object *object, const void *attr)
{
	const struct segue_ah *address = (const struct segue_ah *)object;

	return address->references && !memcmp(&address->attr, attr, sizeof(address->attr));
}

/*
 * Finds an open address of the domain with these attributes, and takes a reference to it. NULL if
 * there is none.
 */
static struct segue_ah *share_known(const struct segue_pd *pd, const struct ibv_ah_attr *attr)
{
	struct segue_ah *address;

	seguei_tree_lock();
	address = (struct segue_ah *)seguei_object_match(&pd->object, &address_kind, key_of(attr),
							 is_for, attr);
	if (address)
		address->references++;
	seguei_tree_unlock();
	return address;
}

/* Drops a reference. True if it was the last one. No search finds the address after that. */
static bool give_up(struct segue_ah *address)
{
	bool last;

	seguei_tree_lock();
	last = address->references <= 1;
	address->references = last ? 0 : address->references - 1;
	seguei_tree_unlock();
	return last;
}

/*
 * Stores the address vector that libmlx5 has made. Number and key of the peer come with each
 * request.
 */
static int prepare(struct segue_ah *address)
{
	struct segue_seg_av_ud fields;
	struct mlx5dv_ah dv = {0};
	struct mlx5dv_obj obj = {.ah = {.in = address->ah, .out = &dv}};
	int ret;

	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_AH);
	if (ret)
		return seguei_fail(ret > 0 ? ret : EIO,
				   "Address: libmlx5 does not hand out its address vector.");
	(void)segue_seg_av_ud_unpack(&fields, dv.av);
	if (address->attr.static_rate && !fields.stat_rate)
		return seguei_fail(ENOTSUP,
				   "Address: libmlx5 does not know rate_mbps %d, and would set no "
				   "limit; expected 0 (no limit) or a slower rate.",
				   ibv_rate_to_mbps((enum ibv_rate)address->attr.static_rate));
	segue_seg_av_ud_prepare(&address->av, &fields);
	return 0;
}

int segue_ah_open(struct segue_pd *pd, const struct segue_path *path, struct segue_ah **out)
{
	struct segue_ah *address;
	struct ibv_ah_attr attr;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_ah_open()");
	if (!ret)
		ret = segue_path_check(path, true);
	if (ret)
		return ret;
	seguei_path_ah(path, &attr);
	*out = share_known(pd, &attr);
	if (*out)
		return 0;
	address = seguei_object_alloc(sizeof(*address), "Address");
	if (!address)
		return -ENOMEM;
	memcpy(&address->attr, &attr, sizeof(attr));
	address->references = 1;
	address->ah = ibv_create_ah(pd->pd, &attr);
	if (!address->ah) {
		ret = seguei_fail(errno ? errno : EIO,
				  "No address on port %u (dlid %u, global %u, sgid_index %u): %s.",
				  attr.port_num, attr.dlid, attr.is_global, attr.grh.sgid_index,
				  strerror(errno));
		goto err_free;
	}
	ret = prepare(address);
	if (ret)
		goto err_destroy;
	seguei_object_open(&address->object, &address_kind, &pd->object, key_of(&attr));
	address->object.number = attr.dlid;
	*out = address;
	return 0;

err_destroy:
	ibv_destroy_ah(address->ah);
err_free:
	free(address);
	return ret;
}

int segue_ah_close(struct segue_ah *address)
{
	int ret;

	if (!address)
		return 0;
	ret = seguei_object_check(&address->object, &address_kind, "segue_ah_close()");
	if (ret)
		return ret;
	if (!give_up(address))
		return 0;
	ret = seguei_object_close(&address->object, &address_kind);
	if (ret && ret != -EINVAL)
		address->references = 1;
	return ret;
}

const struct segue_address_vector *segue_ah_av(const struct segue_ah *address)
{
	return &address->av;
}

int segue_ah_av_compact(const struct segue_ah *address, struct segue_address_vector_compact *out)
{
	struct segue_seg_av_ud_compact fields;
	struct mlx5dv_ah dv = {0};
	struct mlx5dv_obj obj = {.ah = {.in = address->ah, .out = &dv}};

	if (address->attr.is_global)
		return seguei_fail(EINVAL,
				   "Address of LID 0x%x on port %u: its path has a global route "
				   "header, which the short form has no room for; "
				   "use segue_ah_av().",
				   address->attr.dlid, address->attr.port_num);
	if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_AH))
		return seguei_fail(EIO, "Address: libmlx5 does not hand out its address vector.");
	/*
	 * The first third of the long form. Its extension bit belongs to the fields that come with
	 * each request.
	 */
	(void)segue_seg_av_ud_compact_unpack(&fields, dv.av);
	segue_seg_av_ud_compact_prepare(out, &fields);
	return 0;
}

struct ibv_ah *segue_ah_ibv(struct segue_ah *address)
{
	return address->ah;
}

/*
 * The flag is in place of the service level. The kernel's driver tests these two bits only
 * (mlx5_ib, cq.c).
 */
static bool came_over_ipv4(const struct segue_cqe64 *cqe)
{
	return !((cqe->sl ^ SEGUE_CQE_ROCE_PACKET_V2_IPV4) & 3);
}

/*
 * The sender's GID, from the bytes before the payload. The bytes before an IPv4 header are
 * undefined, and may look like IPv6.
 */
static int sender_of(const uint8_t *grh, bool ipv4, struct segue_gid *gid)
{
	memset(gid, 0, sizeof(*gid));
	if (IP_VERSION(ipv4 ? grh + IPV4_AT : grh) != (ipv4 ? 4 : 6))
		return seguei_fail(EINVAL, "Reply path: the receive does not begin with %s.",
				   ipv4 ? "20 bytes and an IPv4 header, as its completion says"
					: "a global route header or an IPv6 header");
	if (!ipv4) {
		memcpy(gid->bytes, grh + GRH_SGID, sizeof(gid->bytes));
		return 0;
	}
	/* ::ffff:a.b.c.d */
	gid->bytes[10] = 0xff;
	gid->bytes[11] = 0xff;
	memcpy(gid->bytes + 12, grh + IPV4_AT + IPV4_SOURCE, 4);
	return 0;
}

int segue_path_reply(struct segue_path *path, const uint8_t *cqe, const uint8_t *grh)
{
	struct segue_cqe64 from;
	struct segue_gid gid = {0};
	int ret;

	(void)segue_cqe64_unpack(&from, cqe);
	if (from.grh || path->link == SEGUE_LINK_ROCE) {
		ret = sender_of(grh, path->link == SEGUE_LINK_ROCE && came_over_ipv4(&from), &gid);
		if (ret)
			return ret;
	}
	path->dest_qpn = from.rqpn;
	if (path->link == SEGUE_LINK_ROCE) {
		path->way.roce.route.dgid = gid;
		return 0;
	}
	path->way.ib.dlid = from.slid;
	path->way.ib.sl = from.sl;
	path->way.ib.src_path_bits = from.ml_path;
	path->way.ib.global = from.grh != 0;
	path->way.ib.route.dgid = gid;
	return 0;
}
