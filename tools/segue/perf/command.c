// SPDX-License-Identifier: BSD-2-Clause
/* segue perf: latency and rate between two hosts, or between the ranks of a launcher. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/base.h"
#include "tools/segue/commands.h"
#include "tools/segue/perf/output.h"
#include "tools/segue/perf/ranks.h"

#define PORT	    "18540"
#define ROWS_MAX    (PERF_OPS * PERF_SIZES_MAX)
#define TERMINAL_S  1  /* between two reports of progress, on a terminal, */
#define ELSEWHERE_S 10 /* and elsewhere */
#define ALL_OPS	    ((1u << PERF_OPS) - 1)

struct options {
	struct perf_plan plan;
	struct perf_choice choice;
	uint32_t server, histogram, ranks, timeout_s;
	const char *host, *port, *svg;
	struct report *report;
};

/* ---- one rank ---- */

/* The plan's rows in their order. Atomics have one size. False at the end. */
static bool row_at(const struct perf_plan *plan, uint32_t at, enum perf_op *op, uint32_t *bytes)
{
	uint32_t i, sizes;

	for (i = 0; i < PERF_OPS; i++) {
		if (!(plan->ops & 1u << i))
			continue;
		sizes = i == PERF_FETCH_ADD || i == PERF_CMP_SWAP ? 1 : plan->sizes;
		if (at < sizes) {
			*op = (enum perf_op)i;
			*bytes = i == PERF_FETCH_ADD || i == PERF_CMP_SWAP ? PERF_WORD
									   : plan->size[at];
			return true;
		}
		at -= sizes;
	}
	return false;
}

/* Measures everything. The rows, *count of them, are kept for the pictures. */
static int measure_all(struct perf_side *side, const struct options *o, struct perf_row *rows,
		       uint32_t *count)
{
	const bool shown = side->rank == side->lead || o->server;
	enum perf_op op;
	uint32_t bytes;
	int ret = 0;

	if (shown)
		show_head(o->report, side);
	while (!ret && row_at(&side->plan, *count, &op, &bytes)) {
		ret = perf_run_row(side, op, bytes);
		if (ret)
			break;
		rows[(*count)++] = side->row;
		if (shown)
			show_row(o->report, side);
	}
	return ret;
}

static int sum_up(const struct perf_side *side, const struct options *o,
		  const struct perf_row *rows, uint32_t count)
{
	const bool shown = side->rank == side->lead || o->server;
	uint64_t checked = 0, wrong = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		checked += rows[i].checked;
		wrong += rows[i].wrong;
	}
	if (shown && !o->report->json) {
		for (i = 0; side->plan.latency && i < (o->histogram ? count : 1); i++)
			show_histogram(&rows[i]);
		printf("\nData: %llu bytes checked, %s.\n", (unsigned long long)checked,
		       wrong ? "NOT all right" : "all right");
	}
	if (shown && wrong)
		report_error("the data are wrong: %llu of %llu bytes that were checked",
			     (unsigned long long)wrong, (unsigned long long)checked);
	if (shown && o->svg && show_svg(o->svg, side, rows, count))
		return report_error("%s: %s; name another place with --svg", o->svg,
				    strerror(errno));
	return wrong ? SEGUE_EXIT_OFFENCE : SEGUE_EXIT_OK;
}

static int run(const struct options *o, const struct segue_world_options *world)
{
	struct perf_side *side = calloc(1, sizeof(*side));
	struct perf_row *rows = calloc(ROWS_MAX, sizeof(*rows));
	uint32_t count = 0;
	int ret = side && rows ? 0 : -ENOMEM, status = SEGUE_EXIT_OFFENCE;

	if (!ret) {
		side->plan = o->plan;
		side->choice = o->choice;
		side->lead = o->server || o->host ? 1 : 0;
		ret = perf_open(side, world);
		if (!ret)
			ret = measure_all(side, o, rows, &count);
		if (ret)
			perf_complain(side, ret);
		else
			status = sum_up(side, o, rows, count);
		fflush(stdout);
		perf_close(side);
	} else {
		report_error("out of memory");
	}
	free(rows);
	free(side);
	return status;
}

