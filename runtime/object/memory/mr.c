/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory regions: registration, rights, on-demand paging, and remote buffers on the wire.
 *
 * A region can be closed while posted requests name it. Counting them would cost every post. The
 * device answers with LOCAL_PROT_ERR. Drain or flush first.
 */
#include "segue/mr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/object/device/pd.h"
#include "runtime/object/memory/access.h"
#include "runtime/object/memory/mr.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/enums.h"

#define REMOTE_ACCESS                                                       \
	(SEGUE_ACCESS_FLAGS_REMOTE_READ | SEGUE_ACCESS_FLAGS_REMOTE_WRITE | \
	 SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC)
#define NEEDS_LOCAL_WRITE (SEGUE_ACCESS_FLAGS_REMOTE_WRITE | SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC)
#define WIRE_VERSION      1

struct segue_mr {
	struct seguei_object object; /* first */
	struct ibv_mr *mr;
	uint64_t start; /* address in requests */
	uint64_t length;
	bool by_address; /* requests name it as the program does */
	uint32_t access; /* enum segue_access_flags */
	struct segue_pd *pd;
};

struct windows {
	uint32_t count, newest;
};

static void count_window(struct seguei_object *object, void *arg)
{
	struct windows *windows = arg;

	if (!windows->count++)
		windows->newest = object->number;
}

/* Binding is a posted request, so the windows bound to a region are not known. */
static int refuse_bound(const struct segue_mr *mr, const char *what)
{
	struct windows windows = {0, 0};

	seguei_object_each(&mr->pd->object, &seguei_mw_kind, count_window, &windows);
	return seguei_fail(
		EBUSY,
		"The memory region 0x%x cannot be %s while a memory window is bound to it; its "
		"domain has %u of them open, the newest "
		"with key 0x%x. Invalidate that window, or close it with segue_mw_close(), first.",
		mr->object.number, what, windows.count, windows.newest);
}

static int release_mr(struct seguei_object *object)
{
	struct segue_mr *mr = (struct segue_mr *)object;
	const int ret = ibv_dereg_mr(mr->mr);

	return ret == EBUSY ? refuse_bound(mr, "closed") : ret;
}

static const struct seguei_kind mr_kind = {"memory region", SEGUEI_RANK_MR, release_mr};

/*
 * On-demand paging, and implicit on-demand paging, where the region is all of the program's memory.
 */
static int check_on_demand(const struct segue_device *device, const struct segue_mr_options *attr)
{
	if (!(attr->access & SEGUE_ACCESS_ON_DEMAND))
		return attr->addr || attr->use_dmabuf
			       ? 0
			       : seguei_fail(
					 EINVAL,
					 "Memory region: addr is NULL, expected the first byte.");
	if (!device->caps.on_demand_paging)
		return seguei_fail(
			ENOTSUP,
			"Memory region: ON_DEMAND was asked for, but %s has no on-demand paging.",
			segue_device_name(device));
	if (attr->addr || attr->use_dmabuf)
		return 0;
	if (attr->length != UINT64_MAX)
		return seguei_fail(EINVAL,
				   "Memory region: addr is NULL and length %llu; with ON_DEMAND, "
				   "expected the first byte, or "
				   "length UINT64_MAX for all of the program's memory.",
				   (unsigned long long)attr->length);
	if (!device->caps.implicit_on_demand_paging)
		return seguei_fail(ENOTSUP,
				   "Memory region: all of the program's memory was asked for, but "
				   "%s takes on-demand regions with "
				   "an address only.",
				   segue_device_name(device));
	return 0;
}

/* The address of the first byte in requests. */
static uint64_t start_of(const struct segue_mr_options *attr, uint32_t access)
{
	if (attr->use_iova)
		return attr->iova;
	return access & SEGUE_ACCESS_FLAGS_ZERO_BASED ? 0 : (uint64_t)(uintptr_t)attr->addr;
}

static bool names_by_address(const struct segue_mr_options *attr, uint32_t access)
{
	return !attr->use_dmabuf && attr->addr &&
	       start_of(attr, access) == (uint64_t)(uintptr_t)attr->addr;
}

