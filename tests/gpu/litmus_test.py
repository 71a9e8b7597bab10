# SPDX-License-Identifier: BSD-2-Clause
"""Litmus tests of the fences of include/segue/gpu: small programs, all of whose executions in a weak memory model are looked at.

    litmus_test.py FOLDER

FOLDER is include/segue/gpu. Each program ends with something that must not be. With all fences it never is; with each of those named taken away it
is in some execution, so that no fence stands there for nothing. A fence is named with its text in the headers, which has to be there.

The model is weaker than PTX and AMDGPU's, whose fences are the queue's:
- A thread carries out its steps in any order, except at one place in memory, across a fence, behind an acquire, before a release, and a store
  behind a branch (WAIT, CAS), which is not speculated. Loads are: a branch does not keep later ones.
- A store reaches each other thread at a time of its own. What a thread saw or did before a fence reaches others before what it stores behind it, if
  the fence's scope covers them: GPU lanes of the GPU, SYS the device and the host as well.
- Stores to one place have one order, and a thread never goes back in it.
"""

import sys
from pathlib import Path
from typing import Callable, Iterator, NamedTuple, Optional

GPU, SYS = "gpu", "sys"
LANES = ("A", "B")  # threads of the GPU; others are DEVICE and HOST


class Step(NamedTuple):
    kind: str  # st, ld, wait, cas, fence
    place: str = ""
    value: int = 0
    to: int = 0  # of cas: what is stored
    scope: str = ""  # of a fence, or of a store that releases
    acquire: bool = False
    name: str = ""  # of the fence, or of the release or acquire


def st(place: str, value: int, release: str = "", name: str = "") -> Step:
    return Step("st", place, value, scope=release, name=name)


def ld(place: str, acquire: bool = False, name: str = "") -> Step:
    return Step("ld", place, acquire=acquire, name=name)


def wait(place: str, value: int, acquire: bool = False, name: str = "") -> Step:
    """Loads until the value is there: executions in which it never is do not count."""
    return Step("wait", place, value, acquire=acquire, name=name)


def cas(place: str, value: int, to: int) -> Step:
    return Step("cas", place, value, to)


def fence(scope: str, name: str) -> Step:
    return Step("fence", scope=scope, name=name)


class Store(NamedTuple):
    value: int
    author: str
    # per fence before it: its scope, and the places of the orders that its author had seen
    before: tuple = ()


class State(NamedTuple):
    done: tuple  # per thread: which steps
    seen: tuple  # per thread: how far in each place's order
    fenced: tuple  # per thread: (scope, seen) of its fences
    orders: tuple  # per place: its stores
    loaded: tuple  # (thread, place, value)


class Litmus(NamedTuple):
    name: str
    threads: dict[str, list[Step]]
    wrong: Callable[[dict, dict], bool]  # what was loaded by (thread, place), orders by place
    removals: list[tuple[str, ...]]  # each of these sets of fences taken away shows it


