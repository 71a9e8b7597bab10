/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault plan: parses its rules and decides which packet, command or completion they affect. */
#include "fault.h"

#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/proc/file.h"
#include "tools/softhca/engine/scheduler.h"
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULES_MAX   256
#define KINDS	    (SOFTHCA_FAULT_ASYNC + 1)
#define NEVER	    UINT64_MAX
#define COMMAND_MAX 40

struct rule {
	enum softhca_fault_kind kind;
	/* Time: probability in units of 2^-32, or position in the stream of matches. */
	uint64_t chance;
	uint64_t nth;
	uint64_t every;
	uint64_t after;
	uint64_t count;
	/* Filter of a rule. */
	int32_t opcode; /* -1: any */
	uint32_t to_ip; /* 0: any */
	char command[COMMAND_MAX];
	/* Effect of a rule. */
	uint64_t amount; /* ns, packets, errno or syndrome */
	uint8_t vendor;
	struct softhca_fault_event event;
	uint64_t at_ns;
	uint64_t at_packet;
	/* State. */
	uint64_t seen;
	uint64_t fired;
};

struct softhca_fault_plan {
	uint64_t seed;
	uint64_t random;
	uint64_t started_ns;
	uint64_t packets;
	bool has_packet_rules;
	size_t rule_count;
	struct rule rules[RULES_MAX];
	uint64_t counts[KINDS];
};

struct the_fault the_fault;

static const struct {
	const char *name;
	enum softhca_fault_kind kind;
} packet_kinds[] =
	{
		{"drop", SOFTHCA_FAULT_DROP},	    {"duplicate", SOFTHCA_FAULT_DUPLICATE},
		{"delay", SOFTHCA_FAULT_DELAY},	    {"reorder", SOFTHCA_FAULT_REORDER},
		{"corrupt", SOFTHCA_FAULT_CORRUPT}, {"rnr", SOFTHCA_FAULT_RNR},
		{"complete", SOFTHCA_FAULT_COMPLETE},
},
  event_kinds[] = {
	  {"port-down", SOFTHCA_FAULT_PORT_DOWN},
	  {"port-up", SOFTHCA_FAULT_PORT_UP},
	  {"gid-change", SOFTHCA_FAULT_GID_CHANGE},
	  {"lid-change", SOFTHCA_FAULT_LID_CHANGE},
	  {"pkey-change", SOFTHCA_FAULT_PKEY_CHANGE},
	  {"device-fatal", SOFTHCA_FAULT_DEVICE_FATAL},
	  {"kill", SOFTHCA_FAULT_KILL},
	  {"cq-overrun", SOFTHCA_FAULT_CQ_OVERRUN},
	  {"cq-error", SOFTHCA_FAULT_CQ_ERROR},
	  {"cq-wrap", SOFTHCA_FAULT_CQ_WRAP},
	  {"srq-limit", SOFTHCA_FAULT_SRQ_LIMIT},
	  {"qp-fatal", SOFTHCA_FAULT_QP_FATAL},
};

