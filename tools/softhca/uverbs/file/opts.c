/* SPDX-License-Identifier: BSD-2-Clause */
/* Options from the environment (SOFTHCA_*), read and checked once. */
#include "tools/softhca/uverbs/file/file.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/trap/trap.h"

static const char *env(const char *name)
{
	const char *value = uv_libc()->getenv(name);

	return value && *value ? value : NULL;
}

static int bad(const char *name, const char *value, const char *expected)
{
	fprintf(stderr, "softhca: %s is \"%s\", but it must be %s\n", name, value, expected);
	return -EINVAL;
}

static int number(const char *name, unsigned long min, unsigned long max, unsigned int *out)
{
	const char *text = env(name);
	char expected[64], *end;
	unsigned long value;

	if (!text)
		return 0;
	value = strtoul(text, &end, 0);
	snprintf(expected, sizeof(expected), "a number from %lu to %lu", min, max);
	if (*end || value < min || value > max)
		return bad(name, text, expected);
	*out = (unsigned int)value;
	return 0;
}

static int boolean(const char *name, bool *out)
{
	const char *text = env(name);

	if (!text)
		return 0;
	if (!strcmp(text, "1") || !strcmp(text, "yes") || !strcmp(text, "on"))
		*out = true;
	else if (!strcmp(text, "0") || !strcmp(text, "no") || !strcmp(text, "off"))
		*out = false;
	else
		return bad(name, text, "0 or 1");
	return 0;
}

/* SOFTHCA_LINK: one word for all ports, or a comma list over the ports of all devices in order. */
static int link_layers(struct uv_opts *o)
{
	const char *text = env("SOFTHCA_LINK");
	const char *p = text;

	if (!text)
		return 0;
	for (unsigned int d = 0; d < o->devices; d++) {
		for (unsigned int i = 0; i < o->cfg[d].nports; i++) {
			size_t len = strcspn(p, ",");

			if (len == 2 && !strncasecmp(p, "ib", 2))
				o->cfg[d].link[i] = SOFTHCA_LINK_IB;
			else if (len == 4 && !strncasecmp(p, "roce", 4))
				o->cfg[d].link[i] = SOFTHCA_LINK_ROCE;
			else
				return bad("SOFTHCA_LINK", text,
					   "ib, roce or a comma list of both");
			if (p[len]) /* the last word is for all following ports */
				p += len + 1;
		}
	}
	return 0;
}

static int mtu(struct uv_opts *o)
{
	static const unsigned int bytes[] = {256, 512, 1024, 2048, 4096};
	unsigned int wanted = 0;

	if (!env("SOFTHCA_MTU"))
		return 0;
	if (number("SOFTHCA_MTU", bytes[0], bytes[4], &wanted))
		return -EINVAL;
	for (unsigned int i = 0; i < 5; i++) {
		if (wanted != bytes[i])
			continue;
		for (unsigned int d = 0; d < UV_MAX_DEVICES; d++) {
			o->cfg[d].max_mtu = (enum ibv_mtu)(i + 1);
			o->cfg[d].mtu_asked = true;
		}
		return 0;
	}
	return bad("SOFTHCA_MTU", env("SOFTHCA_MTU"), "256, 512, 1024, 2048 or 4096");
}

/* Fields of SOFTHCA_CAPS: name, place and width. */
static const struct cap {
	const char *name;
	size_t offset, size;
} caps[] = {
#define CAP(type, name, usual) {#name, offsetof(struct softhca_config, name), sizeof(type)},
	SOFTHCA_CAPS(CAP)
#undef CAP
};

static int set_cap(struct uv_opts *o, const char *name, size_t len, unsigned long long value)
{
	if (len == 2 && !strncmp(name, "bf", 2)) {
		o->no_bf = !value;
		return 0;
	}
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
		if (strlen(caps[i].name) != len || strncmp(caps[i].name, name, len))
			continue;
		for (unsigned int d = 0; d < UV_MAX_DEVICES; d++) {
			/* Only for little-endian machines, like all of softhca. */
			memcpy((char *)&o->cfg[d] + caps[i].offset, &value, caps[i].size);
		}
		return 0;
	}
	fprintf(stderr,
		"softhca: SOFTHCA_CAPS has \"%.*s\", which is not a capability; known are bf",
		(int)len, name);
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
		fprintf(stderr, ", %s", caps[i].name);
	fputc('\n', stderr);
	return -EINVAL;
}

