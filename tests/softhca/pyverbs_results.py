# SPDX-License-Identifier: BSD-2-Clause
"""
How many of rdma-core's own tests ran, and why the others did not: pyverbs_results.py LOG LINK [other].

Each one that was left out has a reason that stands here, and the number of those that ran is what it has to be: a capability that vanishes
shows. What this machine lacks is named as SKIPPED, so that tools/test does not count it as passed. With "other" the suite is
not that of rdma-core 44, whose numbers these are, and only reasons are looked at.
"""

from __future__ import annotations

import collections
import re
import sys

# How many there are of that suite, less those of NEVER.
MAY_RUN = {"ib": 198, "roce": 230}

# What softhca has not, or the port has not; reason -> which links may say so.
NEVER = {
    r"Can not run the test over non EFA device": "ib roce",
    r"The device does not support wrapped DEK": "ib roce",  # pyverbs.sh runs them with a device that does
    r"Extended QP is not supported on this device": "ib roce",  # atomic write, which mlx5 has not
    r"PCI device must be passed by the user": "ib roce",  # for a driver in user space, through VFIO
    r"Could not find the PCI device of mlx5_\d+": "ib roce",
    r"Create custom mr with additional access flags 258 is not supported": "ib roce",  # global FLUSH, which mlx5 has not
    r"DV QP OOO feature is not supported": "ib roce",
    r"NIC flow table does not support geneve fields": "ib roce",
    r"ODPv2 is not supported": "ib roce",
    r"SRQ resize is not supported": "ib roce",  # by mlx5's kernel driver
    r"The device doesn't support general HCA CAPs 2": "ib roce",
    r"Operation not supported \((Dr(Table|Matcher) creation|DrDomain sync) failed.*": "roce",
    r"Operation not supported \(Failed to create dr action packet reformat.*": "roce",
    r"Must be run by root on Ethernet link layer": "ib",
    r"To Create RAW QP must be done by root on Ethernet link layer": "ib",
    r"Device mlx5_\d+ doesn't have net interface": "ib",
    r"Set LAG affinity is not supported on this device": "ib",
    r"NIC flow table does not support reformat": "ib",
    r"Must be run on Ethernet link layer with Eswitch on": "ib",
    r"Link layer of port=1 is InfiniBand , skip RoCE test": "ib",
    r"Must be run on Ethernet link layer": "ib",
    r"To Create RAW QP must be done by user with CAP_NET_RAW on Ethernet link layer": "ib",
    # of rdma-core 65:
    r"NIC flow tables do not support counter action": "ib",
    r"Operation not supported \(Failed to create DMA Handle.*": "ib roce",
    r"Device (does not report CC_DMA_BOUNCE|is not a CC DMA-bounce device)": "ib roce",
    r"(UAR|DM) dmabuf export is not supported": "ib roce",
    r"ODP is unavailable - Operation not supported on this device": "ib roce",
    r"ibv_query_port_speed is not supported on this device": "ib roce",
    r"No PHC or failed to open": "ib roce",  # a clock of the network interface
    r"FDs file not found": "ib roce",  # that another program has left
    r"No supported port is up, can't run traffic": "ib",  # the UDP source port of RoCE
}

# What another machine has; reason -> what it is for tools/test, "" if it is another card's.
MACHINE = {
    r"There are no huge pages of size 2M allocated": "this machine has no huge pages free (sysctl vm.nr_hugepages=48)",
    r"Device mlx5_\d+ doesn't have net interface": "this machine has no address but the loopback's",
    r"Must be run by root on Ethernet link layer": "only root may",
    r"To Create RAW QP must be done by root on Ethernet link layer": "only root may",
    r"Allocating dmabuf is not supported by .*": "",
    r"Device /dev/dri/renderD\d+ is not present": "",
    r"cuda-python 12.0\+ must be installed to run CUDA tests": "",
}


def known(reason: str, reasons: list[str]) -> str | None:
    """The one of `reasons` that it is."""
    return next((pattern for pattern in reasons if re.fullmatch(pattern, reason)), None)


def main() -> int:
    log, link = sys.argv[1:3]
    other = sys.argv[3:] == ["other"]
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    told = re.findall(r"^Ran (\d+) tests in ", text, re.M)
    if len(told) != 1:
        print("FAIL: the suite does not say how many tests it ran")
        return 1
    reasons = collections.Counter(double or single for single, double in re.findall(r"\bskipped (?:'(.*)'|\"(.*)\")$", text, re.M))
    never = [reason for reason, links in NEVER.items() if link in links.split()]
    ran = int(told[0]) - sum(reasons.values())
    may_run, bad = ran, 0
    for reason, count in reasons.most_common():
        if known(reason, never):
            print(f"  left out: {count:3}: {reason}")
            continue
        pattern = known(reason, list(MACHINE))
        if pattern is None:
            bad = 1
            print(f"FAIL: {count} tests were left out for a reason that is not known: {reason}")
            continue
        may_run += count
        print(f"SKIPPED: {count} of rdma-core's tests: {MACHINE[pattern]}" if MACHINE[pattern] else f"  left out: {count:3}: {reason}")
    print(f"  {ran} of {told[0]} tests ran")
    if not other and may_run != MAY_RUN[link]:
        bad = 1
        print(f"FAIL: {may_run} tests ran or want another machine; on {link} they are {MAY_RUN[link]}")
    return bad


if __name__ == "__main__":
    sys.exit(main())
