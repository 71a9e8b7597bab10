# SPDX-License-Identifier: BSD-2-Clause
"""clang-tidy finds nothing in generated C. Arguments: the settings, then folders of headers and sources."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

INCLUDE = re.compile(r'^ *# *include "(.*)"', re.MULTILINE)


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
    # A header is judged through a file that includes it: a source, another header, or one that does nothing else.
    work = os.environ.get("TEST_TMPDIR", "/tmp")
    headers = {os.path.relpath(header, folder): header for folder in folders for header in walk(os.path.join(folder, "segue"), ".h")}
    included = {name for path in [*sources, *headers.values()] for name in INCLUDE.findall(open(path, encoding="utf-8").read())}
    for name in sorted(headers.keys() - included):
        path = os.path.join(work, name.replace("/", "_") + ".c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#include "{name}"\n')
        sources.append(path)

    def tidy(paths: list[str]) -> str:
        command = ["clang-tidy", "--quiet", f"--config-file={settings}", "--warnings-as-errors=*", *paths]
        command += ["--header-filter=.*segue/gen/.*", "--", "-std=c11", *includes]
        result = subprocess.run(command, capture_output=True, text=True)
        return "" if result.returncode == 0 else result.stdout + result.stderr

    with ThreadPoolExecutor(max_workers=2) as pool:  # to start it takes as long as a small file
        failures = [text for text in pool.map(tidy, [sources[::2], sources[1::2]]) if text]
    print("\n".join(failures))
    print(f"{len(sources)} files and {len(headers)} headers, {'' if failures else 'no '}findings")
    return 1 if failures or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
