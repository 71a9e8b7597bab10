// SPDX-License-Identifier: BSD-2-Clause
/* Explains a log: passes its lines to the patterns, and prints what was found. */
#include "tools/segue/log/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/segue/log/answer.h"
#include "tools/segue/log/findings.h"
#include "tools/segue/log/lines.h"
#include "tools/segue/log/packet.h"

#define JOIN  1024		  /* bytes of a wrapped line's halves */
#define EVERY ((uint64_t)8 << 20) /* bytes between two reports of progress */

/* A text on its way through. */
struct log {
	struct find *find;
	struct lines lines;
	bool begun; /* the line before may have begun what it does not end */
	char joined[2 * JOIN];
	size_t head; /* bytes of the line before in `joined` */
	uint64_t size, shown;
};

/* A line that a mail has wrapped at a blank: what has begun there may go on in the next one. */
static void take_joined(struct log *l, const char *line, size_t len)
{
	const char *const middle = l->joined + l->head;
	struct match_scan both;
	unsigned int i, count;

	len = len < JOIN ? len : JOIN - 1;
	l->joined[l->head] = '\n';
	memcpy(l->joined + l->head + 1, line, len);
	match_scan(l->joined, l->head + 1 + len, &both);
	count = both.count;
	for (i = both.count = 0; i < count; i++)
		if (l->begun || both.found[i].key_end > middle)
			both.found[both.count++] = both.found[i];
	(void)find_patterns(l->find, &both, l->joined, l->head + 1 + len, l->lines.number);
}

static void take_line(struct log *l, const char *line, size_t len, const struct match_scan *scan)
{
	if (scan->count && find_patterns(l->find, scan, line, len, l->lines.number)) {
		l->begun = false;
	} else if (scan->count || l->begun) {
		if (l->head)
			take_joined(l, line, len);
		l->begun = scan->count > 0;
	}
	l->head = len < JOIN ? len : JOIN - 1;
	memcpy(l->joined, line + len - l->head, l->head);
	find_line(l->find, scan, line, len, l->lines.number);
}

static void show_progress(struct log *l)
{
	if (!l->size || l->lines.bytes - l->shown < EVERY)
		return;
	l->shown = l->lines.bytes;
	fprintf(stderr, "\r%3" PRIu64 " %% ", l->shown * 100 / l->size);
}

static void read_all(struct log *l)
{
	struct match_scan scan;
	const char *line;
	size_t len;

	while ((line = lines_next(&l->lines, &len)) != NULL) {
		match_scan(line, len, &scan);
		if (scan.dressed || l->lines.mail || (scan.tabs && (scan.count || scan.digits))) {
			line = lines_plain(&l->lines, line, &len);
			match_scan(line, len, &scan);
		}
		take_line(l, line, len, &scan);
		show_progress(l);
	}
	if (l->shown)
		fputs("\r      \r", stderr);
}

static int nothing(const struct find *find, const char *name)
{
	fprintf(stderr,
		"segue: %s: found nothing in %" PRIu64 " line%s. Looked for: dumps of error "
		"completions (rows of 16 bytes in hexadecimal, with anything before and after), "
		"lines of libmlx5, mlx5_ib, mlx5_core, mlx5e, UCX, NCCL, DPDK, SPDK, libfabric, "
		"perftest, Open MPI, NVSHMEM, Mooncake, NVMe and others, asynchronous events, "
		"firmware commands, counters. Next: the first lines of the failure, from the "
		"program and from dmesg; docs/from-a-log.md lists the forms.\n",
		name, find->lines, find->lines == 1 ? "" : "s");
	return SEGUE_EXIT_OFFENCE;
}

static int explain_capture(struct report *r, const char *format)
{
	report_record(r);
	report_string(r, "kind", "capture");
	report_string(r, "what", format);
	report_text(r, "a %s, which holds packets and no completions\n", format);
	answer_step(r, "tshark -V -r FILE, or Wireshark");
	report_record_end(r);
	return SEGUE_EXIT_OK;
}

int log_find(FILE *file, uint64_t size, struct find *find)
{
	struct log *const l = calloc(1, sizeof(*l));

	if (!l || lines_open(&l->lines, file)) {
		free(l);
		return -ENOMEM;
	}
	l->find = find;
	l->size = size;
	find_begin(find);
	find->file = packet_capture((const uint8_t *)l->lines.buffer, l->lines.len);
	if (!find->file)
		read_all(l);
	find_end(find);
	lines_close(&l->lines);
	free(l);
	return 0;
}

int log_explain(struct report *r, FILE *file, const char *name)
{
	const bool progress = isatty(STDERR_FILENO);
	struct find *const find = malloc(sizeof(*find));
	struct stat st = {.st_size = 0};
	int status = SEGUE_EXIT_OK;

	if (progress && (fstat(fileno(file), &st) || !S_ISREG(st.st_mode)))
		st.st_size = 0;
	if (!find || log_find(file, (uint64_t)st.st_size, find)) {
		free(find);
		return report_error("out of memory");
	}
	if (find->file)
		status = explain_capture(r, find->file);
	else if (!answer_all(r, find))
		status = nothing(find, name);
	else if (find->more)
		fprintf(stderr,
			"segue: %" PRIu64 " more failures differ from these; cut out a part of the "
			"text to see them\n",
			find->more);
	free(find);
	return status;
}
