/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libFuzzer: any bytes as a WQE of any queue. The first byte selects the queue, the second how much
 * room the print has and whether its JSON is read back.
 *
 *   clang++ -fsanitize=fuzzer,address,undefined … fuzz_wqe.cc (see fuzz_test.py for the whole
 * command)
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "segue/decode.h"
#include "segue/gen/machines.h"
#include "tests/builders/json.h"

static void Require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[131072 + 1];
	size_t machines = 0;
	segue_offence offence;

	if (size < 2)
		return 0;
	while (segue_machines[machines])
		machines++;
	const segue_machine *machine = segue_machines[data[0] % machines];
	const size_t room = data[1] < 128 ? sizeof(text) - 1 : data[1];
	const size_t len = size - 2;
	/* exact size, so that reads beyond are seen */
	const std::unique_ptr<uint8_t[]> wqe(new uint8_t[len]);

	memcpy(wqe.get(), data + 2, len);
	const int ret = segue_wqe_validate(machine, wqe.get(), len, &offence);
	Require((ret == 0) == (offence.kind == SEGUE_OFFENCE_NONE), "result and kind differ");
	Require(offence.offset <= len, "the offence lies outside");
	Require(segue_wqe_validate(machine, wqe.get(), len, nullptr) == ret, "two results");
	for (segue_print_format format : {SEGUE_FORMAT_TEXT, SEGUE_FORMAT_JSON}) {
		text[room] = '\x7f';
		const size_t whole = segue_wqe_print(machine, wqe.get(), len, format, text, room);

		Require(text[room] == '\x7f', "the print goes beyond its room");
		Require(strlen(text) == (whole < room ? whole : room - 1),
			"the print is cut wrongly");
		if (format == SEGUE_FORMAT_JSON && whole < room && data[1] % 8 == 0) {
			const Json json = Json::Parse(text);

			Require(json.kind == Json::kObject, "the JSON is broken");
			Require(json.Get("valid")->number == (ret == 0),
				"print and validate differ");
		}
	}
	return 0;
}
