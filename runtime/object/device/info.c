/* SPDX-License-Identifier: BSD-2-Clause */
/* Properties of a device and its ports beyond verbs' limits: place, clock, counters, GID table. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/object/device/device.h"
#include "segue/base.h"
#include "segue/device.h"

/* Sysfs folder of a device. Source: Documentation/ABI/stable/sysfs-class-infiniband. */
#define FOLDER "/sys/class/infiniband/%s"

/* Reads one number from a file there: 0 or a negative errno, without a sentence. */
static int read_number(const struct segue_device *device, const char *file, int64_t *value)
{
	char path[PATH_MAX], text[32];
	ssize_t length;
	char *end;
	int fd;

	if (snprintf(path, sizeof(path), FOLDER "/%s", segue_device_name(device), file) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return -EIO;
	text[length] = 0;
	*value = (int64_t)strtoull(text, &end, 10); /* 2^64 - 1 stands for -1 */
	return end == text ? -EIO : 0;
}

int segue_device_query_place(struct segue_device *device, struct segue_place_info *place)
{
	char path[PATH_MAX], target[PATH_MAX];
	int64_t node;
	ssize_t length;
	int ret;

	ret = seguei_object_check(&device->object, &seguei_device_kind,
				  "segue_device_query_place()");
	if (ret)
		return ret;
	memset(place, 0, sizeof(*place));
	place->numa_node = read_number(device, "device/numa_node", &node) ? -1 : (int)node;
	if (snprintf(path, sizeof(path), FOLDER "/device", segue_device_name(device)) >=
	    (int)sizeof(path))
		return 0;
	length = readlink(path, target, sizeof(target) - 1);
	if (length > 0) {
		const char *name;

		target[length] = 0;
		name = strrchr(target, '/');
		snprintf(place->pci, sizeof(place->pci), "%.*s", (int)sizeof(place->pci) - 1,
			 name ? name + 1 : target);
	}
	return 0;
}

int segue_device_query_counter(struct segue_device *device, uint8_t port, const char *name,
			       uint64_t *value)
{
	static const char *const folders[] = {"counters", "hw_counters"};
	char file[128];
	int64_t number;
	size_t i;
	int ret;

	ret = seguei_object_check(&device->object, &seguei_device_kind,
				  "segue_device_query_counter()");
	if (ret)
		return ret;
	if (strchr(name, '/') || strlen(name) > sizeof(file) / 2)
		return seguei_fail(EINVAL,
				   "segue_device_query_counter(): \"%s\" is no name of a counter.",
				   name);
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(file, sizeof(file), "ports/%u/%s/%s", port, folders[i], name);
		ret = read_number(device, file, &number);
		if (!ret) {
			*value = (uint64_t)number;
			return 0;
		}
	}
	return seguei_fail(
		ENOENT,
		"Port %u of %s has no counter %s; see counters and hw_counters in " FOLDER
		"/ports/%u.",
		port, segue_device_name(device), name, segue_device_name(device), port);
}

int segue_device_query_ticks(struct segue_device *device, uint64_t *ticks)
{
	struct ibv_values_ex values = {0};
	int ret;

	ret = seguei_object_check(&device->object, &seguei_device_kind,
				  "segue_device_query_ticks()");
	if (ret)
		return ret;
	values.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	/* an error number, of either sign */
	ret = ibv_query_rt_values_ex(device->context, &values);
	if (ret || !(values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK))
		return seguei_fail(ENOTSUP, "%s does not let its clock be read.",
				   segue_device_name(device));
	*ticks = (uint64_t)values.raw_clock.tv_nsec;
	return 0;
}

int segue_device_query_clock(struct segue_device *device, struct segue_clock *clock)
{
	struct mlx5dv_clock_info info;
	int ret = seguei_object_check(&device->object, &seguei_device_kind,
				      "segue_device_query_clock()");

	if (ret)
		return ret;
	ret = mlx5dv_get_clock_info(device->context, &info); /* returns the error number */
	if (ret == EBUSY)
		return seguei_fail(
			EAGAIN,
			"%s: the kernel is writing its clock page at this moment; call again.",
			segue_device_name(device));
	if (ret)
		return seguei_fail(ENOTSUP,
				   "%s: its driver does not convert its clock to wall-clock time "
				   "(mlx5dv_get_clock_info: %s); "
				   "segue_caps.clock_khz turns differences into time.",
				   segue_device_name(device), strerror(ret));
	*clock = (struct segue_clock){
		.ns = info.nsec,
		.fraction = info.frac,
		.ticks = info.last_cycles,
		.mask = info.mask,
		.mult = info.mult,
		.shift = info.shift,
	};
	return 0;
}

static enum segue_gid_type type_of(uint32_t verbs)
{
	return verbs == IBV_GID_TYPE_ROCE_V2
		       ? SEGUE_GID_ROCE_V2
		       : (verbs == IBV_GID_TYPE_ROCE_V1 ? SEGUE_GID_ROCE_V1 : SEGUE_GID_IB);
}

