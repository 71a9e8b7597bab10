# SPDX-License-Identifier: BSD-2-Clause
"""The transports' state tables against a second, independent writing-down of the same facts.

KERNEL repeats qp_state_table of Linux drivers/infiniband/core/verbs.c, which decides what ibv_modify_qp() may do;
DCI and DCT repeat modify_dci_qp_is_ok() and mlx5_ib_modify_dct() of drivers/infiniband/hw/mlx5/qp.c.
It is kept in the kernel's own order (by step, then by type) so that it can be compared with it line by line,
while the specs are written by type.
"""

import os
import unittest

import yaml

SPEC = os.environ.get("SEGUE_SPEC", os.path.join(os.path.dirname(__file__), "..", "..", "spec"))

CONNECTED = "uc rc xrc_initiator xrc_target"
KERNEL = {
    "RESET RESET": {},
    "RESET INIT": {
        "ud": "PKEY_INDEX PORT QKEY",
        "raw_packet": "PORT",
        CONNECTED: "PKEY_INDEX PORT ACCESS_FLAGS",
    },
    "INIT RESET": {},
    "INIT ERR": {},
    "INIT INIT": {
        "ud": "/ PKEY_INDEX PORT QKEY",
        CONNECTED: "/ PKEY_INDEX PORT ACCESS_FLAGS",
    },
    "INIT RTR": {
        "ud": "/ PKEY_INDEX QKEY",
        "uc xrc_initiator": "AV PATH_MTU DEST_QPN RQ_PSN / ALT_PATH ACCESS_FLAGS PKEY_INDEX",
        "rc xrc_target": "AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER"
                         " / ALT_PATH ACCESS_FLAGS PKEY_INDEX",
    },
    "RTR RESET": {},
    "RTR ERR": {},
    "RTR RTS": {
        "ud": "SQ_PSN / CUR_STATE QKEY",
        "uc": "SQ_PSN / CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE",
        "rc": "TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC"
              " / CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE",
        "xrc_initiator": "TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC"
                         " / CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE",
        "xrc_target": "TIMEOUT SQ_PSN / CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE",
        "raw_packet": "/ RATE_LIMIT",
    },
    "RTS RESET": {},
    "RTS ERR": {},
    "RTS RTS": {
        "ud": "/ CUR_STATE QKEY",
        "uc xrc_initiator": "/ CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE",
        "rc xrc_target": "/ CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER",
        "raw_packet": "/ RATE_LIMIT",
    },
    "RTS SQD": {"ud " + CONNECTED: "/ EN_SQD_ASYNC_NOTIFY"},
    "SQD RESET": {},
    "SQD ERR": {},
    "SQD RTS": {
        "ud": "/ CUR_STATE QKEY",
        "uc xrc_initiator": "/ CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE",
        "rc xrc_target": "/ CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE",
    },
    "SQD SQD": {
        "ud": "/ PKEY_INDEX QKEY",
        "uc": "/ AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE",
        "rc": "/ PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH ACCESS_FLAGS"
              " PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE",
        "xrc_initiator": "/ PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC ALT_PATH ACCESS_FLAGS PKEY_INDEX"
                         " PATH_MIG_STATE",
        "xrc_target": "/ PORT AV TIMEOUT MAX_DEST_RD_ATOMIC ALT_PATH ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER"
                      " PATH_MIG_STATE",
    },
    "SQE RESET": {},
    "SQE ERR": {},
    "SQE RTS": {"ud": "/ CUR_STATE QKEY", "uc": "/ CUR_STATE ACCESS_FLAGS"},
    "ERR RESET": {},
    "ERR ERR": {},
}
# The kernel marks a step as valid for all types at once. These types never are in SQE (InfiniBand specification,
# volume 1, 10.3.1): an error of their send queue takes them to ERR.
NO_SQE = ("rc", "xrc_initiator", "xrc_target")

DCI = {
    "RESET RESET": "", "INIT RESET": "", "RTR RESET": "", "RTS RESET": "", "ERR RESET": "",
    "RESET INIT": "PKEY_INDEX PORT",
    "INIT INIT": "/ PKEY_INDEX PORT",
    "INIT RTR": "PATH_MTU / PKEY_INDEX AV",
    "RTR RTS": "TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC SQ_PSN / MIN_RNR_TIMER",
    "RTS RTS": "/ MIN_RNR_TIMER",
    "INIT ERR": "", "RTR ERR": "", "RTS ERR": "", "ERR ERR": "",
}
DCT = {
    "RESET INIT": "ACCESS_FLAGS PKEY_INDEX PORT",
    "INIT RTR": "MIN_RNR_TIMER AV PATH_MTU",
}


