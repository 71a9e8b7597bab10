# SPDX-License-Identifier: BSD-2-Clause
"""Costs of an operation: libmlx5's, UCX's, Segue's, and the least possible.

callgrind (valgrind) counts instructions with the loop around the operation, so any machine gives the same figures under any load. No card
is needed: without one, softhca stands below libmlx5. Nothing is sent.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Optional

from tools.bench import page
from tools.bench.counting import CACHES, Counted, Name, counted
from tools.bench.results import OURS, Results, exceeding, flat, read

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
WORKSPACE = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
SOFTHCA = ROOT / "tools" / "softhca" / "softhca"
PLAIN = {"MLX5_SHUT_UP_BF": "1"}  # 8 bytes per doorbell on all sides
UNLOCKED = {**PLAIN, "MLX5_SINGLE_THREADED": "1"}
ADOPTED = {**PLAIN, "BENCH_ADOPT": "1"}  # libibverbs' calls, carried out by Segue behind locks
BLUEFLAME = {"MLX5_SINGLE_THREADED": "1"}
OTHER_BYTES = "other-bytes/"  # in front of a row that UCX posts otherwise
NUMBERS = (1, 256, 4096, 65536)


def below_of(program: Path) -> list[str]:
    """The command that starts programs which need a device. Empty if there is one."""
    probe = subprocess.run([str(program), "none"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return [] if probe.returncode == 0 else [str(SOFTHCA)]


def rows_of(below: list[str], filters: list[str], results: Results) -> None:
    """The rows of ours/ and theirs/: with libmlx5's locks and without, and by BlueFlame without."""
    program = str(HERE / "rows")

    def take(found: dict[Name, Counted], suffix: str, ours: bool) -> None:
        sums: dict[str, dict[str, str]] = {}
        for (row, contender), one in found.items():
            name = contender + (suffix if contender.startswith("ibv_") else "")
            sums.setdefault(row, {})[name] = one.more
            if ours or name != contender:
                results.add(row, name, one.instructions)
        results.keep_equal(sums)  # of one run: the next has another address

    copied = [f for f in filters or ["blueflame/"] if f.startswith("blueflame")]
    rung = [f for f in filters if f not in copied and not f.startswith("cold")]
    if rung or not filters:
        take(counted([program, *rung], below, PLAIN), "", True)
        take(counted([program, *rung], below, UNLOCKED), ", no locks", False)
        take(counted([program, *rung], below, ADOPTED), ", adopted", False)
    if copied:
        take(counted([program, *copied], below, BLUEFLAME), ", no locks", True)


def lines_of(found: dict[Name, Counted], results: Results) -> None:
    """Takes cache lines of a program's parts, with contenders that end in /cold or /warm."""
    for (row, named), one in found.items():
        contender, state = named.split("/")
        results.add_lines(row, contender + (", no locks" if contender.startswith("ibv_") else ""), state, one.data, one.code)


def cold_of(below: list[str], results: Results) -> None:
    """Cache lines of one operation, and of one of 16, with empty caches and with full ones."""
    for n in (1, 16):
        rows = [row for row in page.COLD if row.endswith(f"/{n}")]
        lines_of(counted([str(HERE / f"cold_{n}"), *rows], below, UNLOCKED, CACHES), results)


def wanted(name: str, filters: list[str]) -> bool:
    return not filters or any(name.startswith(f) for f in filters)


def numbers_of(filters: list[str], results: Results) -> None:
    """Completions of one of so many queue pairs, and by peer. Plain memory: no device."""
    if wanted("among", [f[:5] for f in filters]):
        parts = [str(x) for at_a_time in (1, 16) for n in NUMBERS for x in (n, at_a_time)]
        for (n, at_a_time), one in counted([str(HERE / "shared_cq"), *parts]).items():
            results.add(f"among/poll-{at_a_time}/{n}", "handler", one.instructions)
    if wanted("peer", [f[:4] for f in filters]):
        parts = [str(x) for what in ("rc", "dc", "poll", "poll-dc") for n in NUMBERS for x in (what, n)]
        parts += [x for what in ("rc-direct", "dc-direct", "poll-direct") for x in (what, "256")]
        for (what, n), one in counted([str(HERE / "peer_posts"), *parts]).items():
            results.add(f"peer/{what}/{n}", "handler" if what.startswith("poll") else "builders", one.instructions)


def compile_uct(folder: str, tree: Optional[str]) -> Optional[str]:
    """Compiles UCX's side, against the system's UCX or one built in a source tree. None if there is neither."""
    flags = ["-luct", "-lucs"]
    if tree:
        flags = [f"-I{tree}/src", f"-L{tree}/src/uct/.libs", f"-L{tree}/src/ucs/.libs", f"-Wl,-rpath,{tree}/src/uct/.libs:{tree}/src/ucs/.libs", *flags]
    elif not Path("/usr/include/uct/api/uct.h").exists():
        return None
    program = str(Path(folder, "uct"))
    sources = [str(HERE / "theirs" / "ucx.c"), str(HERE / "ours" / "caches.c")]
    command = ["cc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-rdynamic", f"-I{ROOT}", *sources, *flags, "-ldl", "-o", program]
    subprocess.run(command, check=True)
    return program


