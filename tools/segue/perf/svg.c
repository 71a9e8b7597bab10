// SPDX-License-Identifier: BSD-2-Clause
/* The picture: a panel for each row, light or dark as its reader's screen is. */
#include <errno.h>
#include <inttypes.h>

#include "tools/segue/perf/output.h"

#define BARS   80u
#define BAR    8u /* pixels */
#define LEFT   20u
#define WIDTH  (2 * LEFT + BARS * BAR)
#define PANEL  150u
#define HEAD   40u
#define HEIGHT 80u /* of the longest bar */

static const char style[] =
	"<style>"
	"text{font:12px "
	"sans-serif;fill:#222}.b{fill:#3569a8}.m{stroke:#c0392b}.a{stroke:#888}svg{background:#fff}"
	"@media(prefers-color-scheme:dark){text{fill:#ddd}.b{fill:#7fb0ea}.m{stroke:#ff8a7a}svg{"
	"background:#1b1b1b}}"
	"</style>\n";

static void put_bars(FILE *file, const struct perf_times *t, uint32_t base)
{
	const uint64_t width = (show_end(t) - t->min) / BARS + 1;
	const uint64_t median = times_quantile(t, 500000);
	uint64_t counts[BARS], most = 1;
	uint32_t i, x;

	for (i = 0; i < BARS; i++) {
		counts[i] = times_between(t, i ? t->min + i * width : 0, t->min + (i + 1) * width);
		most = counts[i] > most ? counts[i] : most;
	}
	for (i = 0; i < BARS; i++) {
		const uint32_t height = (uint32_t)((counts[i] * HEIGHT + most - 1) / most);

		if (counts[i])
			fprintf(file,
				"<rect class=\"b\" x=\"%u\" y=\"%u\" width=\"%u\" "
				"height=\"%u\"/>\n",
				LEFT + i * BAR, base - height, BAR - 1, height);
	}
	x = LEFT + (uint32_t)((median - t->min) / width) * BAR + BAR / 2;
	fprintf(file, "<line class=\"m\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", x,
		base - HEIGHT, x, base);
	fprintf(file, "<line class=\"a\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", LEFT, base,
		WIDTH - LEFT, base);
	fprintf(file, "<text x=\"%u\" y=\"%u\">%.2f us</text>\n", LEFT, base + 16, us(t->min));
	fprintf(file, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">%.2f us</text>\n", WIDTH - LEFT,
		base + 16, us(t->min + BARS * width));
}

static void put_panel(FILE *file, const struct perf_side *side, const struct perf_row *row,
		      uint32_t top)
{
	const struct perf_times *t = &row->latency;

	fprintf(file, "<text x=\"%u\" y=\"%u\"><tspan font-weight=\"bold\">%s, %u bytes</tspan>",
		LEFT, top + 16, perf_op_name(row->op), row->bytes);
	if (side->plan.latency)
		fprintf(file, ": median %.2f us, 99%% %.2f us, 99.9%% %.2f us",
			us(times_quantile(t, 500000)), us(times_quantile(t, 990000)),
			us(times_quantile(t, 999000)));
	if (side->plan.rate)
		fprintf(file, "; %.0f messages/s, %.1f MB/s", row->per_second,
			row_mb_per_second(row));
	fputs("</text>\n", file);
	if (side->plan.latency)
		put_bars(file, t, top + 24 + HEIGHT);
}

int show_svg(const char *path, const struct perf_side *side, const struct perf_row *rows,
	     uint32_t count)
{
	const uint32_t panel = side->plan.latency ? PANEL : 30;
	FILE *file = fopen(path, "w");
	uint32_t i;
	int bad;

	if (!file)
		return -1;
	fprintf(file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" "
		"height=\"%u\">\n%s",
		WIDTH, HEAD + count * panel, WIDTH, HEAD + count * panel, style);
	fprintf(file,
		"<text x=\"%u\" y=\"24\">segue perf: %s over %s, MTU %u, %u ranks; latency in us, "
		"the median is marked</text>\n",
		LEFT, perf_over_name(side->plan.over), segue_device_name(side->device),
		side->path.mtu, side->size);
	for (i = 0; i < count; i++)
		put_panel(file, side, &rows[i], HEAD + i * panel);
	fputs("</svg>\n", file);
	bad = ferror(file);
	if (fclose(file) || bad) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return 0;
}
