# SPDX-License-Identifier: BSD-2-Clause
"""Builds fuzz_wqe.cc and the library with clang and libFuzzer, and lets it run for a short while from valid WQEs."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.seed.seed import segue_test_seed

RUNS = int(os.environ.get("SEGUE_FUZZ_RUNS", "20000"))
SANITIZERS = ["-O1", "-g", "-fno-sanitize-recover=all"]


def compile_one(source: Path, out: Path, include: list[str]) -> Path:
    target = out / (source.name + ".o")
    # libFuzzer follows the library; what reads its JSON back is checked by the sanitizers, but is not what is explored.
    compiler = ["clang++", "-std=c++17"] if source.suffix == ".cc" else ["clang", "-std=c11", "-fsanitize=fuzzer-no-link"]
    subprocess.run(
        [*compiler, *SANITIZERS, "-fsanitize=address,undefined", *include, "-c", str(source), "-o", str(target)],
        check=True,
    )
    return target


def seeds(corpus: Path, folder: Path, order: list[str]) -> int:
    """Some of each queue's valid WQEs as files."""
    folder.mkdir()
    count = 0
    for number, line in enumerate(corpus.read_text().splitlines()):
        name, _, data = line.split()
        if number % 7 == 0 or name in ("rq", "srq", "mprq"):
            (folder / str(number)).write_bytes(bytes([order.index(name), 0]) + bytes.fromhex(data))
            count += 1
    return count


def main() -> int:
    walks, headers, sources = (Path(p) for p in sys.argv[1:4])
    include = [f"-I{headers}", "-Iinclude", "-I."]
    files = sorted(sources.glob("*.c")) + sorted(f for room in ("base", "text") for f in Path("runtime", room).glob("*.c")) + [Path("tests/builders/fuzz_wqe.cc")]
    order = ["dci", "raw_packet", "rc", "uc", "ud", "xrc_initiator", "rq", "srq", "mprq"]
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary)
        with ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(lambda f: compile_one(f, out, include), files))
        program = out / "fuzz_wqe"
        subprocess.run(["clang++", "-fsanitize=fuzzer,address,undefined", *map(str, objects), "-lmlx5", "-libverbs", "-o", str(program)], check=True)
        print(seeds(walks / "corpus.txt", out / "seeds", order), "seeds")
        (out / "found").mkdir()
        result = subprocess.run(
            [str(program), f"-seed={segue_test_seed()}", f"-runs={RUNS}", "-max_len=1100", "-print_final_stats=1", str(out / "found"), str(out / "seeds")],
            cwd=out, capture_output=True, text=True,
        )
        print(result.stderr[-12000:] if result.returncode else result.stderr[-200:])
        if result.returncode:
            return result.returncode
        units = re.search(r"number_of_executed_units: *([0-9]+)", result.stderr)
        if not units or int(units[1]) < RUNS:
            print(f"fuzz_wqe ran {units[1] if units else 'an unknown number'} of {RUNS} units.")
            return 1
        return 0


if __name__ == "__main__":
    sys.exit(main())
