// SPDX-License-Identifier: BSD-2-Clause
/*
 * `segue decode` on anything, in one process below ASan and UBSan: decode_fuzz CORPUS [COUNT].
 * Inputs begin as legal requests of the corpus, rings of them, completions or noise; they are
 * changed, cut off, and written raw, as hex digits or as xxd does. Whatever they are, the command
 * ends with 0, 1, 2 or 4, and 2 comes with a sentence.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/seed/seed.h"
#include "tools/segue/commands.h"

#define SEEDS_MAX 8192
#define INPUT_MAX 8192
#define SHORT	  32	/* bytes, of the longest short input */
#define USUAL	  20000 /* inputs, without a count */

static struct {
	uint8_t *bytes;
	size_t len;
	char queue[16];
} seeds[SEEDS_MAX];
static size_t n_seeds;

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ (z >> 31)) % below);
}

/* Lines of the corpus: queue, a number, hex digits. */
static int load(const char *path)
{
	static char line[1 << 16], hex[1 << 16];
	FILE *const file = fopen(path, "r");
	unsigned int byte;
	size_t i;

	if (!file)
		return 0;
	while (n_seeds < SEEDS_MAX && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%15s %*s %65535s", seeds[n_seeds].queue, hex) != 2)
			continue;
		seeds[n_seeds].len = strlen(hex) / 2;
		seeds[n_seeds].bytes = malloc(seeds[n_seeds].len + 1);
		for (i = 0; i < seeds[n_seeds].len && sscanf(hex + 2 * i, "%2x", &byte) == 1; i++)
			seeds[n_seeds].bytes[i] = (uint8_t)byte;
		n_seeds++;
	}
	fclose(file);
	return n_seeds > 0;
}

/* ---- inputs ---- */

static size_t request(uint8_t *to, size_t room, size_t seed)
{
	const size_t len = seeds[seed].len < room ? seeds[seed].len : room;

	memcpy(to, seeds[seed].bytes, len);
	return len;
}

/* Requests on blocks of 64 bytes, one behind the other, some of them left over from before. */
static size_t ring(uint8_t *to, size_t first)
{
	const size_t size = (size_t)64 << (draw(16) ? draw(4) : draw(8));
	size_t at = 0;

	memset(to, draw(2) ? 0 : (int)draw(256), size);
	while (at < size) {
		const size_t len = request(to + at, size - at,
					   draw(4) ? first : draw((uint32_t)n_seeds));

		if (len >= 4 && draw(8)) { /* the index that this place has */
			to[at + 1] = (uint8_t)(at / 64 >> 8);
			to[at + 2] = (uint8_t)(at / 64);
		}
		at += (len + 63) / 64 * 64 + (len == 0 ? 64 : 0);
	}
	return size;
}

static size_t noise(uint8_t *to, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		to[i] = (uint8_t)draw(256);
	return len;
}

static size_t make(uint8_t *to, size_t seed)
{
	size_t len;
	uint32_t i;

	switch (draw(6)) {
	case 0:
		len = noise(to, draw(300));
		break;
	case 1: /* completions: an opcode that there is, most of the time */
		len = noise(to, 64 * (1 + (size_t)draw(3)));
		for (i = 63; i < len; i += 64)
			to[i] = (uint8_t)(draw(16) << 4 | draw(16));
		break;
	case 2:
	case 3:
		len = ring(to, seed);
		break;
	default:
		len = request(to, INPUT_MAX, seed);
	}
	if (draw(3))
		for (i = draw(6); i > 0 && len; i--)
			to[draw((uint32_t)len)] = (uint8_t)(draw(2) ? draw(256) : 1u << draw(8));
	if (len && !draw(5)) /* the shortest ones end within a segment */
		len = draw(draw(2) || len < SHORT ? (uint32_t)len + 1 : SHORT);
	return len;
}