class Model:
    def __init__(self, litmus: Litmus, removed: tuple[str, ...]) -> None:
        self.names = list(litmus.threads)
        self.steps = [self.without(litmus.threads[name], removed) for name in self.names]
        self.places = sorted({s.place for steps in self.steps for s in steps if s.place})
        self.litmus = litmus

    @staticmethod
    def without(steps: list[Step], removed: tuple[str, ...]) -> list[Step]:
        left = [s for s in steps if s.kind != "fence" or s.name not in removed]
        return [s._replace(scope="", acquire=False) if s.name in removed else s for s in left]

    @staticmethod
    def ordered(first: Step, then: Step) -> bool:
        return (first.kind == "fence" or then.kind == "fence" or first.place == then.place or first.acquire or (then.kind == "st" and then.scope != "")
                or (first.kind in ("wait", "cas") and then.kind in ("st", "cas")))

    def reaches(self, s: State, t: int, store: Store) -> bool:
        """Whether all that comes before it has reached that thread."""
        for scope, seen in store.before:
            if scope == SYS or (self.names[t] in LANES and store.author in LANES):
                if any(mine < others for mine, others in zip(s.seen[t], seen)):
                    return False
        return True

    def see(self, s: State, t: int, p: int, at: int) -> State:
        seen = s.seen[t][:p] + (at,) + s.seen[t][p + 1 :]
        return s._replace(seen=s.seen[:t] + (seen,) + s.seen[t + 1 :])

    def store(self, s: State, t: int, p: int, value: int, scope: str) -> State:
        before = s.fenced[t] + (((scope, s.seen[t]),) if scope else ())
        order = s.orders[p] + (Store(value, self.names[t], before),)
        return self.see(s._replace(orders=s.orders[:p] + (order,) + s.orders[p + 1 :]), t, p, len(order) - 1)

    def carried_out(self, s: State, t: int, step: Step) -> Optional[State]:
        if step.kind == "fence":
            return s._replace(fenced=s.fenced[:t] + (s.fenced[t] + ((step.scope, s.seen[t]),),) + s.fenced[t + 1 :])
        p = self.places.index(step.place)
        order = s.orders[p]
        if step.kind == "st":
            return self.store(s, t, p, step.value, step.scope)
        if step.kind == "cas":
            if order[-1].value != step.value or not (s.seen[t][p] == len(order) - 1 or self.reaches(s, t, order[-1])):
                return None
            return self.store(self.see(s, t, p, len(order) - 1), t, p, step.to, "")
        value = order[s.seen[t][p]].value
        if step.kind == "wait" and value != step.value:
            return None
        return s._replace(loaded=s.loaded + ((self.names[t], step.place, value),)) if step.kind == "ld" else s

    def nexts(self, s: State) -> Iterator[State]:
        for t, steps in enumerate(self.steps):
            open_steps = [i for i in range(len(steps)) if i not in s.done[t]]
            for i in open_steps:
                if any(self.ordered(steps[j], steps[i]) for j in open_steps if j < i):
                    continue
                after = self.carried_out(s, t, steps[i])
                if after:
                    yield after._replace(done=s.done[:t] + (s.done[t] | {i},) + s.done[t + 1 :], loaded=tuple(sorted(after.loaded)))
            for p, order in enumerate(s.orders):
                for at in range(s.seen[t][p] + 1, len(order)):
                    if open_steps and self.reaches(s, t, order[at]):
                        yield self.see(s, t, p, at)

    def run(self) -> tuple[int, bool, bool]:
        """How many states, whether any execution ends, and whether one ends wrong."""
        n = len(self.steps)
        start = State((frozenset(),) * n, ((0,) * len(self.places),) * n, ((),) * n, ((Store(0, ""),),) * len(self.places), ())
        todo, known, ended, wrong = [start], {start}, False, False
        while todo:
            s = todo.pop()
            if all(len(done) == len(steps) for done, steps in zip(s.done, self.steps)):
                ended = True
                loaded = {(thread, place): value for thread, place, value in s.loaded}
                orders = {place: [store.value for store in order] for place, order in zip(self.places, s.orders)}
                wrong = wrong or self.litmus.wrong(loaded, orders)
                continue
            for after in self.nexts(s):
                if after not in known:
                    known.add(after)
                    todo.append(after)
        return len(known), ended, wrong


# Where each fence is: a piece of a header, which has to be there once.
HEADERS = {
    "before the record": ("atomic.h", "\tseguei_order_memory_stores();\n\tseguei_store32(to, big_endian);"),
    "doorbell's release": ("atomic.h", 'SEGUEI_GPU_ST("release.sys", to, big_endian)'),
    "silent publication": ("turns.h", "if (!turns)\n\t\t\tseguei_gpu_fence(share);"),
    "turn's release": ("turns.h", "\t\tseguei_gpu_tell(q, at + n);\n\tseguei_gpu_store(&q->ready, at + n, share);"),
    "behind the turn's exchange": ("turns.h", "\tif (seguei_gpu_counts(q))\n\t\tseguei_gpu_fence(share);"),
    "before the last doorbell's index": ("slots.h", "\tif (q->batch) {\n\t\tseguei_order_memory_loads();"),
    "behind the poll's exchange": ("turns.h", "\t\treturn false;\n\tseguei_gpu_fence(share);\n\tconsumed = q->consumed;"),
    "poll's release": ("turns.h", "seguei_gpu_store(&q->polling, 0, share);"),
    "behind the entry": ("atomic.h", "\tconst uint32_t word = *here;\n\n\tseguei_order_memory_loads();"),
    "done's release": ("turns.h", "\t\tseguei_gpu_store(&q->done, done, share);"),
    "done's acquire": ("turns.h", "while (seguei_gpu_load(&q->done, true) < behind)"),
    "before the error": ("state.h", "seguei_gpu_fence_for_host();"),
    "behind the error": ("turns.h", "\tseguei_order_memory_loads();\n\terror->index"),
    "error's acquire": ("state.h", "(int32_t)(seguei_gpu_load(&q->error, true) >> 32) < 0"),
    "behind a flag": ("flag.h", "\tconst uint64_t value = *here;\n\n\tseguei_order_memory_loads();"),
    "before an arrival": ("flag.h", "\tuint64_t before;\n\n\tseguei_gpu_fence(share);"),
    "behind an arrival": ("flag.h", "#endif\n\tseguei_gpu_fence(share);\n\treturn before;"),
}

