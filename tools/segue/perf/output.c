// SPDX-License-Identifier: BSD-2-Clause
/* Prints measurements as tables, histograms or JSON. */
#include "tools/segue/perf/output.h"

#include <inttypes.h>
#include <string.h>

#define WIDTH 50u /* columns of the longest bar */

static const char *link_name(const struct perf_side *side)
{
	return side->path.link == SEGUE_LINK_ROCE ? "RoCE" : "InfiniBand";
}

void show_head(struct report *r, const struct perf_side *side)
{
	if (r->json)
		return;
	printf("%s over %s port %u, %s, MTU %u; %u ranks, %u pair%s: %s\n\n",
	       perf_over_name(side->plan.over), segue_device_name(side->device), side->choice.port,
	       link_name(side), side->path.mtu, side->size, side->size / 2,
	       side->size == 2 ? "" : "s", segue_world_describe(side->world));
	printf("                    latency, us                                      rate\n"
	       "operation    bytes      min   median      99%%    99.9%%       max   messages/s    "
	       "    MB/s\n");
	fflush(stdout);
}

static void put_row(const struct perf_side *side)
{
	const struct perf_row *row = &side->row;
	const struct perf_times *t = &row->latency;

	printf("%-9s %8u", perf_op_name(row->op), row->bytes);
	if (side->plan.latency)
		printf(" %8.2f %8.2f %8.2f %8.2f %9.2f", us(t->min), us(times_quantile(t, 500000)),
		       us(times_quantile(t, 990000)), us(times_quantile(t, 999000)), us(t->max));
	else
		printf(" %8s %8s %8s %8s %9s", "-", "-", "-", "-", "-");
	if (side->plan.rate)
		printf(" %12.0f %11.1f", row->per_second, row_mb_per_second(row));
	else
		printf(" %12s %11s", "-", "-");
	if (row->lost)
		printf("  %" PRIu64 " lost", row->lost);
	if (row->wrong)
		printf("  %" PRIu64 " bytes WRONG", row->wrong);
	putchar('\n');
	fflush(stdout);
}

static void put_double(struct report *r, const char *key, double value)
{
	seguei_json_key(&r->out, key);
	seguei_out_printf(&r->out, "%.3f", value);
}

/* The buckets that are not empty, as [from, to, count], in 64 steps. */
static void put_buckets(struct report *r, const struct perf_times *t)
{
	const uint64_t width = (t->max - t->min) / 64 + 1;
	uint64_t from, count;

	report_opens(r, "histogram", '[');
	for (from = t->min; t->count && from <= t->max; from += width) {
		count = times_between(t, from == t->min ? 0 : from,
				      from + width > t->max ? UINT64_MAX : from + width);
		if (!count)
			continue;
		seguei_json_next(&r->out);
		seguei_out_printf(&r->out, "[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", from,
				  from + width, count);
	}
	report_closes(r, ']');
}

static void put_latency(struct report *r, const struct perf_times *t)
{
	report_opens(r, "latency_ns", '{');
	report_number(r, "count", t->count);
	report_number(r, "min", t->min);
	put_double(r, "mean", t->count ? (double)t->sum / (double)t->count : 0);
	report_number(r, "median", times_quantile(t, 500000));
	report_number(r, "p99", times_quantile(t, 990000));
	report_number(r, "p99_9", times_quantile(t, 999000));
	report_number(r, "max", t->max);
	put_buckets(r, t);
	report_closes(r, '}');
}

static void put_rate(struct report *r, const struct perf_row *row)
{
	report_opens(r, "rate", '{');
	report_number(r, "messages", row->messages);
	report_number(r, "longest_ns", row->ns);
	put_double(r, "messages_per_second", row->per_second);
	put_double(r, "bytes_per_second", row->per_second * row->bytes);
	report_closes(r, '}');
}

static void put_json(struct report *r, const struct perf_side *side)
{
	const struct perf_row *row = &side->row;

	report_record(r);
	report_string(r, "operation", perf_op_name(row->op));
	report_string(r, "transport", perf_over_name(side->plan.over));
	report_string(r, "device", segue_device_name(side->device));
	report_string(r, "link", link_name(side));
	report_number(r, "mtu", side->path.mtu);
	report_number(r, "ranks", side->size);
	report_number(r, "bytes", row->bytes);
	report_number(r, "depth", side->plan.depth);
	if (side->plan.latency)
		put_latency(r, &row->latency);
	if (side->plan.rate)
		put_rate(r, row);
	report_number(r, "lost", row->lost);
	report_number(r, "bytes_checked", row->checked);
	report_number(r, "bytes_wrong", row->wrong);
	report_record_end(r);
	fflush(stdout);
}

void show_row(struct report *r, const struct perf_side *side)
{
	if (r->json)
		put_json(r, side);
	else
		put_row(side);
}

uint64_t show_end(const struct perf_times *times)
{
	const uint64_t end = times_quantile(times, 999000);

	return end > times->min ? end : times->min + 1;
}

static void put_bar(const char *label, uint64_t count, uint64_t most)
{
	const char bar[] = "##################################################";
	const uint64_t length = most ? (count * WIDTH + most - 1) / most : 0;

	printf("  %s  %-*.*s %" PRIu64 "\n", label, (int)WIDTH, (int)length, bar, count);
}

void show_histogram(const struct perf_row *row)
{
	const struct perf_times *t = &row->latency;
	const uint64_t end = show_end(t), width = (end - t->min) / SHOW_BARS + 1;
	uint64_t counts[SHOW_BARS + 1], most = 0, from;
	char label[40];
	uint32_t i;

	for (i = 0; i <= SHOW_BARS; i++) {
		from = t->min + i * width;
		counts[i] = times_between(t, i ? from : 0,
					  i == SHOW_BARS ? UINT64_MAX : from + width);
		most = counts[i] > most ? counts[i] : most;
	}
	printf("\n%s, %u bytes: latency of %" PRIu64 " messages, us\n", perf_op_name(row->op),
	       row->bytes, t->count);
	for (i = 0; i <= SHOW_BARS; i++) {
		from = t->min + i * width;
		if (i < SHOW_BARS)
			snprintf(label, sizeof(label), "%9.2f to %9.2f", us(from),
				 us(from + width));
		else
			snprintf(label, sizeof(label), "%9.2f and more   ", us(from));
		if (counts[i] || (i < SHOW_BARS && from <= t->max))
			put_bar(label, counts[i], most);
	}
	fflush(stdout);
}
