/* SPDX-License-Identifier: BSD-2-Clause */
/* Content of the device's sysfs tree: classes, ports, GIDs and PCI functions. */
#include "tools/softhca/uverbs/sysfs/sysfs.h"

#include <rdma/ib_user_ioctl_verbs.h>
#include <stdio.h>
#include <string.h>

#include "tools/softhca/uverbs/sysfs/netdev.h"
#include "tools/softhca/uverbs/sysfs/sysfs_counters.h"

#define TREE_TEXT_SIZE 1024
#define PCI_DRIVER     "mlx5_core"
#define PCI_PATH_SIZE  64

/* PCI function of a device. */
static void pci_path(char out[PCI_PATH_SIZE], int index)
{
	snprintf(out, PCI_PATH_SIZE, "devices/pci0000:00/0000:%02x:00.0", index + 3);
}

static void format_gid(char out[40], const uint8_t gid[16])
{
	char *p = out;

	for (int i = 0; i < 16; i += 2)
		p += sprintf(p, "%s%02x%02x", i ? ":" : "", gid[i], gid[i + 1]);
}

static void format_guid(char out[20], uint64_t guid)
{
	sprintf(out, "%04x:%04x:%04x:%04x", (unsigned)(guid >> 48) & 0xffff,
		(unsigned)(guid >> 32) & 0xffff, (unsigned)(guid >> 16) & 0xffff,
		(unsigned)guid & 0xffff);
}

static void write_gids(struct uv_tree *t, const char *base, const struct uv_sysfs_port *port,
		       const char *netdev)
{
	static const uint8_t zero[16];
	char rel[256], text[40];

	for (int i = 0; i < UV_SYSFS_GIDS; i++) {
		snprintf(rel, sizeof(rel), "%s/gids/%d", base, i);
		format_gid(text, port->gid[i]);
		uv_tree_put(t, rel, "%s", text);
		snprintf(rel, sizeof(rel), "%s/gid_attrs/types/%d", base, i);
		if (!memcmp(port->gid[i], zero, 16)) {
			/* The kernel answers EINVAL for an empty entry. Here it has no file. */
			uv_tree_remove(t, rel);
			continue;
		}
		uv_tree_put(t, rel, "%s",
			 port->gid_type[i] == IB_UVERBS_GID_TYPE_ROCE_V2 ? "RoCE v2"
									 : "IB/RoCE v1");
		if (port->ethernet) {
			snprintf(rel, sizeof(rel), "%s/gid_attrs/ndevs/%d", base, i);
			uv_tree_put(t, rel, "%s", netdev);
		}
	}
}

static void write_counters(struct uv_tree *t, const char *base, bool ethernet)
{
	const char *name;
	char rel[256];

	for (unsigned int i = 0; (name = uv_counter_name(ethernet, i)); i++) {
		snprintf(rel, sizeof(rel), "%s/%s", base, name);
		uv_tree_put(t, rel, "0");
	}
}

int uv_sysfs_counter(int tree, const struct uv_sysfs_counter *c, struct stat *st)
{
	struct uv_tree t = {.fd = tree, .folder = -1};
	char pci[PCI_PATH_SIZE], rel[UV_TREE_PATH];

	pci_path(pci, c->device);
	snprintf(rel, sizeof(rel), "%s/infiniband/%s/ports/%u/%s", pci, c->name, c->port, c->file);
	uv_tree_rewrite(&t, rel, c->value, st);
	uv_tree_done(&t);
	return t.err;
}

static void write_port(struct uv_tree *t, const char *dev, int num,
		       const struct uv_sysfs_port *port, const char *netdev)
{
	char base[192], rel[256];

	snprintf(base, sizeof(base), "%s/ports/%d", dev, num);
#define PORT_FILE(name, ...) \
	(snprintf(rel, sizeof(rel), "%s/" name, base), uv_tree_put(t, rel, __VA_ARGS__))
	PORT_FILE("state", port->active ? "4: ACTIVE" : "1: DOWN");
	PORT_FILE("phys_state", port->active ? "5: LinkUp" : "3: Disabled");
	PORT_FILE("lid", "0x%x", port->lid);
	PORT_FILE("lid_mask_count", "0");
	PORT_FILE("sm_lid", "0x%x", port->sm_lid);
	PORT_FILE("sm_sl", "0");
	PORT_FILE("cap_mask", "0x%08x", port->cap_mask);
	PORT_FILE("rate", "100 Gb/sec (4X EDR)");
	PORT_FILE("link_layer", port->ethernet ? "Ethernet" : "InfiniBand");
	PORT_FILE("pkeys/0", "0xffff");
#undef PORT_FILE
	write_gids(t, base, port, netdev);
	write_counters(t, base, port->ethernet);
}