/* Notifications that change nothing in the device. */
static const struct {
	const char *name;
	enum ibv_event_type type;
} async_kinds[] = {
	{"qp-req-err", IBV_EVENT_QP_REQ_ERR},
	{"qp-access-err", IBV_EVENT_QP_ACCESS_ERR},
	{"comm-est", IBV_EVENT_COMM_EST},
	{"sq-drained", IBV_EVENT_SQ_DRAINED},
	{"path-mig", IBV_EVENT_PATH_MIG},
	{"path-mig-err", IBV_EVENT_PATH_MIG_ERR},
	{"qp-last-wqe", IBV_EVENT_QP_LAST_WQE_REACHED},
	{"srq-error", IBV_EVENT_SRQ_ERR},
	{"port-active", IBV_EVENT_PORT_ACTIVE},
	{"port-error", IBV_EVENT_PORT_ERR},
	{"sm-change", IBV_EVENT_SM_CHANGE},
	{"client-reregister", IBV_EVENT_CLIENT_REREGISTER},
	{"wq-fatal", IBV_EVENT_WQ_FATAL},
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static bool is_packet_rule(const struct rule *r)
{
	return r->kind >= SOFTHCA_FAULT_DROP && r->kind <= SOFTHCA_FAULT_CORRUPT;
}

/* splitmix64 is small and gives the same sequence everywhere. */
static uint64_t next_random(struct softhca_fault_plan *plan)
{
	uint64_t z = plan->random += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static bool parse_u64(const char *s, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(s, &end, 0);
	return *s >= '0' && *s <= '9' && !*end && !errno;
}

static bool parse_time(const char *s, uint64_t *out)
{
	static const struct {
		const char *suffix;
		double scale;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	char *end;
	const double v = strtod(s, &end);

	if (end == s || !(v >= 0 && v < 1e9))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(end, units[i].suffix)) {
			*out = (uint64_t)(v * units[i].scale);
			return true;
		}
	}
	return false;
}

static bool parse_chance(const char *s, uint64_t *out)
{
	char *end;
	const double v = strtod(s, &end);

	if (end == s || strcmp(end, "%") || !(v >= 0 && v <= 100))
		return false;
	*out = (uint64_t)(v / 100 * 4294967296.0);
	return true;
}

static int parse_errno(const char *s)
{
	uint64_t number;

	for (int e = 1; e < 134; e++) {
		const char *name = strerrorname_np(e);

		if (name && !strcmp(name, s))
			return e;
	}
	return parse_u64(s, &number) && number && number < 134 ? (int)number : 0;
}

/* Parses name=value. Returns NULL if it is understood, otherwise the fault. */
static const char *parse_option(struct rule *r, const char *name, const char *value)
{
	uint64_t number = 0;
	struct in_addr addr;

	if (!strcmp(name, "to")) {
		if (inet_pton(AF_INET, value, &addr) != 1)
			return "to= wants an IPv4 address";
		r->to_ip = ntohl(addr.s_addr);
		return NULL;
	}
	if (!parse_u64(value, &number))
		return "this option wants a number";
	if (!strcmp(name, "op") && number < 256)
		r->opcode = (int32_t)number;
	else if (!strcmp(name, "nth") && number)
		r->nth = number;
	else if (!strcmp(name, "every") && number)
		r->every = number;
	else if (!strcmp(name, "after"))
		r->after = number;
	else if (!strcmp(name, "count"))
		r->count = number;
	else if (!strcmp(name, "syndrome") && r->kind == SOFTHCA_FAULT_COMPLETE && number &&
		 number < 256)
		r->amount = number;
	else if (!strcmp(name, "vendor") && r->kind == SOFTHCA_FAULT_COMPLETE && number < 256)
		r->vendor = (uint8_t)number;
	else if (!strcmp(name, "packet"))
		r->at_packet = number;
	else if (!strcmp(name, "port"))
		r->event.port = (uint32_t)number;
	else if (!strcmp(name, "device"))
		r->event.device = (uint32_t)number;
	else if (!strcmp(name, "cq") || !strcmp(name, "srq") || !strcmp(name, "qp"))
		r->event.object = (uint32_t)number;
	else
		return "unknown option, or its value is out of range";
	return NULL;
}

static const char *parse_word(struct rule *r, char *word)
{
	char *const equals = strchr(word, '=');
	uint64_t number;

	if (equals) {
		*equals = 0;
		return parse_option(r, word, equals + 1);
	}
	if (parse_chance(word, &r->chance))
		return NULL;
	if (r->kind == SOFTHCA_FAULT_DELAY && parse_time(word, &r->amount))
		return NULL;
	if (r->kind == SOFTHCA_FAULT_REORDER && parse_u64(word, &number) && number <= 64) {
		r->amount = number;
		return NULL;
	}
	if (r->kind == SOFTHCA_FAULT_COMMAND) {
		r->amount = (uint64_t)parse_errno(word);
		return r->amount ? NULL : "this is not the name of an errno";
	}
	return "this word has no meaning here";
}

static const char *parse_rest(struct rule *r, char **save)
{
	const char *problem = NULL;
	char *word;

	while (!problem && (word = strtok_r(NULL, " \t\r", save)))
		problem = parse_word(r, word);
	return problem;
}

static const char *parse_event(struct rule *r, char **save)
{
	char *when = strtok_r(NULL, " \t\r", save);
	char *what = strtok_r(NULL, " \t\r", save);

	if (!when || !what)
		return "'at' wants a time or packet=N, then an event";
	if (!strncmp(when, "packet=", 7)) {
		if (!parse_u64(when + 7, &r->at_packet))
			return "packet= wants a number";
	} else if (!parse_time(when, &r->at_ns)) {
		return "a time is a number with ns, us, ms or s";
	}
	for (size_t i = 0; i < ARRAY_SIZE(event_kinds); i++)
		if (!strcmp(what, event_kinds[i].name))
			r->kind = event_kinds[i].kind;
	for (size_t i = 0; i < ARRAY_SIZE(async_kinds); i++) {
		if (!strcmp(what, async_kinds[i].name)) {
			r->kind = SOFTHCA_FAULT_ASYNC;
			r->event.type = async_kinds[i].type;
		}
	}
	if (!r->kind)
		return "there is no such event";
	r->event.kind = r->kind;
	return parse_rest(r, save);
}

static const char *parse_packet_rule(struct softhca_fault_plan *plan, struct rule *r, char **save)
{
	const char *problem;

	r->amount = r->kind == SOFTHCA_FAULT_DELAY ? 1000000 : r->kind != SOFTHCA_FAULT_COMPLETE;
	problem = parse_rest(r, save);
	if (problem)
		return problem;
	if (!r->chance && !r->nth && !r->every)
		return "say how often: a percentage, nth=N or every=N";
	if (r->kind == SOFTHCA_FAULT_COMPLETE && !r->amount)
		return "'complete' wants syndrome=N, of a CQE";
	if (is_packet_rule(r))
		plan->has_packet_rules = true;
	return NULL;
}

static const char *parse_command(struct rule *r, char **save)
{
	const char *name = strtok_r(NULL, " \t\r", save);
	const char *problem;

	r->kind = SOFTHCA_FAULT_COMMAND;
	if (!name || strlen(name) >= sizeof(r->command))
		return "'command' wants the name of a command, then an errno";
	strcpy(r->command, name);
	problem = parse_rest(r, save);
	if (!problem && !r->amount)
		return "'command' wants an errno, like ENOMEM";
	return problem;
}

static const char *parse_contrary(char **save)
{
	static const char *const names[] = {
#define NAME(name, text) [SOFTHCA_CONTRARY_##name] = text,
		SOFTHCA_CONTRARIES(NAME)
#undef NAME
	};
	const char *const name = strtok_r(NULL, " \t\r", save);

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i])) {
			the_fault.contraries |= 1u << i;
			return NULL;
		}
	}
	return "'contrary' wants the name of an assumption, as in docs/softhca/faults.md";
}

