# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the transport: packets, wire, protocol machines, fault plan."""

load("//tests/cpp:cpp.bzl", "cpp_library", "cpp_test")
def softhca_wire_tests():
    # The transport with everything above it replaced; see transport_harness.h. Of the engine's archive nothing else is linked: the harness
    # comes before it and has all that the transport asks for.
    cpp_library(
        name = "transport_harness",
        testonly = True,
        srcs = ["wire/transport_harness.cc"],
        hdrs = [
            "fuzz/fuzz_input.h",
            "wire/fuzz_packets.h",
            "wire/transport_harness.h",
        ],
        copts = ["-D_GNU_SOURCE", "-O1"],
        includes = ["wire"],
        linkopts = ["-lpthread"],
        alwayslink = True,  # the transport calls it
        deps = [
            "//tests/seed",
            "//tools/softhca/engine",
            "@com_google_googletest//:gtest",
        ],
    )
    for name, size in [("transport_test", "small"), ("fault_test", "small"), ("transport_soak_test", "large"), ("transport_fuzz", "medium"), ("ring_test", "small"), ("crowded_port_test", "small")]:
        cpp_test(
            name = name,
            size = size,
            srcs = ["wire/%s.cc" % name],
            copts = ["-D_GNU_SOURCE"] + (["-O1"] if "soak" in name else []),
            precompiled = None if "soak" in name else "gtest",
            tags = ["block-network"],  # another test's packets for 127.0.0.0/8 are no business of theirs
            deps = [":transport_harness", "@com_google_googletest//:gtest_main"],
        )
    cpp_test(
        name = "long_wire_test",
        size = "medium",
        srcs = ["wire/long_wire_test.cc"],
        precompiled = "gtest",
        # The model of a wire takes their place.
        linkopts = ["-Wl,--wrap=softhca_" + f for f in ["fault_packet", "fault_packets_on", "wire_far", "wire_has_hosts"]],
        tags = ["block-network"],
        deps = [
            ":transport_harness",
            "//tests/seed",
            "@com_google_googletest//:gtest_main",
        ],
    )
    cpp_test(
        name = "packet_test",
        size = "small",
        srcs = ["wire/packet_test.cc"],
        precompiled = "gtest",
        deps = [":transport_harness", "@com_google_googletest//:gtest"],
    )
    native.sh_test(
        name = "pcap_test",
        size = "medium",
        srcs = ["pcap_test.sh"],
        args = [
            "$(location :packet_test)",
            "$(location :transport_soak_test)",
            "$(location :wire/check_icrc.py)",
            "$(location //tools/softhca:softhca.lua)",
        ],
        data = [
            ":wire/check_icrc.py",
            ":wire/icrc_by_scapy.py",
            ":packet_test",
            ":transport_soak_test",
            "//tools/softhca:softhca.lua",
        ],
    )

    # Two processes over plain libibverbs, below each fault.
    native.cc_binary(
        name = "soak_verbs",
        testonly = True,
        srcs = [
            "wire/soak.h",
            "wire/soak_lossy.c",
            "wire/soak_setup.c",
            "wire/soak_verbs.c",
        ],
        copts = ["-D_GNU_SOURCE"],
        deps = ["@rdma_core//:mlx5"],
    )
    native.sh_test(
        name = "soak_test",
        size = "large",
        srcs = ["soak.sh"],
        args = ["$(location :soak_verbs)"],
        data = [":lib", ":soak_verbs", "//tools/softhca"],
        tags = ["block-network"],
    )