/* Same as in the kernel: a directory below the PCI function, with a link in its class. */
void uv_tree_link_class(struct uv_tree *t, const char *pci, const char *class, const char *name)
{
	char rel[256], target[160];

	snprintf(rel, sizeof(rel), "%s/%s/%s/device", pci, class, name);
	snprintf(target, sizeof(target), "../../../%s", strrchr(pci, '/') + 1);
	uv_tree_link(t, rel, target);
	snprintf(rel, sizeof(rel), "%s/%s/%s/subsystem", pci, class, name);
	snprintf(target, sizeof(target), "../../../../../class/%s", class);
	uv_tree_link(t, rel, target);
	snprintf(rel, sizeof(rel), "class/%s/%s", class, name);
	snprintf(target, sizeof(target), "../../%s/%s/%s", pci, class, name);
	uv_tree_link(t, rel, target);
}

static bool has_ethernet(const struct uv_sysfs_dev *dev)
{
	for (int p = 0; p < dev->num_ports; p++)
		if (dev->ports[p].ethernet)
			return true;
	return false;
}

/*
 * One line for each region that a function may have: 6 BARs, the ROM, 6 of SR-IOV
 * (drivers/pci/pci-sysfs.c, resource_show()). All are empty, because BARs are not modelled.
 * Programs get their doorbell pages from the verbs device.
 */
static void write_resources(struct uv_tree *t, const char *rel)
{
	static const char empty[] = "0x0000000000000000 0x0000000000000000 0x0000000000000000";
	char text[TREE_TEXT_SIZE];
	size_t len = 0;

	for (int i = 0; i < 13; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s", i ? "\n" : "",
					empty);
	uv_tree_put(t, rel, "%s", text);
}

/* Links of the bus and of the driver to a function, for programs that start from PCI addresses. */
static void link_pci(struct uv_tree *t, const char *pci)
{
	const char *slot = strrchr(pci, '/') + 1;
	char rel[256], target[160];

	snprintf(rel, sizeof(rel), "bus/pci/devices/%s", slot);
	snprintf(target, sizeof(target), "../../../%s", pci);
	uv_tree_link(t, rel, target);
	snprintf(rel, sizeof(rel), "bus/pci/drivers/" PCI_DRIVER "/%s", slot);
	snprintf(target, sizeof(target), "../../../../%s", pci);
	uv_tree_link(t, rel, target);
	snprintf(rel, sizeof(rel), "%s/driver", pci);
	uv_tree_link(t, rel, "../../../bus/pci/drivers/" PCI_DRIVER);
	snprintf(rel, sizeof(rel), "%s/subsystem", pci);
	uv_tree_link(t, rel, "../../../bus/pci");
}

/* A card with only Ethernet ports is an Ethernet controller, others are InfiniBand controllers. */
static void write_pci(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci)
{
	const unsigned int subclass = has_ethernet(dev) ? 0 : 7;
	char rel[256], alias[80];

	snprintf(alias, sizeof(alias), "pci:v000015B3d%08Xsv000015B3sd00000000bc02sc%02Xi00",
		 dev->device_id, subclass);
#define PCI_FILE(name, ...) \
	(snprintf(rel, sizeof(rel), "%s/" name, pci), uv_tree_put(t, rel, __VA_ARGS__))
	PCI_FILE("vendor", "0x15b3");
	PCI_FILE("device", "0x%04x", dev->device_id);
	PCI_FILE("subsystem_vendor", "0x15b3");
	PCI_FILE("subsystem_device", "0x0000");
	PCI_FILE("class", "0x02%02x00", subclass);
	PCI_FILE("revision", "0x00");
	PCI_FILE("modalias", "%s", alias);
	PCI_FILE("uevent",
		 "DRIVER=" PCI_DRIVER "\nPCI_CLASS=2%02X00\nPCI_ID=15B3:%04X\n"
		 "PCI_SUBSYS_ID=15B3:0000\nPCI_SLOT_NAME=%s\nMODALIAS=%s",
		 subclass, dev->device_id, strrchr(pci, '/') + 1, alias);
	PCI_FILE("numa_node", "%d", dev->numa_node);
	PCI_FILE("local_cpus", "ffffffff");
	PCI_FILE("local_cpulist", "0-31");
	PCI_FILE("current_link_speed", "16.0 GT/s PCIe");
	PCI_FILE("current_link_width", "16");
	PCI_FILE("max_link_speed", "16.0 GT/s PCIe");
	PCI_FILE("max_link_width", "16");
#undef PCI_FILE
	snprintf(rel, sizeof(rel), "%s/resource", pci);
	write_resources(t, rel);
	link_pci(t, pci);
}