static uint32_t entries_of(const struct ibv_gid_entry *table, ssize_t count, uint8_t port,
			   struct segue_gid_info *infos, uint32_t max)
{
	uint32_t found = 0;
	ssize_t i;

	for (i = 0; i < count; i++) {
		if (table[i].port_num != port)
			continue;
		if (found < max) {
			memcpy(infos[found].gid.bytes, table[i].gid.raw,
			       sizeof(infos[found].gid.bytes));
			infos[found].type = type_of(table[i].gid_type);
			infos[found].index = table[i].gid_index;
			infos[found].interface = table[i].ndev_ifindex;
		}
		found++;
	}
	return found;
}

int segue_device_query_gids(struct segue_device *device, uint8_t port, struct segue_gid_info *infos,
			    uint32_t max)
{
	struct ibv_gid_entry *table;
	struct segue_port_info about;
	uint32_t room = 0, i;
	ssize_t count;
	int ret;

	ret = segue_device_query_port(device, port, &about);
	if (ret)
		return ret;
	/* The call reads the tables of all ports. */
	for (i = 1; i <= device->caps.ports; i++) {
		ret = segue_device_query_port(device, (uint8_t)i, &about);
		if (ret)
			return ret;
		room += about.gids;
	}
	table = calloc(room ? room : 1, sizeof(*table));
	if (!table)
		return seguei_fail(ENOMEM, "segue_device_query_gids(): no memory for %u entries.",
				   room);
	/* number of entries, or a negative errno */
	count = ibv_query_gid_table(device->context, table, room, 0);
	ret = count < 0 ? seguei_fail((int)-count,
				      "Port %u of %s: the GID tables cannot be read: %s.", port,
				      segue_device_name(device), strerror((int)-count))
			: (int)entries_of(table, count, port, infos, max);
	free(table);
	return ret;
}

/* Reads all entries of a port at one moment. The caller frees them, even after an error. */
static int all_gids(struct segue_device *device, uint8_t port, struct segue_gid_info **infos)
{
	struct segue_port_info info;
	int count, ret;

	*infos = NULL;
	ret = segue_device_query_port(device, port, &info);
	if (ret)
		return ret;
	*infos = calloc((size_t)info.gids + 1, sizeof(**infos));
	if (!*infos)
		return seguei_fail(ENOMEM, "Port %u of %s: no memory for %u GIDs.", port,
				   segue_device_name(device), info.gids);
	count = segue_device_query_gids(device, port, *infos, info.gids);
	return count > (int)info.gids ? (int)info.gids : count;
}

static bool in_subnet(const struct segue_gid *gid, const struct segue_gid *subnet, uint32_t bits)
{
	const uint32_t bytes = bits / 8, rest = bits % 8;

	if (memcmp(gid->bytes, subnet->bytes, bytes) != 0)
		return false;
	return !rest || (gid->bytes[bytes] ^ subnet->bytes[bytes]) >> (8 - rest) == 0;
}

static bool fits(const struct segue_gid_info *info, const struct segue_gid_filter *filter)
{
	return !filter || ((!filter->interface || info->interface == filter->interface) &&
			   in_subnet(&info->gid, &filter->subnet, filter->subnet_bits));
}

static int no_gid(const struct segue_device *device, uint8_t port,
		  const struct segue_gid_filter *filter, int count)
{
	if (!filter)
		return seguei_fail(ENOENT,
				   "Port %u of %s has no GID; its interface needs an IP address.",
				   port, segue_device_name(device));
	return seguei_fail(ENOENT,
			   "None of the %d GIDs of port %u of %s is of that interface and subnet; "
			   "see ibv_devinfo -v.",
			   count, port, segue_device_name(device));
}

int segue_device_find_gid(struct segue_device *device, uint8_t port,
			  const struct segue_gid_filter *filter, struct segue_gid_info *info)
{
	struct segue_port_info about = {.link = SEGUE_LINK_ROCE};
	struct segue_gid_info *all = NULL;
	const struct segue_gid_info *best = NULL;
	int count, i;

	if (filter && filter->subnet_bits > 8 * sizeof(filter->subnet.bytes))
		return seguei_fail(
			EINVAL, "segue_device_find_gid(): subnet_bits is %u, expected at most 128.",
			filter->subnet_bits);
	count = filter ? 0 : segue_device_query_port(device, port, &about);
	if (count)
		return count;
	if (about.link == SEGUE_LINK_IB)
		return segue_device_query_gid(device, port, 0, info);
	count = all_gids(device, port, &all);
	for (i = 0; i < count; i++)
		if (fits(&all[i], filter) &&
		    (!best || seguei_gid_worth(&all[i]) > seguei_gid_worth(best)))
			best = &all[i];
	if (best)
		*info = *best;
	free(all);
	if (count < 0)
		return count;
	return best ? 0 : no_gid(device, port, filter, count);
}
