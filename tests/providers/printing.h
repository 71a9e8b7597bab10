/* SPDX-License-Identifier: BSD-2-Clause */
/* What validator and decoder say of bytes. */
#ifndef SEGUE_TESTS_PROVIDERS_PRINTING_H
#define SEGUE_TESTS_PROVIDERS_PRINTING_H

#include <string>

#include "segue/decode.h"
#include "segue/gen/machines.h"

inline std::string Judged(const segue_machine *machine, const uint8_t *bytes, uint32_t size)
{
	segue_offence offence;
	char text[400];

	(void)segue_wqe_validate(machine, bytes, size, &offence);
	segue_offence_print(&offence, text, sizeof(text));
	return text;
}

inline std::string Printed(const segue_machine *machine, const uint8_t *bytes, uint32_t size)
{
	char text[4000];

	segue_wqe_print(machine, bytes, size, SEGUE_FORMAT_TEXT, text, sizeof(text));
	return text;
}

#endif
