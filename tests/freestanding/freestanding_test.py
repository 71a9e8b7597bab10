# SPDX-License-Identifier: BSD-2-Clause
"""Segments, builders and rings where there is no library: on this host, and as device code.

    freestanding_test.py PROGRAM FOLDER...

1. posts.h and polls.h without the library do as they do with it (PROGRAM is freestanding.c), as C and C++, by gcc and clang, optimized and not, with
   payload stored by words, and as the host's half of a file that is for both sides (both.cu).
2. clang takes it as CUDA and as HIP, and nothing of what comes out is to be found elsewhere; nvcc as well, where there is one.
3. It takes whatever is inline in each device's headers: the folders with generated headers.
A GPU has to be there for the rest: on_gpu.sh.
"""

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.freestanding.compilers import tool

HERE = "tests/freestanding"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
BARE = ["-std=c++17", "-Wno-unknown-cuda-version"]
CUDA = ["clang++", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib", *BARE]
HIP = ["clang++", "-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib", *BARE]
LIBRARIES = {
    "c": ["gcc", "-std=c11", "-O2"],
    "c_debug": ["gcc", "-std=c11", "-O0"],
    "cc": ["g++", "-xc++", "-std=c++17", "-O2"],
    "clang": ["clang", "-std=c11", "-O2"],
    "clangxx": ["clang++", "-xc++", "-std=c++17", "-O0"],
    "words": ["gcc", "-std=c11", "-O2", "-DSEGUEI_BY_WORDS=1"],  # as a GPU stores payload
}
HOST_HALF = ["clang++", "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", *BARE, "-DSEGUE_HOST_HALF", "-O2", "-fPIC"]
KERNELS = {f"{HERE}/gpu.cu": "posts_kernel", f"{HERE}/experts.cu": "experts_kernel", "tests/gpu/on_gpu.cu": "lanes_kernel"}
HEADERS = ["segments.h", "cqes.h", "builders.h", "rings.h", "patterns.h", "peers.h"]
POLLED = "segue_ring_poll("  # in rings.h of devices whose queues lanes can fill
WHOLE = """#include "tests/freestanding/device_code.h"
#define SEGUE_FUNCTION static inline __device__ __attribute__((used))
#define SEGUE_FREESTANDING __device__ __attribute__((used))
#include "segue/%s"
#include "segue/freestanding.h"
"""


def run(*command: str) -> str:
    """Empty, or the command and what it said."""
    result = subprocess.run(command, capture_output=True, text=True)
    said = result.stdout + result.stderr
    return "" if result.returncode == 0 and not said else f"{' '.join(command)}:\n{said or f'exit {result.returncode}'}"


def by_host(program: str, include: list[str], scratch: Path) -> list[str]:
    shared = ["-shared", "-Wl,-z,defs,-Bsymbolic"]
    failures = [run(*compiler, *STRICT, *include, "-fPIC", *shared, f"{HERE}/host.c", "-o", f"{scratch}/{name}.so")
                for name, compiler in LIBRARIES.items()]
    names = [*LIBRARIES, "both_clang"]
    failures += [run(*HOST_HALF, *include, "-c", f"{HERE}/both.cu", "-o", f"{scratch}/both.o"),
                 run("clang++", *shared, f"{scratch}/both.o", "-o", f"{scratch}/both_clang.so")]
    if nvcc := tool("nvcc"):
        names.append("both_nvcc")
        options = ["-std=c++17", "-O2", "-Xcompiler", "-fPIC", "-shared", "-Xlinker", "-Bsymbolic"]
        failures.append(run(nvcc, *options, *include, f"{HERE}/both.cu", "-o", f"{scratch}/both_nvcc.so"))
    if not any(failures):
        result = subprocess.run([program, *(f"{scratch}/{name}.so" for name in names)], capture_output=True, text=True)
        print(result.stdout)
        failures += [result.stdout + result.stderr] if result.returncode else []
    return failures


def by_compilers_of_devices(include: list[str], scratch: Path) -> list[str]:
    failures, nvcc = [], tool("nvcc")
    for source, kernel in KERNELS.items():
        cuda, hip, cubin = (scratch / f"{kernel}.{kind}" for kind in ("ptx", "s", "cubin"))
        wrong = [run(*CUDA, "-O2", *STRICT, "-Wno-pedantic", *include, "-S", source, "-o", str(cuda)),
                 run(*HIP, "-O2", *STRICT, "-Wno-pedantic", *include, "-S", source, "-o", str(hip))]
        if not any(wrong):
            text = cuda.read_text()
            wrong += [f"{source}: not defined in PTX: {line}" for line in re.findall(r"^\.extern .*", text, re.MULTILINE)]
            wrong += [] if "fence.acq_rel.sys" in text else [f"{source}: PTX has no fence for the system"]
            wrong += [] if kernel in text and kernel in hip.read_text() else [f"{source}: {kernel} is not there"]
        if nvcc:  # the depth of the stack is not known where a handler is called
            quiet = ["-Xptxas", "-suppress-stack-size-warning"]
            modes = ([], ["-G"]) if source.endswith("/gpu.cu") else ([],)
            wrong += [run(nvcc, "-std=c++17", *quiet, *mode, *include, "-cubin", source, "-o", str(cubin)) for mode in modes]
        failures += wrong
    narrow = scratch / "narrow.ptx"  # rings on the GPU: what the host may read at any time still needs the system's scope
    failures.append(run(*CUDA, "-O2", "-DSEGUE_RINGS_ON_GPU=1", *include, "-S", "tests/gpu/on_gpu.cu", "-o", str(narrow)))
    if narrow.exists() and "fence.acq_rel.sys" not in narrow.read_text():
        failures.append("rings on the GPU: an error has no fence for the host")
    print("by clang as CUDA and HIP" + (", by nvcc" if nvcc else ""))
    if not nvcc:
        print("SKIPPED: nvcc is missing")
    return failures


def whole_headers(folder: str, scratch: Path) -> list[str]:
    """All that is inline in them, used or not."""
    failures = []
    rings = Path(folder, "segue/gen/rings.h")
    headers = [f"gen/{header}" for header in HEADERS if Path(folder, "segue/gen", header).exists()]
    headers += ["gpu/slots.h"] if rings.exists() and POLLED in rings.read_text() else []
    for header in headers:
        file = scratch / f"{folder.replace('/', '_')}_{header.replace('/', '_')}.cu"
        file.write_text(WHOLE % header)
        failures += [run(*compiler, "-I.", f"-I{folder}", "-Iinclude", "-fsyntax-only", str(file)) for compiler in (CUDA, HIP)]
    return failures


def main(program: str, *folders: str) -> int:
    include = ["-I.", "-Iinclude", f"-I{folders[0]}"]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as pool:
        scratch = Path(name)
        jobs = [pool.submit(by_host, program, include, scratch), pool.submit(by_compilers_of_devices, include, scratch)]
        jobs += [pool.submit(whole_headers, folder, scratch) for folder in folders]
        failures = [text for job in jobs for text in job.result() if text]
    print("\n".join(failures))
    print(f"{len(folders)} devices, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