/* A rank of a launcher, or one that was started here. */
static int run_rank(const void *arg)
{
	return run(arg, NULL);
}

/* ---- two hosts ---- */

/* An IPv6 address has colons of its own. */
static void join(char *out, size_t size, const char *host, const char *port)
{
	const bool bare = strchr(host, ':') && *host != '[';

	snprintf(out, size, "%s%s%s:%s", bare ? "[" : "", host, bare ? "]" : "", port);
}

static int run_side(const struct options *o)
{
	const char *token = getenv("SEGUE_TOKEN");
	char rendezvous[300];
	const struct segue_world_options world = {
		.engine = "tcp",
		.rendezvous = rendezvous,
		.job = "segue-perf",
		.token = token && *token ? token : "segue perf",
		.rank = o->server ? 0 : 1,
		.size = 2,
	};

	if (o->server) {
		snprintf(rendezvous, sizeof(rendezvous), "0.0.0.0:%s", o->port);
		fprintf(stderr, "segue: waiting for a client at TCP port %s\n", o->port);
	} else {
		join(rendezvous, sizeof(rendezvous), o->host, o->port);
	}
	return run(o, &world);
}

static bool launched(void)
{
	return getenv("PMIX_RANK") || getenv("SEGUE_RANK") || getenv("SEGUE_WORLD");
}

/* ---- options ---- */

/* A number, with K or M behind it where bytes are counted. */
static bool number(const char *text, size_t length, uint64_t min, uint64_t max, uint64_t *value)
{
	char digits[24];
	uint32_t shift = 0;

	if (length && (text[length - 1] == 'K' || text[length - 1] == 'M'))
		shift = text[--length] == 'K' ? 10 : 20;
	if (!length || length >= sizeof(digits))
		return false;
	memcpy(digits, text, length);
	digits[length] = 0;
	if (!report_parse_number(digits, value) || *value > max >> shift)
		return false;
	*value <<= shift;
	return *value >= min;
}

static int take_sizes(void *to, const char *text)
{
	struct perf_plan *const plan = to;
	uint64_t value;
	size_t length;

	for (plan->sizes = 0;; text += length + 1) {
		length = strcspn(text, ",");
		if (!number(text, length, 1, PERF_SIZE_MAX, &value))
			return report_error(
				"--size %s: expected bytes from 1 to 256M, as in 8,4K,1M", text);
		if (plan->sizes == PERF_SIZES_MAX)
			return report_error("--size: expected at most %d sizes", PERF_SIZES_MAX);
		plan->size[plan->sizes++] = (uint32_t)value;
		if (!text[length])
			return 0;
	}
}

static int take_ops(void *to, const char *text)
{
	struct perf_plan *const plan = to;
	size_t length;
	uint32_t i;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		for (i = 0; i < PERF_OPS; i++)
			if (strlen(perf_op_name((enum perf_op)i)) == length &&
			    !strncmp(text, perf_op_name((enum perf_op)i), length))
				break;
		if (i == PERF_OPS)
			return report_error("--op %s: expected write, read, send, fetch-add or "
					    "cmp-swap, with commas between them",
					    text);
		plan->ops |= 1u << i;
		if (!text[length])
			return 0;
	}
}

static int take_transport(void *to, const char *text)
{
	struct perf_plan *const plan = to;

	for (plan->over = SEGUE_TRANSPORT_RC; plan->over <= SEGUE_TRANSPORT_UD; plan->over++)
		if (!strcmp(perf_over_name(plan->over), text))
			return 0;
	return report_error("--transport %s: expected rc, dc or ud", text);
}