/* The same as text. */
static size_t as_text(char *to, const uint8_t *bytes, size_t len)
{
	const int xxd = (int)draw(2);
	size_t at = 0, i;

	for (i = 0; i < len; i++) {
		if (xxd && i % 16 == 0)
			at += (size_t)sprintf(to + at, "%s%08zx:", i ? "  ................\n" : "",
					      i);
		at += (size_t)sprintf(to + at,
				      xxd && i % 2 ? "%02x"
				      : xxd	   ? " %02x"
						   : "%02x",
				      bytes[i]);
	}
	if (at && !draw(4))
		to[draw((uint32_t)at)] = (char)draw(256);
	return at;
}

/* ---- runs ---- */

static void options(char **argv, int *argc, const char *queue)
{
	static const char *const kinds[] = {"--wqe", "--cqe", "--ring"}, *const strides[] = {
										 "16", "32", "64",
										 "4096"};
	static const char *const queues[] = {"rc",	   "uc", "ud",	"dci", "xrc_initiator",
					     "raw_packet", "rq", "srq", "mprq"};

	*argc = 0;
	argv[(*argc)++] = (char *)(uintptr_t) "decode";
	if (draw(3))
		argv[(*argc)++] = (char *)(uintptr_t)kinds[draw(3)];
	if (draw(2)) {
		argv[(*argc)++] = (char *)(uintptr_t) "--queue";
		argv[(*argc)++] = (char *)(uintptr_t)(draw(4) ? queue : queues[draw(9)]);
	}
	if (!draw(4)) {
		argv[(*argc)++] = (char *)(uintptr_t) "--stride";
		argv[(*argc)++] = (char *)(uintptr_t)strides[draw(4)];
	}
	if (!draw(4)) {
		argv[(*argc)++] = (char *)(uintptr_t) "--cqe-size";
		argv[(*argc)++] = (char *)(uintptr_t)(draw(2) ? "64" : "128");
	}
	if (!draw(8))
		argv[(*argc)++] = (char *)(uintptr_t)(draw(2) ? "-v" : "--json");
	argv[*argc] = NULL;
}

static int run(struct report *report, uint64_t number)
{
	static uint8_t bytes[INPUT_MAX];
	static char text[INPUT_MAX * 8], said[4096];
	const size_t seed = draw((uint32_t)n_seeds);
	const size_t len = make(bytes, seed);
	const int raw = (int)draw(2);
	const size_t size = raw ? len : as_text(text, bytes, len);
	char *argv[16];
	int argc, status;

	options(argv, &argc, seeds[seed].queue);
	if (raw) {
		argv[argc++] = (char *)(uintptr_t) "--form";
		argv[argc++] = (char *)(uintptr_t) "raw";
		argv[argc] = NULL;
	}
	stdin = fmemopen(raw ? (void *)bytes : text, size ? size : 1, "rb");
	stderr = fmemopen(said, sizeof(said), "w");
	if (!size)
		(void)getc(stdin);
	memset(said, 0, 1);
	report->json = false;
	report->verbose = 0;
	optind = 0;
	status = command_decode(report, argc, argv);
	fclose(stdin);
	fclose(stderr);
	if (status >= 0 && status <= 4 && status != 3 && (status != 2 || *said))
		return 0;
	printf("input %llu ended with %d and said '%s'\n", (unsigned long long)number, status,
	       said);
	return 1;
}

int main(int argc, char **argv)
{
	const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : USUAL;
	struct report report = {0};
	FILE *const out = stdout, *const errors = stderr;
	uint64_t i;
	int bad = 0;

	if (argc < 2 || !load(argv[1]) || report_open(&report)) {
		fputs("usage: decode_fuzz CORPUS [COUNT]\n", stderr);
		return 2;
	}
	state = segue_test_seed();
	fflush(out);
	stdout = fopen("/dev/null", "w");
	for (i = 0; i < count && !bad; i++)
		bad = run(&report, i);
	fclose(stdout);
	stdout = out;
	stderr = errors;
	report_close(&report);
	printf("%llu inputs, %d wrong\n", (unsigned long long)i, bad);
	return bad;
}
