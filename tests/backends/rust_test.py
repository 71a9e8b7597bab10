# SPDX-License-Identifier: BSD-2-Clause
"""Rust writes what the spec's vectors say, refuses what does not fit, and does not compile where the order is wrong."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from codegen import rust
from codegen.python.nic import Nic, Segment, number
from tests.backends import page
from tests.backends.devices import DEVICES, model_of
from tests.backends.in_rust import RUSTC, literal, rustc

VECTOR = """\
    let v = segments::{name} {{ {fields}..segments::{name}::ZERO }};
    let mut out = [0xa5u8; {size}];
    v.check().unwrap();
    v.pack(&mut out);
    assert_eq!(segments::{name}::unpack(&out), v);
    println!("{{}}", out.iter().map(|b| format!("{{:02x}}", b)).collect::<String>());
"""
MAIN = """\
#[allow(unused_imports)]
use device::{{segments, Segment}};

fn main() {{
{body}}}
"""

# What is wrong, the code, and what the compiler says of it.
WRONG = {
    "a segment is missing": ("rc::rdma_write(to, 0).sge(0x1000, 64, 7)",
                             r"error\[E0599\]: no method named `sge` found for struct `device::rc::rdma_write_wants_raddr` in the current scope"),
    "it ends too early": ("rc::rdma_write(to, 0).commit(0, 1)",
                          r"error\[E0599\]: no method named `commit` found for struct `device::rc::rdma_write_wants_raddr` in the current scope"),
    "a request of another queue": ("ud::rdma_write(to, 0)", r"error\[E0425\]: cannot find function `rdma_write` in module `ud`"),
    "a builder is dropped": ("{ rc::rdma_write(to, 0).raddr(0x1000, 7); }",
                             r"error: unused `device::rc::rdma_write_may_take_sge_or_inline_data` that must be used\n[^$]*an entry is written by commit\(\)"),
    "a builder is used twice": ("{ let w = rc::rdma_write(to, 0); w.raddr(1, 2).commit(0, 1).unwrap(); w.raddr(1, 2) }",
                                r"error\[E0382\]: use of moved value: `w`"),
    "a result is ignored": ("{ rc::rdma_write(to, 0).raddr(1, 2).commit(0, 1); }", r"error: unused `Result` that must be used"),
    "an argument is missing": ("rc::rdma_write(to, 0).raddr(0x1000)", r"error\[E0061\]: this function takes 2 arguments but 1 argument was supplied"),
    "a pointer for an address": ("rc::rdma_write(to, 0).raddr(to.as_ptr(), 7)", r"error\[E0308\]: (mismatched types|arguments to this function are incorrect)"),
    "the entry is read while it is built": ("{ let w = rc::rdma_write(to, 0); to[0] = 1; w.raddr(1, 2) }",
                                            r"error\[E0506\]: cannot assign to `to\[_\]` because it is borrowed"),
}

REFUSED = {"mlx5": {
    "rc::rdma_write(&mut to[..16], 0).raddr(1, 2).commit(0, 1)": "entry: expected room for all of it, in the slice and in the device's largest entry",
    "rc::rdma_write(&mut to, 1 << 31).raddr(1, 2).commit(0, 1)": "rdma_write.flags: expected flags that this request has",
    "ud::send(&mut to, 0).av(&segments::av_ud { stat_rate: 16, ..segments::av_ud::ZERO }).commit(0, 1)": "av_ud.stat_rate: expected 0x0 to 0xf",
    "rc::send(&mut to, 0).inline_data(&[1; 1000]).commit(0, 1)": "entry: expected room for all of it, in the slice and in the device's largest entry",
}, "ionic": {  # tables of three pieces
    "rc::send(&mut to, (0, 0), 2, 0, 7).sge(1, 2, 3).sge(1, 2, 3).sge(1, 2, 3).commit()":
        "entry: expected room for all of it, in the slice and in the device's largest entry",
    "rc::send(&mut to[..96], (0, 0), 8, 0, 7).sge(1, 2, 3).sge(1, 2, 3).sge(1, 2, 3).commit()":
        "entry: expected room for all of it, in the slice and in the device's largest entry",
    "(0..9).fold(rc::send(&mut to, (0, 0), 16, 0, 7), |w, i| w.sge(1, 0xfff8 + i, 3)).commit()": "sge.len: expected a value that the table of pieces holds",
}}


@unittest.skipUnless(RUSTC, "SKIPPED: there is no rustc; apt install rustc")
class Rust(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.models = {name: model_of(name) for name in DEVICES}
        for name, model in cls.models.items():
            cls.folder(name).mkdir()
            (cls.folder(name) / "device.rs").write_text(rust.module(model), encoding="utf-8")
            wrong = rustc("--crate-type", "rlib", "device.rs", folder=cls.folder(name))
            assert not wrong, wrong[:3000]

    @classmethod
    def folder(cls, device: str) -> Path:
        return Path(cls.kept.name) / device

    def compiled(self, device: str, text: str) -> str:
        (self.folder(device) / "main.rs").write_text(text, encoding="utf-8")
        return rustc("--extern", "device=libdevice.rlib", "-o", "main", "main.rs", folder=self.folder(device))

    def ran(self, device: str, body: str) -> list[str]:
        wrong = self.compiled(device, MAIN.format(body=body))
        self.assertEqual("", wrong[:3000])
        done = subprocess.run([self.folder(device) / "main"], capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout.splitlines()

    def vector(self, segment: Segment, name: str, said: dict[str, Any]) -> str:
        fields = {n: f for n, f in segment.fields.items() if f.const is None and n in said["in"]}
        values = {n: number(said["in"][n]) if f.order else bytes.fromhex(said["in"][n]) for n, f in fields.items()}
        if segment.tail and "length" in segment.tail:
            values[segment.tail["length"]] = len(said.get("tail", "")) // 2
        shown = "".join(f"{rust.ident(n)}: {literal(fields[n] if n in fields else segment.fields[n], v)}, " for n, v in values.items())
        return VECTOR.format(name=rust.ident(name), fields=shown, size=segment.size)

    def test_every_vector_of_the_specs(self) -> None:
        for device, model in self.models.items():
            nic, body, wanted = Nic(model), "", []
            for kind, known in (("segments", nic.segments), ("cqes", nic.cqes)):
                for data in model[kind]:
                    name = f"cqe_{data['name']}" if kind == "cqes" and data["name"] in nic.segments else data["name"]
                    for said in data["vectors"]:
                        segment = known[data["name"]]
                        if segment.tail and segment.tail["at"] < segment.size:
                            continue  # its fields alone are not what the vector says: equal_test has these
                        body += self.vector(segment, name, said)
                        wanted.append(said["out"][:segment.size * 2])
            print(f"{device}: {len(wanted)} vectors")
            self.assertGreater(len(wanted), 8)
            self.assertEqual(wanted, self.ran(device, body))

    def test_what_is_wrong_does_not_compile(self) -> None:
        for what, (code, sentence) in WRONG.items():
            with self.subTest(what):
                said = self.compiled("mlx5", f"use device::{'ud' if code.startswith('ud') else 'rc'};\n"
                                             f"pub fn wrong(to: &mut [u8]) {{ let _ = {code}; }}\nfn main() {{}}\n")
                self.assertRegex(said, sentence)
                self.assertLessEqual(said.count("\n"), 30, said)

    def test_what_does_not_fit_is_refused(self) -> None:
        for device, refused in REFUSED.items():
            body = "    let mut to = [0u8; 4096];\n" + "".join(f"    println!(\"{{}}\", {code}.unwrap_err());\n" for code in refused)
            self.assertEqual(list(refused.values()), self.ran(device, "    #[allow(unused_imports)]\n    use device::{rc, ud};\n" + body))

    def test_the_page_shows_what_happens(self) -> None:
        program, printed = page.shown("rust")
        program = program.replace("efa::", "device::") + "\nfn main() {}\n"
        self.assertEqual("", self.compiled("efa", program))
        self.assertIn(printed.strip(), self.compiled("efa", program.replace("srd::send(", "srd::rdma_read(")))

    def test_names_that_hide_others(self) -> None:
        """Segments have the names of types, and arguments those of what a request's function has besides."""
        said = json.dumps(self.models["mlx5"])
        segments = [s["name"] for s in self.models["mlx5"]["segments"] if f'"{s["name"]}."' not in said]
        self.assertGreater(len(segments), len(rust.PRIMITIVES))
        for segment, primitive in zip(segments, sorted(rust.PRIMITIVES)):
            said = said.replace(f'"{segment}"', f'"{primitive}"')
        model = json.loads(said)
        given = [argument for request in model["requests"] for argument in request["args"]]
        self.assertGreater(len(given), len(rust.OWN))
        for argument, name in zip(given, itertools.cycle(sorted(rust.OWN))):
            argument["name"] = name
        (self.folder("mlx5") / "named.rs").write_text(rust.module(model), encoding="utf-8")
        self.assertEqual("", rustc("--crate-type", "rlib", "named.rs", folder=self.folder("mlx5"))[:3000])

    def test_nothing_but_core(self) -> None:
        for name in DEVICES:
            text = (self.folder(name) / "device.rs").read_text(encoding="utf-8")
            self.assertIn("#![no_std]", text)
            self.assertNotRegex(text, r"\b(std|alloc)::|\bunsafe \{")


if __name__ == "__main__":
    print(subprocess.run([RUSTC, "--version"], capture_output=True, text=True, check=False).stdout if RUSTC else "no rustc", file=sys.stderr)
    unittest.main()