static int take_measure(void *to, const char *text)
{
	struct perf_plan *const plan = to;

	if (strcmp(text, "latency") && strcmp(text, "rate"))
		return report_error("--measure %s: expected latency or rate", text);
	plan->latency = *text == 'l';
	plan->rate = *text == 'r';
	return 0;
}

/* Checks which options go together, and fills in those that were not given. */
static int complete(struct options *o, int argc, char **argv)
{
	struct perf_plan *plan = &o->plan;
	uint64_t port;

	if (optind < argc)
		o->host = argv[optind++];
	if (optind < argc)
		return report_error("'%s' is not expected behind the host '%s'", argv[optind],
				    o->host);
	if (o->host && o->server)
		return report_error("--server waits for a client, and takes no host; '%s' is one",
				    o->host);
	if (o->ranks && (o->host || o->server))
		return report_error(
			"--ranks starts processes of this host; two hosts have one each");
	if (o->ranks % 2)
		return report_error(
			"--ranks %u: expected an even number, as each rank measures with one other",
			o->ranks);
	if (!report_parse_number(o->port, &port) || port < 1 || port > 65535)
		return report_error("--port %s: expected a TCP port, 1 to 65535", o->port);
	if (plan->over == SEGUE_TRANSPORT_UD && plan->ops & ~(1u << PERF_SEND))
		return report_error(
			"--transport ud has send alone; the other operations are for rc and dc");
	if (!plan->ops)
		plan->ops = plan->over == SEGUE_TRANSPORT_UD ? 1u << PERF_SEND : ALL_OPS;
	if (!plan->sizes)
		return take_sizes(plan, plan->over == SEGUE_TRANSPORT_UD ? "8,1K" : "8,4K,64K");
	return 0;
}

int command_perf(struct report *r, int argc, char **argv)
{
	struct options o = {
		.plan = {.latency = 1, .rate = 1, .count = 1000, .depth = 64},
		.choice = {.port = 1,
			   .gid_index = -1,
			   .progress_s = isatty(STDERR_FILENO) ? TERMINAL_S : ELSEWHERE_S},
		.port = PORT,
		.timeout_s = 30,
		.report = r,
	};
	const struct report_option options[] = {
		{"server", .is = 1, .number = &o.server},
		{"transport", 't', .take = take_transport, .to = &o.plan},
		{"op", 'o', .take = take_ops, .to = &o.plan},
		{"size", 's', .take = take_sizes, .to = &o.plan},
		{"measure", 'm', .take = take_measure, .to = &o.plan},
		{"count", 'n', .number = &o.plan.count, .least = 1, .most = 1000000000},
		{"seconds", 'T', .number = &o.plan.seconds, .least = 1, .most = 86400},
		{"depth", 'q', .number = &o.plan.depth, .least = 1, .most = 8192},
		{"ranks", 'r', .number = &o.ranks, .least = 2, .most = 256},
		{"device", 'd', .text = &o.choice.device},
		{"ib-port", 'p', .number = &o.choice.port, .least = 1, .most = 254},
		{"gid-index", 'x', .number = (uint32_t *)&o.choice.gid_index, .most = 255},
		{"port", .text = &o.port},
		{"timeout", .number = &o.timeout_s, .least = 1, .most = 86400},
		{"progress", .number = &o.choice.progress_s, .most = 86400},
		{"histogram", .is = 1, .number = &o.histogram},
		{"svg", .text = &o.svg},
		{"corrupt", .is = 1, .number = &o.plan.corrupt},
		{.name = NULL},
	};
	int status;

	o.plan.version = segue_version();
	if (!report_options(r, argc, argv, help_perf, options, &status))
		return status;
	o.plan.timeout_ms = o.timeout_s * 1000;
	status = complete(&o, argc, argv);
	if (status)
		return status;
	if (o.server || o.host)
		return run_side(&o);
	if (launched() && !o.ranks)
		return run_rank(&o);
	return ranks_run(o.ranks ? o.ranks : 2, run_rank, &o, SEGUE_EXIT_OFFENCE);
}
