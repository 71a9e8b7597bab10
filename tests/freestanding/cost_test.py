# SPDX-License-Identifier: BSD-2-Clause
"""What requests cost as device code: instructions, stores by size, fences and registers of each kernel of cost.cu.

    cost_test.py FOLDER

FOLDER holds the generated headers. The compilers are nvcc and clang, as CUDA (ptxas makes a cubin of its PTX) and as HIP. known.cu comes first, by
which each compiler's output is shown to be read aright.
"""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from tests.freestanding import cubin
from tests.freestanding.compilers import tool

HERE = "tests/freestanding"
CLANG = ["-std=c++17", "-O3", "-Wno-unknown-cuda-version", "--cuda-device-only", "-S"]


@dataclass
class Bound:
    instructions: int
    fences: int = 0
    whole: Optional[int] = None  # stores of 16 bytes; all of them
    registers: Optional[int] = None


# Of sm_90 by nvcc: 3 stores for a WRITE, and nothing is left of what packers are for. A builder's post has the ring, the record, the doorbell and
# what the queue keeps.
NVCC = {
    "pack_write": Bound(25, whole=3, registers=24),
    "pack_write_imm": Bound(26, whole=3, registers=24),
    "pack_atomic": Bound(34, whole=4, registers=26),
    "pack_dc_write": Bound(60, whole=6),
    "post_write": Bound(85, 2),
    "post_write_imm": Bound(86, 2),
    "post_atomic": Bound(92, 2),
    "post_dc_write": Bound(120, 2),
    "post_inline": Bound(140, 2),
    "post_inline_bytes": Bound(500, 2),
    "ring": Bound(31, 2),
    # the device queue (segue/gpu/queue.h): publish and ring
    "publish_one": Bound(40, 2),
    "publish_block": Bound(60, 3),
    "publish_all": Bound(60, 3),
    "publish_silent": Bound(35, 1),
}
# sm_80 loads each of a kernel's parameters by an instruction of its own, where sm_90 loads two at once: 5 more. A WRITE has 30: 13 for parameters, the
# stack and the memory's descriptor, 7 swaps of addresses, keys and length, 5 for the control segment and 1 for a reserved word, 3 stores, 1 exit.
NVCC_SM_80 = {"pack_write": Bound(30, whole=3, registers=24), "pack_write_imm": Bound(31, whole=3, registers=24),
              "pack_atomic": Bound(37, whole=4, registers=24)}
OF_SM_80 = NVCC_SM_80 | {"pack_atomic": Bound(36, whole=4, registers=24)}  # by clang, which evaluates the swap of a zero
OF_CLANG = {"post_inline_bytes": Bound(620, 2)}
# AMD waits for loads and stores by instructions of their own, and has no predicates.
AMD = NVCC | {"pack_write": Bound(29, whole=3, registers=24), "pack_write_imm": Bound(29, whole=3, registers=24),
              "pack_atomic": Bound(35, whole=4, registers=24), "post_write": Bound(95, 2), "post_write_imm": Bound(97, 2), "post_atomic": Bound(100, 2), "post_dc_write": Bound(130, 2),
              "post_inline": Bound(190, 2)}

# gfx90a has one cache for all of a GPU: a fence of the GPU's own scope waits, and writes nothing back.
OF_GFX90A = AMD | {"publish_block": Bound(60, 2), "publish_all": Bound(60, 2), "publish_silent": Bound(35, 0)}


@dataclass
class Target:
    compiler: str
    arch: str
    bounds: dict

    @property
    def amd(self) -> bool:
        return self.arch.startswith("gfx")

    def __str__(self) -> str:
        return f"{self.compiler} {self.arch}"


TARGETS = [
    Target("nvcc", "sm_90", NVCC),
    Target("nvcc", "sm_80", NVCC | NVCC_SM_80),
    Target("clang++-14", "sm_80", NVCC | OF_CLANG | OF_SM_80),
    Target("clang++-14", "gfx90a", OF_GFX90A),
    Target("clang++-19", "sm_90", NVCC | OF_CLANG),
    Target("clang++-19", "gfx942", AMD),
]
KNOWN = {f"one_of_{size}": size for size in (1, 2, 4, 8, 16)}


def missing(target: Target) -> str:
    needed = [target.compiler] if target.amd or target.compiler == "nvcc" else [target.compiler, "ptxas"]
    return ", ".join(name for name in needed if not tool(name))


def compiled(target: Target, source: str, include: list[str], scratch: Path) -> dict[str, cubin.Kernel]:
    to = scratch / f"{source}.{target.arch}"
    command = [tool(target.compiler), *include]
    if target.compiler == "nvcc":
        subprocess.run([*command, "-std=c++17", "-O3", f"-arch={target.arch}", "-cubin", f"{HERE}/{source}", "-o", to], check=True)
        return cubin.kernels(to)
    if target.amd:
        amd = ["-x", "hip", f"--offload-arch={target.arch}", "-nogpuinc", "-nogpulib"]
        subprocess.run([*command, *CLANG, *amd, f"{HERE}/{source}", "-o", to], check=True)
        return cubin.amd_kernels(to)
    ptx = to.with_suffix(".ptx")
    cuda = ["-x", "cuda", f"--cuda-gpu-arch={target.arch}", "-nocudainc", "-nocudalib"]
    subprocess.run([*command, *CLANG, *cuda, f"{HERE}/{source}", "-o", ptx], check=True)
    subprocess.run([tool("ptxas"), "-O3", f"-arch={target.arch}", ptx, "-o", to], check=True)
    return cubin.kernels(to)


def misread(kernels: dict[str, cubin.Kernel]) -> list[str]:
    """What is found in known.cu, where it is not what is there."""
    wrong = [f"{name}: {kernels[name]}, expected one store of {size}" for name, size in KNOWN.items() if dict(kernels[name].stores) != {size: 1}]
    wrong += [f"{name}: a fence where there is none" for name in KNOWN if kernels[name].fences]
    return wrong + ([] if kernels["one_fence"].fences == 1 else [f"one_fence: {kernels['one_fence']}, expected one fence"])


def above(kernel: cubin.Kernel, bound: Bound) -> list[str]:
    wrong = []
    if kernel.instructions > bound.instructions:
        wrong.append(f"at most {bound.instructions} instructions")
    if kernel.fences != bound.fences:
        wrong.append(f"{bound.fences} fences")
    if kernel.stores[1] or kernel.stores[2]:
        wrong.append("no store of less than a word")
    if bound.whole is not None and (dict(kernel.stores) != {16: bound.whole} or kernel.spills):
        wrong.append(f"{bound.whole} stores of 16 and no others")
    if bound.registers is not None and kernel.registers > bound.registers:
        wrong.append(f"at most {bound.registers} registers")
    return wrong


def judge(target: Target, include: list[str], scratch: Path) -> list[str]:
    wrong = misread(compiled(target, "known.cu", include, scratch))
    if wrong:
        return wrong
    kernels = compiled(target, "cost.cu", include, scratch)
    for name, bound in target.bounds.items():
        print(f"{target!s:18} {name:18} {kernels[name]}")
        wrong += [f"{name} has {kernels[name]}; expected {what}" for what in above(kernels[name], bound)]
    return wrong


def main(folder: str) -> int:
    include = ["-I.", "-Iinclude", f"-I{folder}"]
    failures = []
    for target in TARGETS:
        if what := missing(target):
            print(f"SKIPPED: {target}: {what} is missing")
            continue
        with tempfile.TemporaryDirectory() as name:
            failures += [f"{target}: {text}" for text in judge(target, include, Path(name))]
    print("\n".join(failures))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