static int capabilities(struct uv_opts *o)
{
	const char *text = env("SOFTHCA_CAPS");

	for (const char *p = text; p && *p;) {
		size_t len = strcspn(p, "=");
		unsigned long long value;
		char *end;

		if (!p[len])
			return bad("SOFTHCA_CAPS", text, "a comma list of name=number");
		value = strtoull(p + len + 1, &end, 0);
		if (end == p + len + 1 || (*end && *end != ','))
			return bad("SOFTHCA_CAPS", text, "a comma list of name=number");
		if (set_cap(o, p, len, value))
			return -EINVAL;
		p = *end ? end + 1 : end;
	}
	return 0;
}

/* Time when payloads are read, and detection of programs that change them. */
#define GATHER_LATE_NS 100000u

static int gathering(struct uv_opts *o, bool strict)
{
	const char *text = env("SOFTHCA_GATHER");
	const bool late = text && !strcmp(text, "late");

	if (text && !late && strcmp(text, "early"))
		return bad("SOFTHCA_GATHER", text, "early or late");
	for (unsigned int d = 0; d < UV_MAX_DEVICES; d++) {
		o->cfg[d].gather_ns = late ? GATHER_LATE_NS : 0;
		o->cfg[d].watch = late || strict;
	}
	return 0;
}

/* SOFTHCA_LATENCY: microseconds, and after a comma the largest random addition. */
#define LATENCY_MOST 1000000u
#define NS_PER_US    1000u

static int delays(struct uv_opts *o)
{
	const char *text = env("SOFTHCA_LATENCY");
	unsigned long us[2] = {0, 0};
	unsigned int seed = 1;
	char *end;

	if (text) {
		us[0] = strtoul(text, &end, 10);
		if (end != text && *end == ',')
			us[1] = strtoul(end + 1, &end, 10);
		if (end == text || *end || us[0] > LATENCY_MOST || us[1] > LATENCY_MOST)
			return bad("SOFTHCA_LATENCY", text,
				   "microseconds, up to 1000000, and after a comma the most that "
				   "is added");
	}
	if (number("SOFTHCA_SEED", 0, UINT_MAX, &seed))
		return -EINVAL;
	for (unsigned int d = 0; d < UV_MAX_DEVICES; d++) {
		o->cfg[d].latency_ns = (uint32_t)us[0] * NS_PER_US;
		o->cfg[d].jitter_ns = (uint32_t)us[1] * NS_PER_US;
		o->cfg[d].seed = seed;
	}
	return 0;
}

/* Part of the names of sockets. */
static int network(void)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	const char *name = env("SOFTHCA_NET");

	if (name && (strlen(name) > 32 || strspn(name, letters) != strlen(name)))
		return bad("SOFTHCA_NET", name, "at most 32 letters, digits, _, . and -");
	softhca_wire_fabric(name ? name : "");
	return 0;
}

static int host(void)
{
	const char *text = env("SOFTHCA_HOST");
	char address[INET_ADDRSTRLEN];
	unsigned int bits = 32;
	struct in_addr ip;
	int end = 0;

	if (!text ||
	    (sscanf(text, "%15[0-9.]%n/%u%n", address, &end, &bits, &end) >= 1 && !text[end] &&
	     bits >= 16 && bits <= 32 && inet_pton(AF_INET, address, &ip) == 1 &&
	     softhca_wire_host(ntohl(ip.s_addr), bits)))
		return 0;
	return bad("SOFTHCA_HOST", text,
		   "an IPv4 address of this machine, not a loopback one, or a network that it has "
		   "one in, with 16 to 32 bits: 10.0.0.1, 10.0.0.0/16; `ip addr` shows them");
}

/*
 * A user's tables are loaded before the program begins. Later another thread may hold the dynamic
 * linker's lock and wait for one of ours (docs/softhca/parts.md). Their faults are reported when
 * the options are read.
 */