static int check_iova(const struct segue_mr_options *attr)
{
	const uint64_t within = (uint64_t)sysconf(_SC_PAGESIZE) - 1;

	if (!attr->use_iova)
		return 0;
	if (attr->use_dmabuf || !attr->addr ||
	    seguei_access_flags(attr->access) & SEGUE_ACCESS_FLAGS_ZERO_BASED)
		return seguei_fail(EINVAL,
				   "Memory region: use_iova is set together with %s, which "
				   "determines by itself how requests address the memory.",
				   attr->use_dmabuf ? "use_dmabuf"
				   : attr->addr	    ? "ZERO_BASED"
						    : "addr NULL");
	if ((attr->iova ^ (uint64_t)(uintptr_t)attr->addr) & within)
		return seguei_fail(EINVAL,
				   "Memory region: iova is 0x%llx and addr %p, expected the same "
				   "offset within a page.",
				   (unsigned long long)attr->iova, attr->addr);
	if (attr->iova + attr->length < attr->iova)
		return seguei_fail(EINVAL,
				   "Memory region: %llu bytes from iova 0x%llx pass the end of all "
				   "addresses.",
				   (unsigned long long)attr->length,
				   (unsigned long long)attr->iova);
	return 0;
}

static int check_attr(struct segue_pd *pd, const struct segue_mr_options *attr)
{
	const struct segue_device *device;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				  "Opening a memory region");
	if (ret)
		return ret;
	device = seguei_device_of(&pd->object);
	if (seguei_check_reserved(attr->reserved, "Memory region"))
		return -EINVAL;
	if (!attr->length)
		return seguei_fail(EINVAL,
				   "Memory region: length is 0, expected at least one byte.");
	ret = seguei_access_check("Memory region", "access", attr->access);
	if (!ret)
		ret = check_iova(attr);
	return ret ? ret : check_on_demand(device, attr);
}

static struct ibv_mr *verbs_mr(struct segue_pd *pd, const struct segue_mr_options *attr,
			       uint32_t access)
{
	if (attr->use_dmabuf)
		return ibv_reg_dmabuf_mr(pd->pd, attr->dmabuf_offset, attr->length,
					 (uint64_t)(uintptr_t)attr->addr, attr->dmabuf_fd,
					 (int)access);
	/*
	 * Called as a function, because the macro needs constant flags to drop the optional ones.
	 */
	return ibv_reg_mr_iova2(
		pd->pd, attr->addr, attr->length, start_of(attr, access),
		access & ~(uint32_t)SEGUE_ACCESS_FLAGS_ZERO_BASED);
}

/* `parent` is the domain or lies below it. */
static int make_mr(struct segue_pd *pd, struct seguei_object *parent,
		   const struct segue_mr_options *attr, uint32_t access, struct segue_mr **out)
{
	struct segue_mr *mr = seguei_object_alloc(sizeof(*mr), "Memory region");

	if (!mr)
		return -ENOMEM;
	mr->mr = verbs_mr(pd, attr, access);
	if (!mr->mr) {
		const int err = errno ? errno : EIO;

		free(mr);
		if (attr->use_dmabuf &&
		    (err == EOPNOTSUPP || err == EPROTONOSUPPORT || err == ENOSYS))
			return seguei_fail(ENOTSUP,
					   "Memory region: use_dmabuf was asked for, but %s or its "
					   "driver does not register "
					   "dma-buf memory; copy through host memory instead.",
					   segue_device_name(seguei_device_of(&pd->object)));
		return seguei_fail(err, "Memory region of %llu bytes at %p, access 0x%x: %s%s%s.",
				   (unsigned long long)attr->length, attr->addr, attr->access,
				   strerror(err),
				   err == EFAULT ? "; not all of it is memory of this program" : "",
				   seguei_memlock_hint(err));
	}
	mr->start = start_of(attr, access);
	mr->length = attr->length;
	mr->access = access;
	mr->pd = pd;
	mr->by_address = names_by_address(attr, access);
	seguei_object_open(&mr->object, &mr_kind, parent, seguei_key_of(mr->mr));
	mr->object.number = mr->mr->lkey;
	*out = mr;
	return 0;
}

/* The access to register with: LOCAL_WRITE is added where the rules ask for it. */
static int region_access(struct segue_pd *pd, const struct segue_mr_options *options,
			 uint32_t *access)
{
	const int ret = check_attr(pd, options);

	if (ret)
		return ret;
	*access = seguei_access_flags(options->access);
	if (*access & NEEDS_LOCAL_WRITE)
		*access |= SEGUE_ACCESS_FLAGS_LOCAL_WRITE;
	return 0;
}

int seguei_mr_open_below(struct segue_pd *pd, struct seguei_object *parent,
			 const struct segue_mr_options *options, struct segue_mr **out)
{
	uint32_t access;
	const int ret = region_access(pd, options, &access);

	return ret ? ret : make_mr(pd, parent, options, access, out);
}