static const char *parse_line(struct softhca_fault_plan *plan, char *line)
{
	struct rule *const r = &plan->rules[plan->rule_count];
	const char *problem;
	char *save, *word;

	line[strcspn(line, "#")] = 0;
	word = strtok_r(line, " \t\r", &save);
	if (!word)
		return NULL;
	if (!strcmp(word, "seed")) {
		word = strtok_r(NULL, " \t\r", &save);
		return word && parse_u64(word, &plan->seed) ? NULL : "'seed' wants a number";
	}
	if (!strcmp(word, "contrary"))
		return parse_contrary(&save);
	if (plan->rule_count == RULES_MAX)
		return "a plan has at most 256 rules";
	*r = (struct rule){.opcode = -1,
			   .at_ns = NEVER,
			   .at_packet = NEVER,
			   .count = NEVER,
			   .event.device = ~0u};
	for (size_t i = 0; i < ARRAY_SIZE(packet_kinds); i++)
		if (!strcmp(word, packet_kinds[i].name))
			r->kind = packet_kinds[i].kind;
	if (r->kind)
		problem = parse_packet_rule(plan, r, &save);
	else if (!strcmp(word, "command"))
		problem = parse_command(r, &save);
	else if (!strcmp(word, "at"))
		problem = parse_event(r, &save);
	else
		problem = "there is no such rule";
	if (!problem)
		plan->rule_count++;
	return problem;
}