RECORD = fence(SYS, "before the record")

# A doorbell that came earlier makes the device look at the record: then `bell` is not waited for.
LITMUS = [
    Litmus("the device sees the record before the request",
           {"A": [st("block", 1), RECORD, st("record", 1)], "DEVICE": [wait("record", 1, True), ld("block")]},
           lambda r, o: r["DEVICE", "block"] == 0, [("before the record",)]),
    Litmus("the device sees the doorbell before the record",
           {"A": [st("block", 1), RECORD, st("record", 1), st("bell", 1, SYS, "doorbell's release")],
            "DEVICE": [wait("bell", 1, True), ld("record", True), ld("block")]},
           lambda r, o: r["DEVICE", "record"] == 0 or r["DEVICE", "block"] == 0, [("doorbell's release",)]),
    Litmus("another lane rings for a silent publication before its request is there",
           {"A": [st("block", 1), fence(GPU, "silent publication"), cas("ready", 0, 1)],
            "B": [cas("ready", 1, 9), RECORD, st("record", 1)], "DEVICE": [wait("record", 1, True), ld("block")]},
           lambda r, o: r["DEVICE", "block"] == 0, [("silent publication",), ("before the record",)]),
    Litmus("the record goes back as a turn is handed on",
           {"A": [st("block", 1), RECORD, st("record", 1), st("ready", 1, GPU, "turn's release")],
            "B": [cas("ready", 1, 9), RECORD, st("record", 2)]},
           lambda r, o: o["record"] != [0, 1, 2], [("turn's release",)]),
    Litmus("the device sees a later turn's record before an earlier turn's request",
           {"A": [st("block", 1), RECORD, st("record", 1), st("ready", 1, GPU, "turn's release")],
            "B": [cas("ready", 1, 9), RECORD, st("record", 2)], "DEVICE": [wait("record", 2, True), ld("block")]},
           lambda r, o: r["DEVICE", "block"] == 0, [("before the record",)]),
    Litmus("a lane that has the turn next counts from an old packet",
           {"A": [cas("ready", 0, 9), st("psn", 1), st("ready", 1, GPU, "turn's release")],
            "B": [cas("ready", 1, 9), fence(GPU, "behind the turn's exchange"), ld("psn")]},
           lambda r, o: r["B", "psn"] == 0, [("turn's release",), ("behind the turn's exchange",)]),
    Litmus("a lane that has the turn next rings from an old index on",
           {"A": [cas("ready", 0, 9), st("told", 1), st("ready", 1, GPU, "turn's release")],
            "B": [cas("ready", 1, 9), fence(SYS, "before the last doorbell's index"), ld("told")]},
           lambda r, o: r["B", "told"] == 0, [("turn's release",), ("before the last doorbell's index",)]),
    Litmus("a lane that polls next counts from an old entry",
           {"A": [cas("polling", 0, 1), st("consumed", 1), st("polling", 2, GPU, "poll's release")],
            "B": [cas("polling", 2, 1), fence(GPU, "behind the poll's exchange"), ld("consumed")]},
           lambda r, o: r["B", "consumed"] == 0, [("poll's release",), ("behind the poll's exchange",)]),
    Litmus("the rest of an entry is older than its last word",
           {"DEVICE": [st("words", 1), st("last", 1, SYS)], "A": [wait("last", 1), fence(SYS, "behind the entry"), ld("words")]},
           lambda r, o: r["A", "words"] == 0, [("behind the entry",)]),
    Litmus("what a READ has brought is not there for the lane that waited",
           {"DEVICE": [st("payload", 1), st("last", 1, SYS)],
            "A": [wait("last", 1), fence(SYS, "behind the entry"), st("done", 1, GPU, "done's release")],
            "B": [wait("done", 1, True, "done's acquire"), ld("payload")]},
           lambda r, o: r["B", "payload"] == 0, [("done's release", "behind the entry"), ("done's acquire",)]),
    Litmus("the device writes over an entry that is still read",
           {"A": [ld("last"), fence(SYS, "behind the entry"), RECORD, st("consumed", 1)], "DEVICE": [wait("consumed", 1, True), st("last", 1)]},
           lambda r, o: r["A", "last"] == 1, [("behind the entry", "before the record")]),
    Litmus("the host sees an error before its index",
           {"A": [st("index", 1), fence(SYS, "before the error"), st("error", 1, GPU)],
            "HOST": [wait("error", 1), fence(SYS, "behind the error"), ld("index")]},
           lambda r, o: r["HOST", "index"] == 0, [("before the error",), ("behind the error",)]),
    Litmus("a lane that sees an error does not see that its own request has completed",
           {"A": [st("done", 1, GPU), fence(SYS, "before the error"), st("error", 1, GPU)],
            "B": [wait("error", 1, True, "error's acquire"), ld("done", True)]},
           lambda r, o: r["B", "done"] == 0, [("error's acquire",)]),
    Litmus("a peer's flag is there before its data",
           {"DEVICE": [st("data", 1), st("flag", 1, SYS)], "A": [wait("flag", 1), fence(SYS, "behind a flag"), ld("data")]},
           lambda r, o: r["A", "data"] == 0, [("behind a flag",)]),
    Litmus("the last lane to arrive does not see what the first one did",
           {"A": [st("data", 1), fence(GPU, "before an arrival"), cas("count", 0, 1)],
            "B": [cas("count", 1, 2), fence(GPU, "behind an arrival"), ld("data")]},
           lambda r, o: r["B", "data"] == 0, [("before an arrival",), ("behind an arrival",)]),
]

