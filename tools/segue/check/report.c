// SPDX-License-Identifier: BSD-2-Clause
/* Prints the kit's observations as lines: on paper, as JSON, and in the report that is kept. */
#include <stdlib.h>
#include <string.h>

#include "tools/segue/check/kit.h"

static const struct {
	const char *json, *text;
} verdicts[] = {
	[KIT_AS_ASSUMED] = {"as_assumed", "ok"},
	[KIT_OTHERWISE] = {"otherwise", "OTHERWISE"},
	[KIT_NOT_SEEN] = {"not_seen", "not seen"},
	[KIT_MEASURED] = {"measured", "measured"},
};

static void line_text(FILE *file, const struct kit_line *l, const char *on, const char *off)
{
	fprintf(file, "%s%-9s%s %s %s", on, verdicts[l->verdict].text, off, l->kind, l->name);
	if (l->assumed)
		fprintf(file, "\n            assumed: %s", l->assumed);
	if (l->seen && *l->seen)
		fprintf(file, "%s%s", l->assumed ? "\n            seen:    " : ": ", l->seen);
	if (l->source && l->verdict == KIT_OTHERWISE)
		fprintf(file, "\n            source:  %s", l->source);
	fputc('\n', file);
	fflush(file); /* so that it is there even if the next step ends everything */
}

static void remember(struct kit *kit, const struct kit_line *l)
{
	struct kit_seen *const more = realloc(kit->seen, (kit->n_seen + 1) * sizeof(*more));

	if (!more)
		return;
	kit->seen = more;
	snprintf(more[kit->n_seen].name, sizeof(more->name), "%s", l->name);
	more[kit->n_seen++].verdict = l->verdict;
}

enum kit_verdict kit_verdict_on(const struct kit *kit, const char *name)
{
	const size_t len = strlen(name);
	enum kit_verdict worst = KIT_NOT_SEEN;
	size_t i;

	for (i = 0; i < kit->n_seen; i++) {
		const struct kit_seen *const s = &kit->seen[i];

		if (strncmp(s->name, name, len) != 0 ||
		    (s->name[len] && strncmp(s->name + len, " on ", 4) != 0) ||
		    s->verdict == KIT_NOT_SEEN)
			continue;
		if (worst != KIT_OTHERWISE)
			worst = s->verdict;
	}
	return worst;
}

void kit_line(struct kit *kit, const struct kit_line *l)
{
	struct report *const r = kit->report;
	const bool bad = l->verdict == KIT_OTHERWISE;

	kit->count[l->verdict]++;
	remember(kit, l);
	if (kit->file)
		line_text(kit->file, l, "", "");
	if (!r->json) {
		line_text(stdout, l, bad ? report_bad(r) : "", bad ? report_plain(r) : "");
		return;
	}
	report_record(r);
	report_string(r, "kind", l->kind);
	report_string(r, "name", l->name);
	report_string(r, "verdict", verdicts[l->verdict].json);
	report_string(r, "assumed", l->assumed);
	report_string(r, "seen", l->seen);
	report_string(r, "source", l->source);
	report_record_end(r);
	fflush(stdout);
}
