// SPDX-License-Identifier: BSD-2-Clause
/* segue devices: which cards there are, and what Segue can use of them. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "segue/base.h"
#include "segue/device.h"
#include "tools/segue/commands.h"

#define DEVICES_MAX 64

/* Features of a device, and what is missing without them. */
struct ability {
	const char *name;
	bool there;
	const char *without;
};

static bool has_ethernet(struct segue_device *device)
{
	const uint32_t ports = segue_device_caps(device)->ports;
	struct segue_port_info info;
	uint32_t port;

	for (port = 1; port <= ports; port++)
		if (segue_device_query_port(device, (uint8_t)port, &info) == 0 &&
		    info.link == SEGUE_LINK_ROCE)
			return true;
	return false;
}

static size_t abilities_of(const struct segue_caps *c, bool ethernet, struct ability *a)
{
	const struct ability all[] = {
		{"atomics", c->atomics,
		 "compare-and-swap and fetch-and-add are refused by this device or its firmware "
		 "settings"},
		{"masked atomics", c->masked_atomics, "the firmware does not offer them"},
		{"memory windows", c->memory_windows,
		 "bind_mw and send_inv have nothing to act on"},
		{"XRC", c->xrc, "queue pairs of xrc_initiator and xrc_target cannot be made"},
		{"DC", c->dc,
		 "queue pairs of dci and dct cannot be made; it is a ConnectX-4 or older, or "
		 "Ethernet without DC in its firmware"},
		{"DCI streams", c->dci_streams, "the firmware does not offer them"},
		{"on-demand paging", c->on_demand_paging,
		 "memory must be registered and pinned; see ODP_ENABLED in the firmware's "
		 "settings"},
		{"signatures (T10-DIF, CRC)", c->signature,
		 "keys of segue/mkey.h with signatures cannot be made"},
		{"crypto (AES-XTS)", c->crypto,
		 "keys of segue/mkey.h with encryption cannot be made; the card has no crypto "
		 "licence"},
		{"indirect keys (UMR)", c->umr_max_pieces != 0,
		 "the kernel offers no DEVX to this user, so keys of UMR cannot be made"},
		{"memcpy by the device", c->max_memcpy != 0,
		 "the device has no MMO DMA, or the kernel does not tell"},
		{"striding receive queues", c->striding_rq,
		 ethernet ? "the card or its firmware does not offer them"
			  : "they take raw Ethernet frames, and its ports are InfiniBand"},
		{"completion compression", c->cqe_compression, "completions take 64 bytes each"},
		{"time stamps of completions", c->timestamp_mask != 0,
		 "completion queues with timestamps are refused"},
		{"user index in completions", c->cqe_version_1,
		 "a completion queue then serves one XRC shared queue"},
	};

	memcpy(a, all, sizeof(all));
	return sizeof(all) / sizeof(all[0]);
}

static void put_abilities(struct report *r, struct segue_device *device)
{
	const struct segue_caps *const caps = segue_device_caps(device);
	struct ability abilities[16];
	const size_t n = abilities_of(caps, has_ethernet(device), abilities);
	size_t i;

	report_opens(r, "abilities", '{');
	for (i = 0; i < n; i++) {
		report_bool(r, abilities[i].name, abilities[i].there);
		report_text(r, "    %s %s%s%s\n", abilities[i].there ? "yes" : "no ",
			    abilities[i].name, abilities[i].there ? "" : ": ",
			    abilities[i].there ? "" : abilities[i].without);
	}
	report_closes(r, '}');
	report_text(r,
		    "    at most %u queue pairs of %u requests, %u completion queues of %u "
		    "entries, %u SGEs\n",
		    caps->max_qp, caps->max_qp_wr, caps->max_cq, caps->max_cqe, caps->max_sge);
}

static const char *gid_type(enum segue_gid_type type)
{
	return type == SEGUE_GID_IB	   ? "InfiniBand"
	       : type == SEGUE_GID_ROCE_V1 ? "RoCE v1"
					   : "RoCE v2";
}

