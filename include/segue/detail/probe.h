/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Static probes (USDT) of the data path, for bpftrace, perf, SystemTap and gdb. Sources that are
 * compiled with SEGUE_PROBES=1 have them. Each is a nop, and a note in the program with its address
 * and the places of its arguments, so a post takes two or three instructions more. Other sources
 * have nothing. docs/reliability.md lists them.
 *
 * <sys/sdt.h> is SystemTap's (Debian's systemtap-sdt-dev).
 */
#ifndef SEGUE_DETAIL_PROBE_H
#define SEGUE_DETAIL_PROBE_H

#ifndef SEGUE_PROBES
#define SEGUE_PROBES 0
#endif

#if SEGUE_PROBES
#include <sys/sdt.h>
#define SEGUEI_PROBE2(name, a, b)	DTRACE_PROBE2(segue, name, a, b)
#define SEGUEI_PROBE3(name, a, b, c)	DTRACE_PROBE3(segue, name, a, b, c)
#define SEGUEI_PROBE4(name, a, b, c, d) DTRACE_PROBE4(segue, name, a, b, c, d)
#else
#define SEGUEI_PROBE2(name, a, b) \
	do {                      \
	} while (0)
#define SEGUEI_PROBE3(name, a, b, c)	SEGUEI_PROBE2(name, a, b)
#define SEGUEI_PROBE4(name, a, b, c, d) SEGUEI_PROBE2(name, a, b)
#endif

#endif
