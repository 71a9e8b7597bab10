# SPDX-License-Identifier: BSD-2-Clause
"""Random layouts through the whole generator: what `check` accepts becomes C that compiles, its builders write the bytes that the
page on the format says, and its validator accepts these and nothing else.

A case is one request on all of its transports. The seed is printed; SEGUE_TEST_SEED and SEGUE_COUNT change the run. By hand, with more of it:
    python3 -m tests.codegen.layouts.layouts_test --count 100000 --seed 1 --jobs 2 --keep /tmp/failed
By hand tcc compiles, where there is one, and gcc or clang one batch of SAMPLE and each that fails.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import functools
import gc
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import traceback
import unittest
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Optional
from unittest import mock

from codegen import emit
from codegen.check import checked_documents
from codegen.load.load import Document, load_bytes
from codegen.model.model import Model, SpecError
from tests.codegen.layouts import grammar
from tests.codegen.layouts.compilers import TCC, Exact, Quick
from tests.codegen.layouts.program import SLOTS, Walk, Writer
from tests.codegen.layouts.second import Item, Reading, Took, bits_of_dword, width_of
from tests.seed.seed import segue_test_seed

COUNT = int(os.environ.get("SEGUE_COUNT", "200"))
REQUESTS = 40  # drawn for each device
WALKS, MUTANTS = 3, 4
REDRAWN = 2  # times that refused requests are drawn anew
SAMPLE = 32  # of so many batches one is compiled as users do
TOLD = 1000  # layouts between two lines that say how far it is
PATIENCE = 60  # seconds of a processor for a batch, which takes less than one; compilers and programs have deadlines of their own


@dataclass
class Failure:
    stage: str  # where it failed: what the fuzzer is to say of it
    seed: int
    what: str
    files: dict[str, str]

    def __str__(self) -> str:
        shown = "".join(f"--- {name}\n{text}" for name, text in self.files.items())
        return f"seed {self.seed}: {self.stage}\n{self.what}\n{shown}"


@dataclass
class Outcome:
    accepted: int = 0
    refused: Counter = field(default_factory=Counter)
    walks: int = 0
    judged: int = 0
    failures: list[Failure] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        self.accepted += other.accepted
        self.walks += other.walks
        self.judged += other.judged
        self.refused += other.refused
        self.failures += other.failures


class Batch:
    """One device and its requests."""

    def __init__(self, seed: int, folder: Path, compiler: Callable[[dict[str, str], str, Path], str], block: bool = False):
        """`compiler`: of what is generated, the program and the folder where `main` shall be; returns what is wrong. `block`: the
        device posts to blocks in any case."""
        self.seed = seed
        self.folder = folder
        self.compiler = compiler
        self.outcome = Outcome()
        self.drawing = grammar.Draw(seed, REQUESTS, block)
        self.spec = self.drawing.draw()
        self.documents: dict[str, Document] = {}
        self.told: set[tuple[str, tuple[str, ...]]] = set()  # failures: once for each request

    def fail(self, stage: str, what: str, *names: str) -> None:
        """`names`: the requests that it may be about."""
        if (stage, names) in self.told:
            return
        self.told.add((stage, names))
        used = self.used(names)
        self.outcome.failures.append(Failure(stage, self.seed, what, {f: grammar.text(p) for f, p in self.spec.items() if p["name"] in used}))

    def used(self, names: tuple[str, ...]) -> set[str]:
        """The requests and all that they name."""
        found = set(names)
        while True:
            texts = " ".join(json.dumps(p) for p in self.spec.values() if p["name"] in found)
            more = {p["name"] for p in self.spec.values() if p["kind"] in ("segment", "fragment", "transport")
                    and re.search(rf'"{p["name"]}[".]', texts)}
            if more <= found:
                return found
            found |= more

    # check

    def check(self, spec: grammar.Spec) -> Model:
        for name, part in spec.items():
            if name not in self.documents:
                self.documents[name] = load_bytes(name, grammar.text(part).encode())
        return checked_documents([self.documents[name] for name in spec])

    def accepted(self) -> Optional[Model]:
        """The model of what `check` accepts: what it refuses is left out, and asked again."""
        tries = 0
        while any(part["kind"] == "work_request" for part in self.spec.values()):
            try:
                return self.check(self.spec)
            except SpecError as error:
                named = {place.file for place, _ in error.errors}
                for _, text in error.errors:
                    self.outcome.refused[re.sub(r"'[^']*'|\d+", "…", text)] += 1
                gone = {part["name"] for file, part in self.spec.items() if file in named}
                for name in named & set(self.spec):
                    del self.spec[name]
                tries += 1
                self.redraw(self.drop_users(gone) | gone if tries <= REDRAWN else set())
            except Exception:
                self.fail("check: traceback", traceback.format_exc(limit=-4), *self.request_names())
                return None
        return None

    def redraw(self, gone: set[str]) -> None:
        known = set(self.spec)
        for name in sorted(name for name in gone if re.fullmatch("r[0-9]+", name)):
            part = self.drawing.again({"name": name})
            self.documents.pop(f"{name}.yaml", None)
            named = set(re.findall(r'"(s[0-9]|t[0-9]|f[0-9]|teller|entry|north|south)["\.]', json.dumps(part)))
            if not all(f"{other}.yaml" in known for other in named):
                del self.spec[f"{name}.yaml"]

    def drop_users(self, gone: set[str]) -> set[str]:
        """What names something that is gone goes, too."""
        all_gone: set[str] = set()
        while gone:
            pattern = re.compile("|".join(rf'"{re.escape(name)}[".]' for name in gone))
            users = [f for f, p in self.spec.items() if p["kind"] in ("work_request", "fragment", "transport")
                     and pattern.search(json.dumps({k: v for k, v in p.items() if k not in ("name", "doc")}))]
            gone = {self.spec.pop(f)["name"] for f in users}
            all_gone |= gone
        return all_gone

    def request_names(self) -> list[str]:
        return [part["name"] for part in self.spec.values() if part["kind"] == "work_request"]

    # generate

    def generate(self, model: Model) -> dict[str, str]:
        try:
            return emit.render(model)
        except Exception:
            pass
        for name in self.request_names():
            self.try_alone(name)
        try:
            return emit.render(self.check(self.spec))
        except SpecError:
            return {}
        except Exception:
            self.fail("generate: traceback", traceback.format_exc(limit=-4), *self.request_names())
            return {}

    def alone(self, name: str) -> grammar.Spec:
        used = self.used((name,))
        return {f: p for f, p in self.spec.items() if p["kind"] != "work_request" or p["name"] in used}

    def try_alone(self, name: str) -> None:
        try:
            emit.render(self.check(self.alone(name)))
        except Exception:
            self.fail("generate: traceback", traceback.format_exc(limit=-4), name)
            del self.spec[f"{name}.yaml"]

    # build, judge

    def run(self) -> Outcome:
        model = self.accepted()
        if model is None:
            return self.outcome
        self.outcome.accepted += len(self.request_names())
        self.rng = random.Random(self.seed)
        walks = self.compiled(model)
        if walks:
            self.compare(walks)
        return self.outcome

    def compile_others(self, walks: list[Walk], wrong: str) -> list[Walk]:
        """Goes on with the requests of which the compiler says nothing."""
        blocks = re.split(r"\n(?=\S+: In function )", wrong)
        bad = {walks[int(n)].request["name"] for n in re.findall(r"\bwalk_([0-9]+)\b", wrong)}
        known = {request["name"] for request in self.reading.requests}
        bad |= {name for name in re.findall(r"(?:begin|north|south|rq|commit|post|_|\b)_?(r[0-9]+)(?=_|\b)", wrong) if name in known}
        for name in sorted(bad):
            about = [text for text in blocks if re.search(rf"(_|\b){name}(_|\b)", text)] or blocks
            self.fail("does not compile", "\n".join(about[0].split("\n")[:8]), name)
        if not bad:
            self.fail("does not compile", "\n".join(wrong.split("\n")[:12]), *self.request_names())
            return []
        for name in bad:
            del self.spec[f"{name}.yaml"]
        try:
            return self.compiled(self.check(self.spec))
        except SpecError:
            return []  # what is left names what is gone

    def compiled(self, model: Model) -> list[Walk]:
        """The walks of a program that has been compiled."""
        files = self.generate(model)
        if not files:
            return []
        self.reading = Reading(self.spec)
        self.legal: dict[str, dict[str, int]] = {}  # by machine
        walks = [walk for request in self.reading.requests for walk in self.draw(request)]
        wrong = self.compiler(files, Writer(self.reading).program(walks), self.folder)
        return self.compile_others(walks, wrong) if wrong else walks

    def draw(self, request: Item) -> list[Walk]:
        found = []
        transports = request.get("transports", ["rq"])
        for _ in range(WALKS):
            for one_call in (False, True):
                try:
                    found.append(self.draw_walk(request, self.rng.choice(transports), one_call))
                except LookupError:
                    pass  # what was drawn cannot be written
        return [walk for walk in found if walk]

    def draw_walk(self, request: Item, transport: str, one_call: bool) -> Optional[Walk]:
        took = self.reading.draw(self.rng, request, transport, one_call)
        fields = {f["name"]: f for f in self.reading.ctrl["fields"]}
        args = [(a["field"], self.reading.draw_value(self.rng, fields[a["field"]])) for a in request.get("args", [])]
        option = None
        named = self.reading.items[transport].get("options") if request["queue"] == "send" else None
        if named and not one_call and self.rng.random() < 0.4 and named[0]["field"] not in dict(args):
            option = (named[0]["name"], named[0]["field"], self.reading.draw_value(self.rng, fields[named[0]["field"]]))
        chosen = [name for name in request.get("flags", []) if self.rng.random() < 0.5]
        if {"SIGNALED", "LOUD"} <= set(chosen):
            chosen.remove("LOUD")
        flags = 0
        for name in chosen:
            flags |= self.flag(name)
        first = self.rng.choice([0, 62, 63, 61, 5]) if self.reading.ring else 0
        ring = self.reading.rings.get(transport) if request["queue"] == "send" else None
        if ring:
            first = self.rng.choice([0, 1, SLOTS - 1, SLOTS - 3, 2 * SLOTS - 2, 5 * SLOTS - 1, (1 << 32) - SLOTS - 2])
            laps = ring.get("lap", {"field": ""})
            args = [(f, laps["first"] ^ first // SLOTS % 2 if f == laps["field"] else value) for f, value in args]
        walk = Walk(request, transport, took, flags, chosen, args, option, one_call, first, None)
        walk.wqe = self.wqe(walk)
        return walk if walk.wqe is not None else None

    def flag(self, name: str) -> int:
        """The image of a flag in its dword."""
        member = next(m for m in self.reading.items["post_flag"]["values"] if m["name"] == name)
        fields = {f["name"]: f for f in self.reading.ctrl["fields"]}
        image = 0
        for which, value in member["sets"].items():
            low = int(fields[which]["at"]["bits"].split(":")[1])
            image |= self.reading.number(fields[which], value) << low
        return image

    def control(self, walk: Walk, behind: int) -> Optional[dict[str, int]]:
        reading, request = self.reading, walk.request
        opcodes = {m["name"]: m["value"] for m in reading.items["opcode"]["values"]}
        values = {"opcode": opcodes[request["opcode"]], **request.get("with", {}), **dict(walk.args)}
        for name in walk.flag_names:
            sets = next(m["sets"] for m in reading.items["post_flag"]["values"] if m["name"] == name)
            for which, value in sets.items():
                values[which] = reading.number(next(f for f in reading.ctrl["fields"] if f["name"] == which), value)
        if walk.option:
            values[walk.option[1]] = walk.option[2]
        if reading.ring:
            values.update(index=walk.first & 0xffff, qpn=0x123456, ds=1 + behind // 16)
            return values if values["ds"] <= reading.largest else None
        whole = reading.ctrl["size"] + behind
        ring = reading.rings.get(walk.transport, {})
        if whole > min(reading.block, ring.get("stride", whole)):
            return None
        if request["counts"] == "units":
            values["many"] = -(-whole // reading.unit)
        elif request["counts"] == "bytes":
            values["many"] = sum(len(t.data) for t in walk.took)
        else:
            plain = len(request["layout"]) - 1
            values["many"] = sum(len([r for r in t.rows if reading.counts_row(t.segment, r)]) if t.op == "array" else 1 for t in walk.took) - plain
        width = width_of(next(f for f in reading.ctrl["fields"] if f["name"] == "many"))
        return values if values["many"] < 1 << width else None

    def wqe(self, walk: Walk) -> Optional[bytes]:
        reading = self.reading
        body = b"".join(reading.bytes_of(t) for t in walk.took if t.op != "terminator")
        if walk.request["queue"] != "send":
            if len(body) > 512:
                return None
            return body
        values = self.control(walk, len(body))
        return None if values is None else reading.pack(reading.ctrl, values) + body

    # compare

    def compare(self, walks: list[Walk]) -> None:
        names = self.machines()
        mutants = [(w, mutant) for w in walks for mutant in self.mutants(w)]
        said = "".join(f"{names.index(w.transport if w.request['queue'] == 'send' else 'rq')} {m.hex()}\n" for w, m in mutants)
        try:
            done = subprocess.run([str(self.folder / "main")], input=said, capture_output=True, text=True, timeout=60, check=False, errors="replace")
        except subprocess.TimeoutExpired:
            self.fail("hangs", "the program does not end", *self.request_names())
            return
        lines = done.stdout.splitlines()
        self.bells = {int(n): said for n, said in (line.split(" ", 2)[1:] for line in lines if line.startswith("ring "))}
        built = {int(line.split(" ", 2)[1]): line.split(" ", 4)[2:] for line in lines if line.startswith("walk ")}
        for i, walk in enumerate(walks):
            self.outcome.walks += 1
            if i in built or i == len(built):  # one that crashes is followed by none
                self.compare_walk(i, walk, built.get(i), done)
        judged = [line[len("judged "):] for line in lines if line.startswith("judged ")]
        for (walk, mutant), sentence in zip(mutants, judged):
            self.outcome.judged += 1
            self.compare_verdict(walk, mutant, sentence)

    def compare_walk(self, number: int, walk: Walk, got: Optional[list[str]], done: subprocess.CompletedProcess) -> None:
        name = walk.request["name"]
        title = f"{name} on {walk.transport}{' in one call' if walk.one_call else ''} at {walk.first}: " + " ".join(
            f"{t.name}{'' if t.op == 'segment' else f' {t.op} of {len(t.rows)}'}" for t in walk.took)
        if got is None:
            self.fail("the program ends", f"{title}\n{done.returncode} {done.stderr[-500:]}", name)
            return
        ret, data, sentence = int(got[0]), bytes.fromhex(got[1]) if got[1:] else b"", " ".join(got[2:])
        if ret:
            self.fail("builder refuses what the model takes", f"{title}\n{sentence}\n{walk.wqe.hex()}", name)
            return
        wqe = walk.wqe
        if walk.request["queue"] != "send" and len(wqe) < len(data):
            wqe += self.reading.pack(self.reading.items["data_end"], {})
            data = data[:len(wqe)]
        ring = self.reading.rings.get(walk.transport) if walk.request["queue"] == "send" else None
        if ring:
            slots = -(-len(wqe) // self.reading.slot(ring))
            wqe = wqe.ljust(slots * self.reading.slot(ring), b"\0")
            bell = self.reading.doorbell(ring, walk.first + slots, SLOTS) if "doorbell" in ring else b""
            if self.bells[number] != f"{(walk.first + slots) % (1 << 32)} {bell.hex()}":
                self.fail("the ring says something else", f"{title}\n{self.bells[number]}\n{bell.hex()}", name)
        elif not self.reading.ring:
            wqe += bytes(self.reading.block - len(wqe))
        if data != wqe:
            self.fail("builder's bytes differ from the model's", f"{title}\n{data.hex(' ', 4)}\n{wqe.hex(' ', 4)}", name)
        elif sentence:
            self.fail("validator refuses what the builder built", f"{title}\n{sentence}\n{data.hex(' ', 4)}", name)

    def machines(self) -> list[str]:
        found = []
        for transport in ("north", "south"):
            if any(transport in r.get("transports", []) for r in self.reading.requests):
                found.append(transport)
        return found + (["rq"] if any(r["queue"] == "rq" for r in self.reading.requests) else [])

    def mutants(self, walk: Walk) -> list[bytes]:
        """The WQE, damaged; of receives the whole stride."""
        wqe = walk.wqe
        if walk.request["queue"] != "send":
            wqe = (wqe + self.reading.pack(self.reading.items["data_end"], {}))[:512]
            wqe += bytes(512 - len(wqe))
        if not self.reading.ring:
            wqe += bytes(self.reading.block - len(wqe))
        found = []
        for _ in range(MUTANTS):
            damaged = bytearray(wqe)
            for _ in range(self.rng.choice([1, 1, 1, 2])):
                start = self.rng.randrange(len(walk.wqe) or 1)
                if self.rng.random() < 0.5:
                    damaged[start] ^= 1 << self.rng.randrange(8)
                else:
                    damaged[start] = self.rng.choice([0, 1, 255, self.rng.randrange(256)])
            found.append(bytes(damaged))
        if self.reading.ring and walk.request["queue"] == "send":
            units = self.rng.randint(1, len(wqe) // 16)
            cut = bytearray(wqe[:units * 16])
            cut[7] = cut[7] & 0xc0 | units
            found.append(bytes(cut))
        return found

    def compare_verdict(self, walk: Walk, mutant: bytes, sentence: str) -> None:
        machine = walk.transport if walk.request["queue"] == "send" else "rq"
        if machine not in self.legal:
            self.legal[machine] = self.legal_flags(machine)
        legal = self.legal[machine]
        wqe = mutant
        if self.reading.ring and machine != "rq":
            units = mutant[7] & 0x3f
            wqe = mutant[:units * 16] if units * 16 <= len(mutant) else b""
        wanted = any(self.reading.accepts(r, machine, wqe, legal[r["name"]]) for r in self.reading.users(machine, wqe))
        if wanted == (not sentence):
            return
        stage = "validator refuses what the model accepts" if wanted else "validator accepts what the model refuses"
        self.fail(stage, f"{walk.request['name']} on {machine} damaged, first {walk.first}\n{sentence}\n{walk.wqe.hex(' ', 4)}\n{mutant.hex(' ', 4)}",
                  walk.request["name"])

    def legal_flags(self, machine: str) -> dict[str, int]:
        """Bits of the flags' dword that each request may have set."""
        reading = self.reading
        fields = {f["name"]: f for f in reading.ctrl["fields"]}
        dword = fields["ce"]["at"]["dword"]

        def mask(name: str) -> int:
            return bits_of_dword(fields[name], dword)

        common = 0
        if not reading.ring:
            common |= mask("opcode") | mask("many")
        if machine != "rq":
            for option in reading.items[machine].get("options", []):
                common |= mask(option["field"])
        for r in reading.requests:
            if machine in r.get("transports", []):
                for name in [a["field"] for a in r.get("args", [])] + list(r.get("with", {})):
                    common |= mask(name)
        return {r["name"]: functools.reduce(int.__or__, map(self.flag, r.get("flags", [])), common) for r in reading.requests}


