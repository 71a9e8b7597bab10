# SPDX-License-Identifier: BSD-2-Clause
"""clang-tidy finds nothing in generated C. Arguments: the settings, then folders of headers and sources."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def walk(folder: str, suffix: str) -> list[str]:
    return sorted(
        os.path.join(path, name)
        for path, _, names in os.walk(folder, followlinks=True)
        for name in names
        if name.endswith(suffix)
    )


def main(settings: str, folders: list[str]) -> int:
    includes = [f"-I{folder}" for folder in folders] + ["-Iinclude", "-I."]
    sources = [path for folder in folders for path in walk(folder, ".c")]
    # A header is judged through a file that does nothing but include it.
    work = os.environ.get("TEST_TMPDIR", "/tmp")
    for folder in folders:
        for header in walk(os.path.join(folder, "segue"), ".h"):
            name = os.path.relpath(header, folder)
            path = os.path.join(work, name.replace("/", "_") + ".c")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'#include "{name}"\n')
            sources.append(path)

    def tidy(path: str) -> str:
        command = ["clang-tidy", "--quiet", f"--config-file={settings}", "--warnings-as-errors=*", path]
        command += ["--header-filter=.*segue/gen/.*", "--", "-std=c11", *includes]
        result = subprocess.run(command, capture_output=True, text=True)
        return "" if result.returncode == 0 else result.stdout + result.stderr

    with ThreadPoolExecutor(max_workers=2) as pool:
        failures = [text for text in pool.map(tidy, sources) if text]
    print("\n".join(failures))
    print(f"{len(sources)} files, {len(failures)} with findings")
    return 1 if failures or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
