# SPDX-License-Identifier: BSD-2-Clause
"""Drawn requests as a program in Rust, which prints the entries that it has built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from codegen.python.nic import Data, Field
from codegen.rust import MOST_PARAMETERS, ident
from tests.backends.draw import QUEUE, Call, Drawn

# Debian's, whatever else there is.
RUSTC = "/usr/bin/rustc" if os.path.exists("/usr/bin/rustc") else shutil.which("rustc") or ""
FLAGS = ["--edition", "2021", "-D", "warnings"]

HEAD = """\
#[allow(unused_imports)]
use device::{segments, Refused};

fn show(number: usize, built: Result<usize, Refused>, bytes: &[u8]) {
    match built {
        Ok(len) => println!("{} {}", number, bytes[..len].iter().map(|b| format!("{:02x}", b)).collect::<String>()),
        Err(why) => println!("{} refused: {}", number, why),
    }
}

"""


def rustc(*arguments: str, folder: Path) -> str:
    """What it says."""
    done = subprocess.run([RUSTC, *FLAGS, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr or "failed"


def literal(f: Field, value: Any) -> str:
    return hex(value) if f.order else f"[{', '.join(map(str, value))}]"


def struct(c: Call, row: dict[str, Any]) -> str:
    name = ident(c.segment.name)
    fields = [f"{ident(n)}: {literal(f, row[n])}, " for n, f in c.segment.fields.items() if f.const is None and n in row]
    return f"segments::{name} {{ {''.join(fields)}..segments::{name}::ZERO }}"


def step(c: Call, said: Data) -> str:
    if c.listed:
        return f".{ident(c.call)}(&[{', '.join(struct(c, row) for row in c.rows)}])"
    if said.get("whole") or said.get("prepared"):
        given = ["&" + struct(c, c.rows[0])]
    else:
        given = [literal(c.segment.fields[n], c.rows[0][n]) for n in c.given]
    given += [f"&[{', '.join(map(str, c.payload))}]"] if c.segment.tail else []
    return f".{ident(c.call)}({', '.join(given)})"


def program(model: Data, drawn: list[Drawn], size: int) -> str:
    segments = {s["name"]: s for s in model["segments"]}
    controls = {r["name"]: segments[r["control"]]["control"] if "control" in r else {"flags": []} for r in model["requests"]}
    parts, calls = [HEAD], []
    for i, d in enumerate(drawn):
        control = controls[d.request]
        args = [(ident(name), hex(v) if isinstance(v, int) else f"[{', '.join(map(str, v))}]") for name, v in d.args]
        if len(args) > MOST_PARAMETERS:
            members = ", ".join(f"{name}: {value}" for name, value in args)
            args = [("args", f"device::{ident(d.queue)}::{ident(d.request + '_args')} {{ {members} }}")]
        lap = [f"({d.lap[0]}, {d.lap[1]})"] if d.lap else []
        given = ["to"] + lap + [hex(d.flags)] * bool(control["flags"]) + [value for _, value in args]
        steps = [f".{ident(d.option[0])}({d.option[1]:#x})"] if d.option else []
        steps += [step(c, segments[c.segment.name]) for c in d.calls]
        ends = ", ".join(["0"] * ("index" in control) + [hex(QUEUE)] * ("queue" in control) + ["0"] * ("spill" in control))
        parts.append(f"fn build_{i}(to: &mut [u8]) -> Result<usize, Refused> {{\n    device::{ident(d.queue)}::{ident(d.request)}({', '.join(given)})"
                     f"{''.join(steps)}.commit({ends})\n}}\n\n")
        calls.append(f"    to.fill(0xa5);\n    show({i}, build_{i}(&mut to), &to);\n")
    return "".join(parts) + f"fn main() {{\n    let mut to = vec![0; {size}];\n{''.join(calls)}}}\n"