/* A loopback interface is not entered. Remains of an earlier process are removed. */
static void write_net(struct uv_tree *t, const char *pci, const char *netdev)
{
	char rel[256], target[64];

	snprintf(rel, sizeof(rel), "%s/net", pci);
	uv_tree_clear(t, rel, netdev);
	if (!netdev) {
		uv_tree_remove(t, rel);
		return;
	}
	snprintf(rel, sizeof(rel), "%s/net/%s", pci, netdev);
	snprintf(target, sizeof(target), "/sys/class/net/%s", netdev);
	uv_tree_link(t, rel, target);
}

static void write_ibdev(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci,
			const char *netdev)
{
	char base[160], rel[256], guid[20];

	snprintf(base, sizeof(base), "%s/infiniband/%s", pci, dev->name);
	format_guid(guid, dev->node_guid);
#define DEV_FILE(name, ...) \
	(snprintf(rel, sizeof(rel), "%s/" name, base), uv_tree_put(t, rel, __VA_ARGS__))
	DEV_FILE("node_type", "1: CA");
	DEV_FILE("node_guid", "%s", guid);
	DEV_FILE("sys_image_guid", "%s", guid);
	DEV_FILE("node_desc", "softhca %s", dev->name);
	DEV_FILE("fw_ver", "28.99.1000");
	DEV_FILE("hca_type", "MT%u", dev->device_id);
	DEV_FILE("hw_rev", "0x0");
	DEV_FILE("board_id", "SOFTHCA000001");
#undef DEV_FILE
	for (int p = 0; p < dev->num_ports; p++)
		write_port(t, base, p + 1, &dev->ports[p], netdev);
	uv_tree_link_class(t, pci, "infiniband", dev->name);
}

static void write_uverbs(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci,
			 int idx)
{
	char name[32], base[160], rel[256];

	snprintf(name, sizeof(name), UV_CHRDEV_NAME "%d", UV_CHRDEV_FIRST + idx);
	snprintf(base, sizeof(base), "%s/infiniband_verbs/%s", pci, name);
#define UV_FILE(name, ...) \
	(snprintf(rel, sizeof(rel), "%s/" name, base), uv_tree_put(t, rel, __VA_ARGS__))
	UV_FILE("dev", "%d:%d", UV_CHRDEV_MAJOR, UV_CHRDEV_MINOR + idx);
	UV_FILE("ibdev", "%s", dev->name);
	UV_FILE("abi_version", "1");
#undef UV_FILE
	uv_tree_link_class(t, pci, "infiniband_verbs", name);
}

int uv_sysfs_write(int tree, const struct uv_sysfs_dev *devs, int count, uv_tree_more *more)
{
	struct uv_tree t = {.fd = tree, .folder = -1};
	char netdev[IF_NAMESIZE], pci[PCI_PATH_SIZE];
	const bool has_netdev = uv_netdev(netdev);

	uv_tree_put(&t, "class/infiniband_verbs/abi_version", "6");
	more(&t, NULL, NULL, 0);
	for (int i = 0; i < count; i++) {
		pci_path(pci, i);
		write_pci(&t, &devs[i], pci);
		write_net(&t, pci, has_netdev && has_ethernet(&devs[i]) ? netdev : NULL);
		write_ibdev(&t, &devs[i], pci, netdev);
		write_uverbs(&t, &devs[i], pci, i);
		more(&t, &devs[i], pci, i);
	}
	uv_tree_done(&t);
	if (t.err) /* an incomplete one would look like a device */
		uv_tree_clear(&(struct uv_tree){.fd = tree, .folder = -1}, "", NULL);
	return t.err;
}
