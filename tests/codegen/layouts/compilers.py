# SPDX-License-Identifier: BSD-2-Clause
"""Compilers of a program with the generated sources and what of runtime/ it needs.

gcc and clang take it as users have it, with warnings as errors. tcc takes a twentieth of the time: it knows neither __auto_type nor
threads, which are said otherwise for it, and gives no warnings.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from codegen import emit

ROOT = Path(os.path.dirname(os.path.abspath(__file__))).parent.parent.parent
CFLAGS = ["-std=c11", "-O0", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-Wno-unused-function", "-Wno-missing-field-initializers"]
# Compiled once for all devices of one frame; the walk knows how many lists a device's requests announce.
ONCE = ["runtime/text/validate.c", "runtime/text/field.c", "runtime/text/decode.c", "runtime/text/cause.c", "runtime/base/errmsg.c",
        "runtime/base/check.c"]
WALK = ["runtime/text/walk.c", "runtime/text/control.c"]
TCC = shutil.which("tcc")
PATIENCE = 900  # seconds for one program, which takes two on an idle machine

# What tcc lacks, in front of each source.
TCC_LACKS = """\
#define __thread
#define _Thread_local
#define __ATOMIC_RELAXED 0
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __atomic_load_n(from, order) (*(from))
#define __atomic_store_n(to, value, order) (*(to) = (value))
#define BIND(name, ...) __typeof__(__VA_ARGS__) name = __VA_ARGS__
static inline unsigned short __builtin_bswap16(unsigned short v)
{
	return v << 8 | v >> 8;
}
static inline unsigned int __builtin_bswap32(unsigned int v)
{
	return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
}
static inline unsigned long __builtin_bswap64(unsigned long v)
{
	return (unsigned long)__builtin_bswap32(v) << 32 | __builtin_bswap32(v >> 32);
}
"""
TCC_ATOMICS = """\
#include <stdbool.h>
typedef bool atomic_flag;
#define ATOMIC_FLAG_INIT 0
#define atomic_flag_test_and_set_explicit(flag, order) 0
#define atomic_flag_clear_explicit(flag, order) (void)(flag)
"""
# The end of segue/detail/step.h: a step's value is that of its last statement, and nothing is left of a mistake.
TCC_STEP = """\
#define SEGUEI_STATE
#define SEGUEI_MADE
#define SEGUEI_ENDED
#define SEGUEI_STEP(n, first, name, part, into, functions, ...) \\
	({ \\
	__typeof__(first) n = (first); \\
	__typeof__(**n.name->to) seguei_made; \\
	seguei_made into = _Generic(*n.name->by, SEGUEI_LIST functions)(n part __VA_ARGS__); \\
	seguei_made; \\
	})
#define SEGUEI_END(n, first, name, part, into, functions, ...) \\
	({ \\
	__typeof__(first) n = (first); \\
	_Generic(*n.name->by, SEGUEI_LIST functions)(n part); \\
	})
#define SEGUEI_BEGIN(n, first, name, part, into, functions, ...) \\
	({ \\
	__typeof__(first) n = (first); \\
	__typeof__(**n->name->to) seguei_made; \\
	seguei_made into = _Generic(*n->name->by, SEGUEI_LIST functions)(part(n) __VA_ARGS__); \\
	seguei_made; \\
	})
#define SEGUEI_CALL(n, first, name, part, into, functions, ...) \\
	_Generic(*(first)->name->by, SEGUEI_LIST functions)((first) __VA_ARGS__)
#define SEGUEI_DO(n, first, name, part, into, functions, ...) _Generic(*(first)->name->by, SEGUEI_LIST functions)(part(first))
#endif
#endif
"""


def run(compiler: str, arguments: list[str]) -> str:
    try:
        done = subprocess.run([compiler, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"{compiler} does not end within {PATIENCE} s"
    return "" if done.returncode == 0 else done.stderr or "failed"


def gcc(arguments: list[str]) -> str:
    return run("gcc", arguments)


def rings(files: dict[str, str]) -> list[str]:
    """The sources of runtime/ for how a device's requests are posted."""
    return ["runtime/ring/sq.c", "runtime/ring/recv.c", "runtime/ring/spare.c"] if "segue/gen/handles.h" in files else ["runtime/block/block.c"]


class Exact:
    """gcc or clang. `shared`: where what is compiled once lies."""

    def __init__(self, name: str, shared: Path):
        self.name = name
        self.shared = shared

    def __call__(self, files: dict[str, str], program: str, folder: Path) -> str:
        """What the compiler says about `folder`/main; nothing if all is well."""
        emit.write(files, folder)
        (folder / "main.c").write_text(program, encoding="utf-8")
        includes = [f"-I{folder}", "-Iinclude", "-I."]
        once = [self.once(source, files, [*CFLAGS, *includes]) for source in ONCE + rings(files)]
        sources = [str(folder / name) for name in files if name.endswith(".c")] + [str(folder / "main.c"), *WALK]
        return run(self.name, [*CFLAGS, *includes, *sources, *once, "-lpthread", "-o", str(folder / "main")])

    def once(self, source: str, files: dict[str, str], flags: list[str]) -> str:
        frame = hashlib.sha1((self.name + files["segue/gen/enums.h"]).encode()).hexdigest()
        target = self.shared / f"{frame}-{os.path.basename(source)}.o"
        if not target.exists():
            made = self.shared / f"{os.getpid()}.o"
            wrong = run(self.name, [*flags, "-c", source, "-o", str(made)])
            assert not wrong, wrong
            os.replace(made, target)
        return str(target)


class Quick:
    """tcc, which is given all sources each time."""

    def __init__(self, shared: Path):
        step = (ROOT / "include/segue/detail/step.h").read_text(encoding="utf-8")
        emit.write({"tcc.h": TCC_LACKS, "stdatomic.h": TCC_ATOMICS, "segue/detail/step.h": step[:step.rindex("#ifdef __clang__")] + TCC_STEP}, shared)
        self.flags = ["-include", str(shared / "tcc.h"), f"-I{shared}", "-Iinclude", "-I.", "-std=c11", "-D_GNU_SOURCE"]

    def __call__(self, files: dict[str, str], program: str, folder: Path) -> str:
        return run(str(TCC), [*self.flags, f"-I{folder}", *self.sources(files, program, folder), "-o", str(folder / "main")])

    def objects(self, files: dict[str, str], program: str, folder: Path) -> tuple[list[str], str]:
        """One of each source, for a program of several devices; what is wrong."""
        made = []
        for source in self.sources(files, program, folder):
            made.append(str(folder / f"{len(made)}.o"))
            # It knows no __has_include().
            wrong = run(str(TCC), ["-include", str(folder / "segue/gen/names.h"), *self.flags, f"-I{folder}", "-c", source, "-o", made[-1]])
            if wrong:
                return made, wrong
        return made, ""

    def sources(self, files: dict[str, str], program: str, folder: Path) -> list[str]:
        emit.write({**files, "main.c": program}, folder)
        return [str(folder / name) for name in [*files, "main.c"] if name.endswith(".c")] + ONCE + WALK + rings(files)