class OneList(Batch):
    """One request, which has a list; the damaged ones say other counts, or have other numbers of entries."""

    def __init__(self, folder: Path, compiler: Callable[[dict[str, str], str, Path], str], **how: Any):
        seed = next(seed for seed in range(100) if grammar.Draw(seed, 0).ring)
        super().__init__(seed, folder, compiler)
        entry = grammar.item("segment", "entry", size=8, fields=[grammar.field("value", grammar.at(0, 63, 0))])
        self.listed = {"list": "entry", "count": "teller.bytes_of", "unit": 16, "pad": 64, **how}
        request = grammar.item("work_request", "r0", queue="send", opcode="OP0", transports=["north"], flags=[],
                               layout=[{"segment": "teller"}, self.listed])
        kept = {name: part for name, part in self.spec.items() if part["kind"] not in ("work_request", "fragment") and name != "south.yaml"}
        self.spec = {**kept, "entry.yaml": entry, "r0.yaml": request}

    def mutants(self, walk: Walk) -> list[bytes]:
        if "entries" not in self.listed:
            head, room = walk.wqe[:32], len(walk.wqe) - 32
            return [head + (b"entries." * n).ljust(room, b"\0") for n in range(room // 8 + 1)]
        many = next(f for f in self.reading.items["teller"]["fields"] if f["name"] == "many")
        start = 16 + many["at"]["dword"] * 4 + 2
        return [walk.wqe[:start] + count.to_bytes(2, "big") + walk.wqe[start + 2:] for count in range(10)]


class OutOfPatience(BaseException):
    """Of a batch that may not end at all. No Exception: those are of what it looks for."""


def lose_patience(*_: Any) -> None:
    raise OutOfPatience


def run_batch(seed: int, shared: Path, quick: bool) -> Outcome:
    """One batch, in the main thread of its process; one that does not end fails."""
    signal.signal(signal.SIGPROF, lose_patience)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        return try_batch(seed, shared, quick)
    except OutOfPatience:
        return Outcome(failures=[Failure("does not end", seed, traceback.format_exc(limit=-12), {})])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def try_batch(seed: int, shared: Path, quick: bool) -> Outcome:
    """`quick`: with tcc, but one of SAMPLE, and each that fails, with gcc or clang."""
    with tempfile.TemporaryDirectory() as folder:
        suspects: list[Failure] = []
        if quick and seed % SAMPLE:
            outcome = Batch(seed, Path(folder), Quick(shared)).run()
            if not outcome.failures:
                return outcome
            suspects = outcome.failures
        outcome = Batch(seed, Path(folder), Exact("clang" if quick and seed // SAMPLE % 2 else "gcc", shared)).run()
        for failure in suspects if not outcome.failures else []:
            outcome.failures.append(dataclasses.replace(failure, stage=f"with tcc alone: {failure.stage}"))
        return outcome


def settle() -> None:
    """Collections look at what batches make. Once in a process: what is frozen is never given back."""
    gc.freeze()
    gc.set_threshold(100000)


def run_until(seed: int, count: int, jobs: int, keep: str = "", quick: bool = False) -> Outcome:
    """Batches from `seed` on until so many requests were accepted. `keep`: a file to which what fails is added, and how far it is."""
    total = Outcome()
    told = 0
    with tempfile.TemporaryDirectory() as shared, concurrent.futures.ProcessPoolExecutor(jobs, initializer=settle) as pool:
        waiting: set[concurrent.futures.Future] = set()
        next_seed = seed
        while waiting or total.accepted < count:
            while total.accepted < count and len(waiting) < jobs * 2:
                waiting.add(pool.submit(run_batch, next_seed, Path(shared), quick))
                next_seed += 1
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            found = [future.result() for future in done]
            for outcome in found:
                total.add(outcome)
            texts = [f"{failure}\n\n" for outcome in found for failure in outcome.failures]
            if total.accepted - told >= TOLD:
                texts.append(f"seeds {seed} to {next_seed - 1}: {report(total)}\n")
                told = total.accepted
            if keep and texts:
                with open(keep, "a", encoding="utf-8") as stream:
                    stream.writelines(texts)
            if total.accepted >= count:
                waiting = {future for future in waiting if not future.cancel()}
    return total


def report(total: Outcome) -> str:
    stages = Counter(failure.stage for failure in total.failures)
    lines = [f"{total.accepted} layouts accepted, {sum(total.refused.values())} refused; {total.walks} requests built, "
             f"{total.judged} damaged ones judged; {len(total.failures)} failures"]
    return "\n".join(lines + [f"  {number} {stage}" for stage, number in stages.most_common()])


class Layouts(unittest.TestCase):
    def test_a_list_keeps_its_limits(self) -> None:
        counted = {"entries": "teller.many"}
        for how in ({"min": 1, "max": 4, **counted}, {"min": 2, "max": 3, "head": 16, **counted}, {"min": 1, "max": 3},
                    {"min": 0, "max": 9, "head": 16}):
            with self.subTest(how), tempfile.TemporaryDirectory() as folder:
                outcome = OneList(Path(folder), Exact("gcc", Path(folder)), **how).run()
                self.assertFalse(outcome.failures, "\n".join(failure.what for failure in outcome.failures))
                self.assertGreater(outcome.judged, 0)

    def test_a_batch_that_does_not_end_is_named(self) -> None:
        def turn(*_: Any) -> None:
            while True:
                pass

        with mock.patch.dict(globals(), {"PATIENCE": 0.1, "try_batch": turn}):
            failure, = run_batch(7, Path("."), False).failures
        self.assertEqual((failure.seed, failure.stage), (7, "does not end"))
        self.assertIn("in turn", failure.what)

    def test_a_device_whose_requests_do_not_fit(self) -> None:
        """Its program is compiled all the same."""
        for block in (False, True):
            with self.subTest(block=block), tempfile.TemporaryDirectory() as folder, mock.patch.object(Batch, "draw", return_value=[]):
                outcome = Batch(1, Path(folder), Exact("gcc", Path(folder)), block=block).run()
                self.assertFalse(outcome.failures, "\n".join(failure.what for failure in outcome.failures))
                self.assertGreater(outcome.accepted, 0)

    def test_a_repeat_of_repeats_is_read_in_one_way(self) -> None:
        spec = grammar.Draw(next(seed for seed in range(100) if grammar.Draw(seed, 0).ring), 0).draw()
        spec["bare.yaml"] = grammar.item("segment", "bare", size=16, fields=[grammar.field("value", grammar.at(0, 63, 0))])
        inner = {"repeat": [{"segment": "bare"}], "min": 1, "max": "wqe"}
        for least, most, expected in ((0, "wqe", range(0, 13)), (2, "wqe", range(2, 13)), (2, 3, range(2, 13))):
            with self.subTest(least=least, most=most):
                places = Reading(spec).parse([{"repeat": [inner], "min": least, "max": most}], "north", bytes(12 * 16), 0, {})
                self.assertEqual(sorted(end // 16 for end, _ in places), list(expected))

    def test_random_layouts(self) -> None:
        total = run_until(segue_test_seed(), COUNT, 1, quick=False)
        print(report(total))
        self.assertFalse(total.failures, "\n\n".join(map(str, total.failures[:5])))
        self.assertGreater(total.walks, total.accepted)


def main() -> int:
    parser = argparse.ArgumentParser(description="Random layouts through the generator.")
    parser.add_argument("--count", type=int, default=COUNT, help="layouts that check accepts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", default="", help="file to which failures are added")
    parser.add_argument("--refused", action="store_true", help="say what was refused how often")
    options = parser.parse_args()
    if not TCC:
        print("there is no tcc, which takes a tenth of the time: apt install tcc")
    total = run_until(options.seed, options.count, options.jobs, options.keep, bool(TCC))
    print(report(total))
    for text, number in total.refused.most_common(30 if options.refused else 0):
        print(f"  {number} {text}")
    for failure in total.failures[:3]:
        print(failure)
    return 1 if total.failures else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main())
    unittest.main()