def masks(text):
    required, _, optional = text.partition("/")
    return frozenset(required.split()), frozenset(optional.split())


def kernel_table(transport):
    table = {}
    for step, by_type in KERNEL.items():
        if transport in NO_SQE and "SQE" in step:
            continue
        given = [text for types, text in by_type.items() if transport in types.split()]
        assert len(given) <= 1, (step, transport)
        table[tuple(step.split())] = masks(given[0] if given else "")
    return table


def load(transport):
    for folder in ("verbs", "mlx5"):
        path = os.path.join(SPEC, folder, "transports", transport + ".yaml")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    raise FileNotFoundError(transport)


def spec_table(transport):
    """What ibv_modify_qp() may do: the steps that the device takes by itself are left out."""
    table = {}
    for transition in load(transport)["transitions"]:
        if transition.get("by") == "device":
            continue
        sources = transition["from"]
        for source in sources if isinstance(sources, list) else [sources]:
            step = (source, transition["to"])
            assert step not in table, (transport, step)
            table[step] = (frozenset(transition.get("required", [])), frozenset(transition.get("optional", [])))
    return table


class Tables(unittest.TestCase):
    maxDiff = None

    def compare(self, transport, expected):
        found = spec_table(transport)
        for step in sorted(set(expected) | set(found)):
            with self.subTest(transport=transport, step=" to ".join(step)):
                self.assertEqual(found.get(step), expected.get(step))

    def test_kernel_types(self):
        for transport in ("rc", "uc", "ud", "xrc_initiator", "xrc_target", "raw_packet"):
            self.compare(transport, kernel_table(transport))

    def test_dci(self):
        self.compare("dci", {tuple(step.split()): masks(text) for step, text in DCI.items()})

    def test_dct(self):
        self.compare("dct", {tuple(step.split()): masks(text) for step, text in DCT.items()})
        self.assertEqual(load("dct")["number_at"], "RTR")


class States(unittest.TestCase):
    """libmlx5 folds the state into its SGE limits (set_qp_operational_state): no send before RTS, no receive in RESET."""

    SEND = {"RESET": "reject", "INIT": "reject", "RTR": "reject", "RTS": "process", "SQD": "queue", "SQE": "flush",
            "ERR": "flush"}
    RECV = {"RESET": "reject", "INIT": "queue", "RTR": "process", "RTS": "process", "SQD": "process",
            "SQE": "process", "ERR": "flush"}
    HAS_SEND = ("rc", "uc", "ud", "xrc_initiator", "raw_packet", "dci")
    HAS_RECV = ("rc", "uc", "ud", "raw_packet")
    ALL = HAS_SEND + ("xrc_target", "dct")

    def test_posts(self):
        for transport in self.ALL:
            for state in load(transport)["states"]:
                with self.subTest(transport=transport, state=state["name"]):
                    send = self.SEND[state["name"]] if transport in self.HAS_SEND else "none"
                    recv = self.RECV[state["name"]] if transport in self.HAS_RECV else "none"
                    self.assertEqual((state["send"], state["recv"]), (send, recv))

    def test_sqe_is_entered_by_the_device_only(self):
        for transport in self.ALL:
            into = [(t["from"], t.get("by")) for t in load(transport)["transitions"] if t["to"] == "SQE"]
            expected = [("RTS", "device")] if transport in ("uc", "ud", "raw_packet") else []
            self.assertEqual(into, expected, transport)

    def test_needs_are_met_on_every_way(self):
        """Walks every way of programmed steps: on arrival in a state all its needs have been given at some step."""
        for transport in self.ALL:
            spec = load(transport)
            needs = {state["name"]: set(state.get("needs", [])) for state in spec["states"]}
            table = spec_table(transport)
            for device in (t for t in spec["transitions"] if t.get("by") == "device"):
                table[(device["from"], device["to"])] = (frozenset(), frozenset())
            seen = set()
            todo = [(spec["initial"], frozenset())]
            while todo:
                state, given = todo.pop()
                if (state, given) in seen:
                    continue
                seen.add((state, given))
                self.assertLessEqual(needs[state], given, f"{transport} {state}")
                for (source, to), (required, _) in table.items():
                    if source == state:
                        todo.append((to, frozenset() if to == "RESET" else given | required))
            self.assertEqual({state for state, _ in seen}, set(needs), transport)


if __name__ == "__main__":
    unittest.main()