int segue_mr_open(struct segue_pd *pd, const struct segue_mr_options *options,
		  struct segue_mr **out)
{
	return seguei_mr_open_below(pd, &pd->object, options, out);
}

/* Options that ibv_rereg_mr() has no arguments for. */
static int check_rereg(const struct segue_mr *mr, const struct segue_mr_options *attr,
		       uint32_t access)
{
	if (mr->by_address && names_by_address(attr, access))
		return 0;
	return seguei_fail(EINVAL,
			   "The memory region 0x%x cannot be registered again %s: expected memory "
			   "that requests name by its address; open another region.",
			   mr->object.number, mr->by_address ? "in that way" : "as it is");
}

static int refuse_rereg(const struct segue_mr *mr, int ret)
{
	const int err = errno ? errno : EIO;

	if (err == EBUSY)
		return refuse_bound(mr, "registered again");
	if (ret == IBV_REREG_MR_ERR_INPUT || ret == IBV_REREG_MR_ERR_DONT_FORK_NEW)
		return seguei_fail(err, "The memory region 0x%x is as it was: %s%s.",
				   mr->object.number, strerror(err), seguei_memlock_hint(err));
	return seguei_fail(EIO, "The memory region 0x%x cannot be used any more: %s; close it.",
			   mr->object.number, strerror(err));
}

int segue_mr_rereg(struct segue_mr *mr, const struct segue_mr_options *attr)
{
	uint32_t access = 0;
	int ret = seguei_object_check((struct seguei_object *)mr, &mr_kind,
				      "Registering a memory region again");

	if (!ret)
		ret = region_access(mr->pd, attr, &access);
	if (!ret)
		ret = check_rereg(mr, attr, access);
	if (ret)
		return ret;
	errno = 0;
	ret = ibv_rereg_mr(mr->mr, IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_ACCESS,
			   NULL, attr->addr, attr->length, (int)access);
	if (ret && ret != IBV_REREG_MR_ERR_DO_FORK_OLD) /* the new registration exists */
		return refuse_rereg(mr, ret);
	mr->start = start_of(attr, access);
	mr->length = attr->length;
	mr->access = access;
	mr->object.number = mr->mr->lkey;
	return 0;
}

int segue_mr_close(struct segue_mr *mr)
{
	return seguei_object_close((struct seguei_object *)mr, &mr_kind);
}

int seguei_mr_region(struct segue_mr *mr, struct seguei_region *region)
{
	const int ret = seguei_object_check((struct seguei_object *)mr, &mr_kind,
					    "Using a memory region");

	if (ret)
		return ret;
	region->pd = mr->pd;
	region->start = mr->start;
	region->length = mr->length;
	region->access = mr->access << SEGUEI_ACCESS_SHIFT;
	return 0;
}

struct segue_local_key segue_mr_lkey(const struct segue_mr *mr)
{
	const struct segue_local_key key = {mr->mr->lkey};

	return key;
}

struct ibv_mr *segue_mr_ibv(struct segue_mr *mr)
{
	return mr->mr;
}

/* True if [offset, offset + length) is not empty and lies within `whole` bytes. */
static bool within(uint64_t offset, uint64_t length, uint64_t whole)
{
	return length && offset <= whole && length <= whole - offset;
}

static int refuse_range(uint64_t offset, uint64_t length, uint64_t whole)
{
	return seguei_fail(
		ERANGE, "%llu bytes at offset %llu are not a piece of the %llu bytes there are.",
		(unsigned long long)length, (unsigned long long)offset, (unsigned long long)whole);
}

/* Limit of one call: an entry of its list has a 32-bit length. */
#define PREFETCH_MOST ((uint64_t)1 << 30)

