# SPDX-License-Identifier: BSD-2-Clause
"""Drawn requests as a program in Rust, which reads their values and prints the entries that it has built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from codegen.python.nic import Data, Field
from codegen.rust import MOST_PARAMETERS, ident
from tests.backends import words
from tests.backends.draw import QUEUE, Call, Drawn

# Debian's, whatever else there is.
RUSTC = "/usr/bin/rustc" if os.path.exists("/usr/bin/rustc") else shutil.which("rustc") or ""
FLAGS = ["--edition", "2021", "-D", "warnings"]

HEAD = """\
#![allow(unused_variables)]
#[allow(unused_imports)]
use device::{segments, Refused};

#[allow(dead_code)]
fn bytes<const N: usize>(v: &[u64]) -> [u8; N] {
    core::array::from_fn(|i| v[i / 8].to_le_bytes()[i % 8])
}

#[allow(dead_code)]
fn payload(v: &[u64]) -> Vec<u8> {
    (0..v[0] as usize).map(|i| v[1 + i / 8].to_le_bytes()[i % 8]).collect()
}

fn show(number: usize, built: Result<usize, Refused>, bytes: &[u8]) {
    match built {
        Ok(len) => println!("{} {}", number, bytes[..len].iter().map(|b| format!("{:02x}", b)).collect::<String>()),
        Err(why) => println!("{} refused: {}", number, why),
    }
}

"""
MAIN = """\
fn main() {
    let mut to = vec![0; @SIZE@];
    for (number, line) in std::io::stdin().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).enumerate() {
        let mut said = line.split(' ');
        let form = said.next().unwrap();
        let v: Vec<u64> = said.map(|word| u64::from_str_radix(word, 16).unwrap()).collect();
        to.fill(0xa5);
        let built = match form.parse::<usize>().unwrap() {
@CALLS@            _ => unreachable!(),
        };
        show(number, built, &to);
    }
}
"""


def rustc(*arguments: str, folder: Path) -> str:
    """What it says."""
    done = subprocess.run([RUSTC, *FLAGS, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr or "failed"


def literal(f: Field, value: Any) -> str:
    return hex(value) if f.order else f"[{', '.join(map(str, value))}]"


def value(f: Field, place: int) -> str:
    return f"v[{place}] as _" if f.order else f"bytes(&v[{place}..])"


def struct(c: Call, places: dict[words.Key, int], i: int, row: int) -> str:
    name = ident(c.segment.name)
    fields = [f"{ident(n)}: {value(c.segment.fields[n], places[i, row, n])}, " for n in c.names]
    return f"segments::{name} {{ {''.join(fields)}..segments::{name}::ZERO }}"


def step(c: Call, said: Data, places: dict[words.Key, int], i: int) -> str:
    if c.listed:
        rows = ", ".join(struct(c, places, i, row) for row in range(c.most))
        return f".{ident(c.call)}(&[{rows}][..v[{places[i, 'rows']}] as usize])"
    if said.get("whole") or said.get("prepared"):
        given = ["&" + struct(c, places, i, 0)]
    else:
        given = [value(c.segment.fields[n], places[i, 0, n]) for n in c.given]
    given += [f"&payload(&v[{places[i, 'length']}..])"] if c.segment.tail else []
    return f".{ident(c.call)}({', '.join(given)})"


def program(model: Data, drawn: list[Drawn], size: int) -> str:
    segments = {s["name"]: s for s in model["segments"]}
    controls = {r["name"]: segments[r["control"]]["control"] if "control" in r else {"flags": []} for r in model["requests"]}
    parts, calls = [HEAD], []
    for number, d in enumerate(words.forms(drawn)):
        control, places = controls[d.request], words.places(d)
        args = [(ident(name), f"v[{places['arg', name]}] as _" if isinstance(v, int) else f"bytes(&v[{places['arg', name]}..])") for name, v in d.args]
        if len(args) > MOST_PARAMETERS:
            members = ", ".join(f"{name}: {shown}" for name, shown in args)
            args = [("args", f"device::{ident(d.queue)}::{ident(d.request + '_args')} {{ {members} }}")]
        lap = [f"(v[{places['lap',]}] as _, v[{places['turn',]}] as _)"] if d.lap else []
        table = [f"v[{places['table',]}] as _"] if d.table is not None else []
        given = ["to"] + lap + table + [f"v[{places['flags',]}] as _"] * bool(control["flags"]) + [shown for _, shown in args]
        steps = [f".{ident(d.option[0])}(v[{places['option',]}] as _)"] if d.option else []
        steps += [step(c, segments[c.segment.name], places, i) for i, c in enumerate(d.calls)]
        ends = ", ".join(["0"] * ("index" in control) + [hex(QUEUE)] * ("queue" in control) + ["0"] * ("spill" in control))
        parts.append(f"fn build_{number}(to: &mut [u8], v: &[u64]) -> Result<usize, Refused> {{\n    device::{ident(d.queue)}::{ident(d.request)}"
                     f"({', '.join(given)}){''.join(steps)}.commit({ends})\n}}\n\n")
        calls.append(f"            {number} => build_{number}(&mut to, &v),\n")
    return "".join(parts) + MAIN.replace("@SIZE@", str(size)).replace("@CALLS@", "".join(calls))