__attribute__((constructor)) static void load_tables(void)
{
	const char *path = env("SOFTHCA_TABLES");
	char why[384];

	if (path && softhca_tables_load(path, why, sizeof(why)))
		snprintf(the_file.tables_refused, sizeof(the_file.tables_refused),
			 "softhca: SOFTHCA_TABLES is \"%s\", but %s\n", path, why);
}

struct softhca_fault_plan *uv_opts_plan(const struct uv_opts *o)
{
	char why[256];
	struct softhca_fault_plan *plan = softhca_fault_load(o->faults, why, sizeof(why));

	if (!plan)
		fprintf(stderr, "softhca: %s\n", why);
	return plan;
}

int softhca_check_options(void)
{
	struct uv_opts *const o = &the_file.opts;
	struct softhca_fault_plan *plan;
	int err = uv_opts_read(o);

	if (err || !o->faults)
		return err;
	plan = uv_opts_plan(o);
	softhca_fault_free(plan);
	return plan ? 0 : -EINVAL;
}

/*
 * valgrind steps no instruction, and at a fault it knows few of the registers. Its own libraries
 * stand before all others.
 */
static bool below_valgrind(void)
{
	const char *libraries = env("LD_PRELOAD");

	return libraries && strstr(libraries, "/vgpreload_");
}

static bool can_trap(void)
{
	if (!below_valgrind())
		return true;
	fputs("softhca: doorbells are polled, because they cannot trap below valgrind.\n", stderr);
	return false;
}

int uv_opts_read(struct uv_opts *o)
{
	const char *doorbell = env("SOFTHCA_DOORBELL"), *wire = env("SOFTHCA_WIRE");
	unsigned int ports = 1;
	bool strict = false, remarks = false;

	memset(o, 0, sizeof(*o));
	o->devices = 1;
	if (number("SOFTHCA_DEVICES", 0, UV_MAX_DEVICES, &o->devices) ||
	    number("SOFTHCA_PORTS", 1, SOFTHCA_MAX_PORTS, &ports) ||
	    boolean("SOFTHCA_STRICT", &strict) || boolean("SOFTHCA_REMARKS", &remarks) ||
	    boolean("SOFTHCA_VERBOSE", &o->verbose))
		return -EINVAL;
	if (doorbell && strcmp(doorbell, "poll") && (!UV_TRAPS || strcmp(doorbell, "trap")))
		return bad("SOFTHCA_DOORBELL", doorbell,
			   UV_TRAPS ? "poll or trap" : "poll; trap needs an x86-64 processor");
	o->trap = doorbell && !strcmp(doorbell, "trap") && can_trap();
	if (wire && strcmp(wire, "memory") && strcmp(wire, "udp"))
		return bad("SOFTHCA_WIRE", wire, "memory or udp");
	if (network() || host())
		return -EINVAL;
	softhca_wire_rings(!wire || strcmp(wire, "udp"));
	o->tables = env("SOFTHCA_TABLES");
	if (o->tables && *the_file.tables_refused) {
		fputs(the_file.tables_refused, stderr);
		return -EINVAL;
	}
	o->pcap = env("SOFTHCA_PCAP");
	o->faults = env("SOFTHCA_FAULTS");
	o->dir = env("SOFTHCA_DIR");
	if (!o->dir) {
		snprintf(the_file.dir, sizeof(the_file.dir), "%s/softhca-%u",
			 env("TMPDIR") ? env("TMPDIR") : "/tmp", (unsigned int)getuid());
		o->dir = the_file.dir;
	}
	for (unsigned int d = 0; d < UV_MAX_DEVICES; d++) {
		softhca_config_init(&o->cfg[d]);
		snprintf(o->cfg[d].name, sizeof(o->cfg[d].name), "mlx5_%u", d);
		o->cfg[d].index = d;
		o->cfg[d].nports = ports;
		for (unsigned int p = 0; p < ports; p++)
			o->cfg[d].link[p] = SOFTHCA_LINK_IB;
		o->cfg[d].strict = strict;
		o->cfg[d].remarks = remarks;
		o->cfg[d].referee_json = env("SOFTHCA_REPORT");
		o->cfg[d].dump = env("SOFTHCA_DUMP");
	}
	if (link_layers(o) || mtu(o) || gathering(o, strict) || delays(o))
		return -EINVAL;
	return capabilities(o);
}