static void put_gid(struct report *r, const struct segue_gid_info *gid)
{
	char text[48] = "";
	size_t i, at = 0;

	for (i = 0; i < 16; i += 2)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%02x%02x", i ? ":" : "",
				       gid->gid.bytes[i], gid->gid.bytes[i + 1]);
	report_opens(r, NULL, '{');
	report_number(r, "index", gid->index);
	report_string(r, "gid", text);
	report_string(r, "type", gid_type(gid->type));
	report_closes(r, '}');
	report_text(r, "      GID %u %s %s\n", gid->index, text, gid_type(gid->type));
}

static void put_port(struct report *r, struct segue_device *device,
		     const struct segue_port_info *port)
{
	const char *const link = port->link == SEGUE_LINK_IB ? "InfiniBand" : "RoCE";
	struct segue_gid_info gid;
	uint32_t i;

	report_opens(r, NULL, '{');
	report_number(r, "port", port->port);
	report_string(r, "link", link);
	report_bool(r, "active", port->active);
	report_number(r, "mtu", port->mtu);
	report_number(r, "lid", port->lid);
	report_opens(r, "gids", '[');
	report_text(r, "    port %u: %s, %s, MTU %u of %u", port->port, link,
		    port->active ? "active" : "not active", port->mtu, port->max_mtu);
	if (port->link == SEGUE_LINK_IB)
		report_text(r, ", LID %u", port->lid);
	report_text(r, "\n");
	if (!r->json && !r->verbose) {
		if (segue_device_find_gid(device, port->port, NULL, &gid) == 0)
			put_gid(r, &gid);
	} else {
		for (i = 0; i < port->gids; i++)
			if (segue_device_query_gid(device, port->port, i, &gid) == 0)
				put_gid(r, &gid);
	}
	report_closes(r, ']');
	report_closes(r, '}');
}

static void put_ports(struct report *r, struct segue_device *device)
{
	const uint32_t ports = segue_device_caps(device)->ports;
	struct segue_port_info info;
	uint32_t port;

	report_opens(r, "ports", '[');
	for (port = 1; port <= ports; port++)
		if (segue_device_query_port(device, (uint8_t)port, &info) == 0)
			put_port(r, device, &info);
	report_closes(r, ']');
}

/* True if Segue can use it. */
static bool put_device(struct report *r, const struct segue_device_info *info)
{
	struct segue_device *device = NULL;
	const char *why = "it is no mlx5 device, and Segue writes mlx5's work requests";
	int err = 0;

	if (info->supported) {
		err = segue_device_open(info->name, &device);
		why = segue_errmsg();
	}
	report_record(r);
	report_string(r, "name", info->name);
	report_bool(r, "usable", device != NULL);
	report_string(r, "why_not", device ? NULL : why);
	report_text(r, "%s%s%s, node %016" PRIx64 "%s%s\n", report_strong(r), info->name,
		    report_plain(r), info->guid,
		    device ? "" : ": cannot be used: ", device ? "" : why);
	if (device) {
		put_ports(r, device);
		put_abilities(r, device);
	}
	report_record_end(r);
	if (device)
		err = segue_device_close(device);
	return device && !err;
}

static bool wanted(const char *name, int argc, char **argv)
{
	int i;

	for (i = optind; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return optind == argc;
}

int command_devices(struct report *r, int argc, char **argv)
{
	const struct report_option options[] = {{"verbose", 'v', .is = 1, .number = &r->verbose},
						{.name = NULL}};
	struct segue_device_info infos[DEVICES_MAX];
	bool usable = false, any = false;
	int n, i, status;

	if (!report_options(r, argc, argv, help_devices, options, &status))
		return status;
	n = segue_device_list(infos, DEVICES_MAX);
	if (n < 0)
		return report_error("%s", segue_errmsg());
	for (i = 0; i < n && i < DEVICES_MAX; i++) {
		if (!wanted(infos[i].name, argc, argv))
			continue;
		any = true;
		usable |= put_device(r, &infos[i]);
	}
	if (!any)
		fprintf(stderr,
			"segue: there is no RDMA device%s here; without a card, run it below "
			"softhca: softhca segue devices\n",
			optind < argc ? " of that name" : "");
	return usable ? SEGUE_EXIT_OK : SEGUE_EXIT_OFFENCE;
}