struct softhca_fault_plan *softhca_fault_parse(const char *text, char *err, size_t err_size)
{
	struct softhca_fault_plan *plan = calloc(1, sizeof(*plan));
	const char *problem = NULL;
	unsigned int line_number = 0;
	char line[512];

	if (!plan) {
		snprintf(err, err_size, "No memory for a fault plan.");
		return NULL;
	}
	while (*text && !problem) {
		const size_t len = strcspn(text, "\n");

		line_number++;
		if (len >= sizeof(line)) {
			problem = "the line is longer than 511 characters";
			break;
		}
		memcpy(line, text, len);
		line[len] = 0;
		problem = parse_line(plan, line);
		text += len + (text[len] == '\n');
	}
	if (problem) {
		snprintf(err, err_size, "Fault plan, line %u: %s.", line_number, problem);
		free(plan);
		return NULL;
	}
	plan->random = plan->seed;
	return plan;
}

bool softhca_fault_add(const char *line, char *err, size_t err_size)
{
	size_t before;
	const char *problem;
	char copy[512];

	if (!the_fault.plan)
		softhca_fault_set(calloc(1, sizeof(*the_fault.plan)));
	if (!the_fault.plan || strlen(line) >= sizeof(copy)) {
		snprintf(err, err_size, "No memory, or the rule is longer than 511 characters.");
		return false;
	}
	if (!strcmp(line, "clear")) {
		memset(the_fault.plan, 0, sizeof(*the_fault.plan));
		the_fault.contraries = 0;
		the_fault.plan->started_ns = softhca_now_ns();
		return true;
	}
	strcpy(copy, line);
	before = the_fault.plan->rule_count;
	problem = parse_line(the_fault.plan, copy);
	if (problem) {
		snprintf(err, err_size, "Fault plan: %s.", problem);
		return false;
	}
	if (the_fault.plan->rule_count > before && the_fault.plan->rules[before].at_ns != NEVER)
		the_fault.plan->rules[before].at_ns += softhca_now_ns() -
						       the_fault.plan->started_ns;
	return true;
}

struct softhca_fault_plan *softhca_fault_load(const char *path, char *err, size_t err_size)
{
	struct softhca_fault_plan *plan;
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!f) {
		snprintf(err, err_size, "Cannot open the fault plan %s: %s.", path,
			 softhca_strerror(errno));
		return NULL;
	}
	/* Reads up to the first NUL byte, which a text file does not have. */
	if (getdelim(&text, &size, 0, f) < 0 && !feof(f)) {
		snprintf(err, err_size, "Cannot read the fault plan %s: %s.", path,
			 softhca_strerror(errno));
		plan = NULL;
	} else {
		plan = softhca_fault_parse(text ? text : "", err, err_size);
	}
	free(text);
	fclose(f);
	return plan;
}

void softhca_fault_free(struct softhca_fault_plan *plan)
{
	free(plan);
}

struct softhca_fault_plan *softhca_fault_set(struct softhca_fault_plan *plan)
{
	struct softhca_fault_plan *const before = the_fault.plan;

	the_fault.plan = plan;
	if (plan)
		plan->started_ns = softhca_now_ns();
	return before;
}

/* Returns whether this matching rule applies now. */
static bool fires(struct softhca_fault_plan *plan, struct rule *r)
{
	const uint64_t n = ++r->seen;
	bool yes;

	if (n <= r->after || r->fired >= r->count)
		return false;
	if (r->nth)
		yes = n - r->after == r->nth;
	else if (r->every)
		yes = (n - r->after) % r->every == 0;
	else
		yes = (next_random(plan) >> 32) < r->chance;
	if (yes) {
		r->fired++;
		plan->counts[r->kind]++;
	}
	return yes;
}

bool softhca_fault_packets_on(void)
{
	/* Events may be counted in packets, so a plan with events must also count packets. */
	return the_fault.plan && the_fault.plan->rule_count;
}