# A fence whose scope is the GPU does not do for the device.
NARROW = [
    (LITMUS[0], "before the record"),
    (LITMUS[1], "doorbell's release"),
    (LITMUS[11], "before the error"),
]

# Of the model itself: what PTX's allows and forbids among threads of one GPU, whose fences are not sequentially consistent.
FENCE = fence(GPU, "")
KNOWN = [
    (True, Litmus("store buffering, fenced", {"A": [st("x", 1), FENCE, ld("y")], "B": [st("y", 1), FENCE, ld("x")]},
                  lambda r, o: r["A", "y"] == r["B", "x"] == 0, [])),
    (True, Litmus("load buffering", {"A": [ld("x"), st("y", 1)], "B": [ld("y"), st("x", 1)]},
                  lambda r, o: r["A", "x"] == r["B", "y"] == 1, [])),
    (False, Litmus("load buffering, fenced", {"A": [ld("x"), FENCE, st("y", 1)], "B": [ld("y"), FENCE, st("x", 1)]},
                   lambda r, o: r["A", "x"] == r["B", "y"] == 1, [])),
    (False, Litmus("writes to reads", {"A": [st("x", 1)], "B": [wait("x", 1), fence(SYS, ""), st("y", 1)], "HOST": [wait("y", 1, True), ld("x")]},
                   lambda r, o: r["HOST", "x"] == 0, [])),
    (True, Litmus("independent reads of independent writes, fenced",
                  {"A": [st("x", 1)], "B": [st("y", 1)], "HOST": [wait("x", 1), fence(SYS, ""), ld("y")], "DEVICE": [wait("y", 1), fence(SYS, ""), ld("x")]},
                  lambda r, o: r["HOST", "y"] == r["DEVICE", "x"] == 0, [])),
    (False, Litmus("coherence", {"A": [st("x", 1), st("x", 2)], "B": [wait("x", 2), ld("x")]}, lambda r, o: r["B", "x"] != 2, [])),
]


def check(name: str, model: Model, expected: bool) -> int:
    states, ended, wrong = model.run()
    good = ended and wrong == expected
    print(f"{name:112} {states:7} states: {'seen' if wrong else 'never'}{'' if good else '  <- UNEXPECTED'}")
    return not good


def narrowed(litmus: Litmus, name: str) -> Litmus:
    threads = {thread: [s._replace(scope=GPU) if s.name == name else s for s in steps] for thread, steps in litmus.threads.items()}
    return litmus._replace(threads=threads)


def main(folder: str) -> int:
    failures = 0
    for name, (file, text) in HEADERS.items():
        count = Path(folder, file).read_text(encoding="utf-8").count(text)
        if count != 1:
            print(f"{name}: {file} has its text {count} times, expected once")
            failures += 1
    for expected, litmus in KNOWN:
        failures += check(litmus.name, Model(litmus, ()), expected)
    for litmus in LITMUS:
        failures += check(litmus.name, Model(litmus, ()), False)
        for removed in litmus.removals:
            failures += check(f"  without {' and '.join(removed)}", Model(litmus, removed), True)
    for litmus, name in NARROW:
        failures += check(f"{litmus.name}, if {name} is of the GPU alone", Model(narrowed(litmus, name), ()), True)
    taken = {name for litmus in LITMUS for removed in litmus.removals for name in removed}
    if taken != set(HEADERS):
        print(f"never taken away: {sorted(set(HEADERS) - taken)}; not in HEADERS: {sorted(taken - set(HEADERS))}")
        failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