int segue_mr_prefetch(struct segue_mr *mr, uint64_t offset, uint64_t length)
{
	const enum ibv_advise_mr_advice advice = mr->access & SEGUE_ACCESS_FLAGS_LOCAL_WRITE
							 ? IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE
							 : IBV_ADVISE_MR_ADVICE_PREFETCH;
	struct ibv_sge piece = {.lkey = mr->mr->lkey};
	int ret;

	if (!(mr->access & SEGUE_ACCESS_FLAGS_ON_DEMAND))
		return seguei_fail(EINVAL,
				   "The memory region 0x%x cannot be prefetched: it was opened "
				   "without ON_DEMAND, so its pages are "
				   "always there.",
				   mr->object.number);
	if (!within(offset, length, mr->length))
		return refuse_range(offset, length, mr->length);
	for (; length; offset += piece.length, length -= piece.length) {
		piece.addr = mr->start + offset;
		piece.length = (uint32_t)(length < PREFETCH_MOST ? length : PREFETCH_MOST);
		/* returns the error number */
		ret = ibv_advise_mr(mr->pd->pd, advice, IBV_ADVISE_MR_FLAG_FLUSH, &piece, 1);
		if (ret)
			return seguei_fail(
				ret,
				"%u bytes at offset %llu of the memory region 0x%x cannot be "
				"prefetched: %s%s.",
				piece.length, (unsigned long long)offset, mr->object.number,
				strerror(ret),
				ret == EFAULT
					? "; there is no memory there, or none that may be written"
					: "");
	}
	return 0;
}

int segue_mr_local_buf(const struct segue_mr *mr, uint64_t offset, uint64_t length,
		       struct segue_local_buf *out)
{
	if (!within(offset, length, mr->length))
		return refuse_range(offset, length, mr->length);
	if (length > INT32_MAX)
		return seguei_fail(ERANGE, "An SGE takes at most 2^31 - 1 bytes, not %llu.",
				   (unsigned long long)length);
	out->addr = mr->start + offset;
	out->length = (uint32_t)length;
	out->key.lkey = mr->mr->lkey;
	return 0;
}

int segue_mr_remote_buf(const struct segue_mr *mr, uint64_t offset, uint64_t length,
			struct segue_remote_buf *out)
{
	if (!(mr->access & (REMOTE_ACCESS | SEGUE_ACCESS_FLAGS_MW_BIND)))
		return seguei_fail(EACCES,
				   "The memory region 0x%x is local: no peer may reach it; open it "
				   "with a REMOTE right or MW_BIND in access.",
				   mr->object.number);
	if (!within(offset, length, mr->length))
		return refuse_range(offset, length, mr->length);
	out->addr = mr->start + offset;
	out->length = length;
	out->key.rkey = mr->mr->rkey;
	return 0;
}

int segue_local_buf_part(const struct segue_local_buf *whole, uint64_t offset, uint64_t length,
			 struct segue_local_buf *out)
{
	const struct segue_local_buf from = *whole; /* may be *out */

	if (!within(offset, length, from.length))
		return refuse_range(offset, length, from.length);
	out->addr = from.addr + offset;
	out->length = (uint32_t)length;
	out->key = from.key;
	return 0;
}

int segue_remote_buf_part(const struct segue_remote_buf *whole, uint64_t offset, uint64_t length,
			  struct segue_remote_buf *out)
{
	const struct segue_remote_buf from = *whole;

	if (!within(offset, length, from.length))
		return refuse_range(offset, length, from.length);
	out->addr = from.addr + offset;
	out->length = length;
	out->key = from.key;
	return 0;
}

void segue_remote_buf_pack(const struct segue_remote_buf *remote,
			   uint8_t wire[SEGUE_REMOTE_BUF_WIRE_SIZE])
{
	segue_put_be32(wire, WIRE_VERSION);
	segue_put_be32(wire + 4, remote->key.rkey);
	segue_put_be64(wire + 8, remote->addr);
	segue_put_be64(wire + 16, remote->length);
}

int segue_remote_buf_unpack(const void *wire, size_t size, struct segue_remote_buf *out)
{
	const uint8_t *bytes = wire;
	uint64_t addr, length;

	if (size != SEGUE_REMOTE_BUF_WIRE_SIZE)
		return seguei_fail(EPROTO, "Remote memory: size is %zu bytes, expected %d.", size,
				   SEGUE_REMOTE_BUF_WIRE_SIZE);
	if (segue_get_be32(bytes) != WIRE_VERSION)
		return seguei_fail(EPROTO,
				   "Remote memory: version is %u, expected %d; both sides need the "
				   "same Segue.",
				   segue_get_be32(bytes), WIRE_VERSION);
	addr = segue_get_be64(bytes + 8);
	length = segue_get_be64(bytes + 16);
	if (!length || addr + (length - 1) < addr)
		return seguei_fail(EPROTO,
				   "Remote memory: length is %llu at address 0x%llx, expected 1 or "
				   "more that end below 2^64.",
				   (unsigned long long)length, (unsigned long long)addr);
	out->key.rkey = segue_get_be32(bytes + 4);
	out->addr = addr;
	out->length = length;
	return 0;
}