struct softhca_fault_verdict softhca_fault_packet(const uint8_t *bth, uint32_t len, uint32_t dst_ip)
{
	struct softhca_fault_verdict v = {SOFTHCA_FAULT_NONE, 0, 0, 0};
	struct softhca_fault_plan *const plan = the_fault.plan;

	if (!plan)
		return v;
	plan->packets++;
	for (size_t i = 0; plan->has_packet_rules && i < plan->rule_count; i++) {
		struct rule *const r = &plan->rules[i];

		if (!is_packet_rule(r) || (r->opcode >= 0 && r->opcode != bth[0]) ||
		    (r->to_ip && r->to_ip != dst_ip) || !fires(plan, r))
			continue;
		v.kind = r->kind;
		if (r->kind == SOFTHCA_FAULT_DELAY)
			v.delay_ns = r->amount;
		else if (r->kind == SOFTHCA_FAULT_REORDER)
			v.overtake = (uint32_t)r->amount;
		else if (r->kind == SOFTHCA_FAULT_CORRUPT)
			v.corrupt_bit = (uint32_t)(next_random(plan) % (8 * (uint64_t)len));
		break;
	}
	return v;
}

bool softhca_fault_rnr(void)
{
	struct softhca_fault_plan *const plan = the_fault.plan;

	for (size_t i = 0; plan && i < plan->rule_count; i++)
		if (plan->rules[i].kind == SOFTHCA_FAULT_RNR && fires(plan, &plan->rules[i]))
			return true;
	return false;
}

uint8_t softhca_fault_complete(uint8_t wqe_opcode, uint8_t *vendor)
{
	struct softhca_fault_plan *const plan = the_fault.plan;

	for (size_t i = 0; plan && i < plan->rule_count; i++) {
		struct rule *const r = &plan->rules[i];

		if (r->kind != SOFTHCA_FAULT_COMPLETE ||
		    (r->opcode >= 0 && r->opcode != wqe_opcode) || !fires(plan, r))
			continue;
		*vendor = r->vendor;
		return (uint8_t)r->amount;
	}
	return 0;
}

int softhca_fault_command(const char *name)
{
	struct softhca_fault_plan *const plan = the_fault.plan;

	for (size_t i = 0; plan && i < plan->rule_count; i++) {
		struct rule *const r = &plan->rules[i];

		if (r->kind != SOFTHCA_FAULT_COMMAND || strcmp(r->command, name))
			continue;
		/* Without a time every command fails. */
		if (!r->nth && !r->every && !r->chance)
			r->every = 1;
		if (fires(plan, r))
			return (int)r->amount;
	}
	return 0;
}

static bool is_event(const struct rule *r)
{
	return r->kind >= SOFTHCA_FAULT_PORT_DOWN;
}

bool softhca_fault_due(uint64_t now, struct softhca_fault_event *event)
{
	struct softhca_fault_plan *const plan = the_fault.plan;

	for (size_t i = 0; plan && i < plan->rule_count; i++) {
		struct rule *const r = &plan->rules[i];

		if (!is_event(r) || r->fired)
			continue;
		if ((r->at_ns != NEVER && now >= plan->started_ns + r->at_ns) ||
		    plan->packets >= r->at_packet) {
			r->fired = 1;
			plan->counts[r->kind]++;
			*event = r->event;
			return true;
		}
	}
	return false;
}

uint64_t softhca_fault_deadline(void)
{
	struct softhca_fault_plan *const plan = the_fault.plan;
	uint64_t first = NEVER;

	for (size_t i = 0; plan && i < plan->rule_count; i++) {
		const struct rule *const r = &plan->rules[i];

		if (is_event(r) && !r->fired && r->at_ns != NEVER &&
		    plan->started_ns + r->at_ns < first)
			first = plan->started_ns + r->at_ns;
	}
	return first;
}

uint64_t softhca_fault_count(enum softhca_fault_kind kind)
{
	return the_fault.plan ? the_fault.plan->counts[kind] : 0;
}
