// SPDX-License-Identifier: BSD-2-Clause
/* segue check: does this card do what the library takes for granted? */
#include <errno.h>
#include <getopt.h>
#include <infiniband/verbs.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "segue/base.h"
#include "tools/segue/check/kit.h"
#include "tools/segue/commands.h"

#define LIMIT_S 60
#define GRACE_S 5 /* for the step that is under way when the time is up */

enum { PART_REQUESTS = 1, PART_FACTS = 2, PART_TIMES = 4, PART_ALL = 7 };

struct options {
	const char *device, *report, *fact;
	uint32_t port, limit, parts, list;
};

/* ---- the watch ---- */

static char watch_said[160];

/* Whatever hangs, a call into the kernel for instance, ends here. */
static void time_is_up(int number)
{
	(void)number;
	if (write(STDERR_FILENO, watch_said, strlen(watch_said)) < 0)
		_exit(SEGUE_EXIT_TIME);
	_exit(SEGUE_EXIT_TIME);
}

static void set_watch(uint64_t seconds)
{
	struct sigaction action = {.sa_handler = time_is_up};

	snprintf(watch_said, sizeof(watch_said),
		 "segue: stopped: the step behind the last line did not end within %llu s\n",
		 (unsigned long long)seconds);
	sigaction(SIGALRM, &action, NULL);
	alarm((unsigned int)seconds);
}

/* ---- what it is about to do, and on what ---- */

static void announce(FILE *out, const struct kit *kit, const struct options *o)
{
	fprintf(out,
		"segue check on %s, port %u: opens at most 6 queue pairs and 128 KiB of memory at "
		"a "
		"time, sends from the port to itself, changes "
		"nothing on the device,\nand ends within %llu seconds.\n",
		segue_device_name(kit->device), kit->port, (unsigned long long)o->limit + GRACE_S);
	fflush(out);
}

static void identify(FILE *file, const struct kit *kit)
{
	const unsigned int version = segue_version();
	struct ibv_device_attr attr;
	struct utsname system;
	char day[32] = "";
	const time_t now = time(NULL);

	if (strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S UTC", gmtime(&now)))
		fprintf(file, "date: %s\n", day);
	fprintf(file, "segue: %u.%u.%u\n", version / 1000000, version / 1000 % 1000,
		version % 1000);
	if (uname(&system) == 0)
		fprintf(file, "system: %s %s %s\n", system.sysname, system.release, system.machine);
	if (ibv_query_device(segue_device_ibv(kit->device), &attr) == 0)
		fprintf(file, "device: %s, firmware %s, part 0x%x, revision 0x%x\n",
			segue_device_name(kit->device), attr.fw_ver, attr.vendor_part_id,
			attr.hw_ver);
	fprintf(file, "port: %u, %s\n\n", kit->port,
		kit->link == SEGUE_LINK_IB ? "InfiniBand" : "RoCE");
}

static int open_report(struct kit *kit, const struct options *o)
{
	if (!o->report)
		return 0;
	kit->file = fopen(o->report, "w");
	if (!kit->file)
		return report_error("%s: %s; name another place with --report", o->report,
				    strerror(errno));
	announce(kit->file, kit, o);
	identify(kit->file, kit);
	return 0;
}

static void sum_up_to(FILE *out, const struct kit *kit)
{
	fprintf(out, "%u as assumed, %u otherwise, %u not seen, %u measured\n",
		kit->count[KIT_AS_ASSUMED], kit->count[KIT_OTHERWISE], kit->count[KIT_NOT_SEEN],
		kit->count[KIT_MEASURED]);
}

static int sum_up(struct kit *kit, const struct options *o)
{
	struct report *const r = kit->report;
	const bool late = !kit_time(kit);

	if (kit->file) {
		sum_up_to(kit->file, kit);
		if (fclose(kit->file))
			return report_error("%s: %s", o->report, strerror(errno));
		kit->file = NULL;
	}
	if (r->json) {
		report_record(r);
		report_string(r, "kind", "sum");
		report_number(r, "as_assumed", kit->count[KIT_AS_ASSUMED]);
		report_number(r, "otherwise", kit->count[KIT_OTHERWISE]);
		report_number(r, "not_seen", kit->count[KIT_NOT_SEEN]);
		report_number(r, "measured", kit->count[KIT_MEASURED]);
		report_record_end(r);
	} else {
		sum_up_to(stdout, kit);
	}
	if (o->report)
		fprintf(stderr,
			"segue: the report is in %s; please attach it when you report a defect\n",
			o->report);
	else if (kit->count[KIT_OTHERWISE])
		fputs("segue: these lines belong into a report of the defect; --report FILE keeps "
		      "them, with versions\n",
		      stderr);
	return kit->count[KIT_OTHERWISE] ? SEGUE_EXIT_OFFENCE
	       : late			 ? SEGUE_EXIT_TIME
					 : SEGUE_EXIT_OK;
}

/* ---- */

static int check(struct report *r, const struct options *o)
{
	struct kit kit = {.report = r};
	int status;

	set_watch(o->limit + GRACE_S);
	kit.until = segue_deadline_in_ms(o->limit * 1000);
	if (!kit_open(&kit, o->device, (uint8_t)o->port)) {
		status = report_error("%s", segue_errmsg());
		kit_close(&kit);
		return status;
	}
	status = open_report(&kit, o);
	if (!status) {
		announce(stderr, &kit, o);
		if (o->parts & PART_REQUESTS)
			check_requests(&kit);
		if (o->parts & PART_FACTS)
			check_facts(&kit, o->fact);
		if (o->parts & PART_TIMES)
			check_times(&kit);
		status = sum_up(&kit, o);
	}
	kit_close(&kit);
	alarm(0);
	return status;
}

static int take_part(void *to, const char *name)
{
	static const char *const names[] = {"requests", "facts", "times"};
	struct options *const o = to;
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (strcmp(names[i], name) == 0)
			break;
	if (i == 3 && !check_knows(name))
		return report_error("--only %s: expected requests, facts, times, or the name of a "
				    "fact as --list has it",
				    name);
	if (i == 3)
		o->fact = name;
	o->parts |= i == 3 ? (unsigned int)PART_FACTS : 1u << i;
	return SEGUE_EXIT_OK;
}

int command_check(struct report *r, int argc, char **argv)
{
	struct options o = {.port = 1, .limit = LIMIT_S};
	const struct report_option options[] = {
		{"device", 'd', .text = &o.device},
		{"port", 'p', .number = &o.port, .least = 1, .most = 255,
		 .refusal = "expected 1 to 255"},
		{"limit", 'l', .number = &o.limit, .least = 1, .most = 3600,
		 .refusal = "expected 1 to 3600 seconds"},
		{"report", 'r', .text = &o.report},
		{"only", 'o', .take = take_part, .to = &o},
		{"list", .is = 1, .number = &o.list},
		{.name = NULL},
	};
	int status;

	if (!report_options(r, argc, argv, help_check, options, &status))
		return status;
	if (optind < argc)
		return report_error("'%s' is not expected; a device is named with --device",
				    argv[optind]);
	if (o.list) {
		check_list(r);
		return SEGUE_EXIT_OK;
	}
	if (o.report && strcmp(o.report, "-") == 0)
		o.report = NULL;
	if (!o.parts)
		o.parts = PART_ALL;
	return check(r, &o);
}