def ucx_of(below: list[str], tree: Optional[str], filters: list[str], results: Results) -> None:
    """uct over rc_mlx5 and dc_mlx5, which post to a live queue pair of the same process."""
    with tempfile.TemporaryDirectory() as folder:
        program = compile_uct(folder, tree)
        if not program:
            print("bench: UCX is not here (libucx-dev), and is left out", file=sys.stderr)
            return
        settings = {"UCX_LOG_LEVEL": "fatal", "UCX_WARN_UNUSED_ENV_VARS": "n", "SOFTHCA_LINK": "ib"}
        for (row, contender), one in counted([program], below, settings).items():
            if row.startswith(OTHER_BYTES):
                results.unequal.setdefault(row[len(OTHER_BYTES):], []).append(contender)
            elif wanted(row, filters) and (row in results.rows or not filters):
                results.add(row, contender, one.instructions)
        if wanted("cold", filters):
            lines_of(counted([program, "cold"], below, settings, CACHES), results)


def version(command: list[str]) -> str:
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def about(below: list[str]) -> dict[str, str]:
    with open(HERE / "rows", "rb") as program:
        compilers = set(re.findall(rb"GCC: \([^)]*\) [\d.]+|clang version [\d.]+", program.read()))
    return {"compiler": ", ".join(sorted(c.decode() for c in compilers)) or "unknown",
            "rdma-core": version(["pkg-config", "--modversion", "libibverbs"]), "UCX": version(["pkg-config", "--modversion", "ucx-uct"]),
            "device": "softhca" if below else "a card", "counted by": version(["valgrind", "--version"])}


def measure(options: argparse.Namespace) -> Results:
    results = Results()
    below = below_of(HERE / "rows")
    results.about = about(below)
    rows_of(below, options.filter, results)
    if options.filter:
        results.rows = {row: by for row, by in results.rows.items() if wanted(row, options.filter)}
    numbers_of(options.filter, results)
    if wanted("cold", options.filter):
        cold_of(below, results)
    if not options.no_ucx:
        ucx_of(below, options.ucx, options.filter, results)
    return results


def compare(results: Results, old: Path) -> int:
    before, now = read(old), results
    worse = exceeding(flat(before.rows, OURS), flat(now.rows, OURS))
    for row, by in now.rows.items():
        for contender, instructions in by.items():
            was = before.rows.get(row, {}).get(contender)
            if was is not None and abs(was - instructions) >= 0.5:
                print(f"{row} {contender}: {was:.1f} -> {instructions:.1f}")
    for line in worse:
        print(f"FAILED: {line}")
    return 1 if worse else 0


def cycles(options: argparse.Namespace) -> int:
    program = str(HERE / "rows")
    below = below_of(HERE / "rows")
    return subprocess.run([*below, program, "--cycles", *options.filter], env={**os.environ, **UNLOCKED}, check=False).returncode


def lives(below: list[str]) -> None:
    """Microseconds that a queue pair takes, with the system calls: among few and among many."""
    few, many = ([float(x) for x in subprocess.run([*below, str(HERE / "qp_lifetime"), *counts], stdout=subprocess.PIPE, text=True,
                                                     check=True).stdout.split()] for counts in (("64", "30"), ("4096", "3")))
    print("Microseconds per RC queue pair, with the system calls" + (" as softhca answers them" if below else ""))
    print(f"{'':14}" + "".join(f"{t:>11}" for t in ("opened", "connected", "oldest 1st", "newest 1st", "by domain")))
    for name, figures, digits in (("of 64", few, 2), ("of 4096", many, 2), ("ratio", [m / f for f, m in zip(few, many)], 2)):
        print(f"{name:14}" + "".join(f"{x:11.{digits}f}" for x in figures))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", action="append", default=[], metavar="ROW", help="only rows whose names begin so: rc/rdma_write, cold (repeatable)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument("--svg", type=Path, metavar="FOLDER", help="draw charts there")
    parser.add_argument("--compare", type=Path, metavar="OLD.json", help="say what changed; fail if a row of Segue takes 2 %% more")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md with its charts")
    parser.add_argument("--first-page", action="store_true", help="print the rows of README.md's table alone")
    parser.add_argument("--from", dest="saved", type=Path, metavar="FILE", help="take the figures of a --json, and measure nothing")
    parser.add_argument("--ucx", metavar="TREE", help="a built source tree of UCX, in place of the system's")
    parser.add_argument("--no-ucx", action="store_true", help="leave UCX out")
    parser.add_argument("--cycles", action="store_true", help="cycles of the core, where the machine counts them for programs")
    parser.add_argument("--lives", action="store_true", help="time to open, connect and close queue pairs, instead")
    return parser.parse_args()


def here(path: Optional[Path]) -> Optional[Path]:
    return WORKSPACE / path if path else None


def write_page(results: Results) -> None:
    docs = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", ".")) / "docs"
    page.draw(results, docs / "pictures")
    (docs / "performance.md").write_text(page.page(results, (HERE / "page.md").read_text("utf-8")), encoding="utf-8")


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("SOFTHCA_DIR", folder)
        if options.cycles:
            return cycles(options)
        if options.lives:
            lives(below_of(HERE / "rows"))
            return 0
        if options.first_page:
            options.filter, options.no_ucx = sorted({row for _, row, _ in page.FIRST_PAGE}), True
        try:
            results = read(here(options.saved)) if options.saved else measure(options)  # type: ignore[arg-type]
        except (RuntimeError, OSError) as error:
            print(f"bench: {error}", file=sys.stderr)
            return 1
    print("\n".join(page.first_page(results)) if options.first_page else page.text(results), end="\n" if options.first_page else "")
    if options.json:
        results.write(WORKSPACE / options.json)
    if options.svg:
        page.draw(results, WORKSPACE / options.svg)
    if options.page:
        write_page(results)
    return compare(results, WORKSPACE / options.compare) if options.compare else 0


if __name__ == "__main__":
    sys.exit(main())
