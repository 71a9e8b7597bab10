# SPDX-License-Identifier: BSD-2-Clause
"""The documentation as a site of static HTML: pages, reference, pictures, man pages, and the sources that they link to.

    bazel run //tools/site -- FOLDER
    python3 -m http.server -d FOLDER

Needs Debian's mkdocs and mkdocs-material. Without a server everything but the search works, too.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from mkdocs.commands import build as command
from mkdocs.config.defaults import MkDocsConfig

from tools.site import links
from tools.site.stage import MAN, Stage

HERE = Path(__file__).resolve().parent
STYLE = "site.css"
NAV = [
    {"Start": ["README.md", "docs/tutorial.md", "docs/many-peers.md", "docs/glossary.md"]},
    {"Your own program": ["docs/adopting.md", "docs/migrating.md", "docs/reliability.md", "docs/from-a-log.md", "docs/protected-keys.md", "docs/versions.md",
                          "docs/performance.md", "docs/gpu.md"]},
    {"Your own requests": ["docs/adding-a-request.md", "docs/adding-a-segment.md", "docs/adding-a-nic.md", "docs/spec-format.md"]},
    {"softhca": ["docs/softhca.md"]},  # and its chapters
    {"Look up": [{"Reference": "docs/reference/README.md"}, {"Reference of EFA": "docs/reference-efa/README.md"},
                 {"Man pages": f"{MAN}/README.md"}, {"Headers": "include/segue/README.md"}]},
    {"Inside": ["docs/architecture.md", "CONTRIBUTING.md", "CHANGELOG.md"]},  # and what is nowhere else
]
THEME = {
    "name": "material",
    "font": False,
    "features": ["navigation.top", "search.highlight", "content.code.annotate"],
    "icon": {"logo": "material/expansion-card-variant"},
    "palette": [
        {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "blue grey", "accent": "teal",
         "toggle": {"icon": "material/weather-night", "name": "Dark"}},
        {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "blue grey", "accent": "teal",
         "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
    ],
}


def navigation(pages: dict[str, str]) -> list[dict]:
    """NAV, with the pages by hand that it does not name in the last chapter, and softhca's in its own."""
    named = {p if isinstance(p, str) else next(iter(p.values())) for chapter in NAV for part in chapter.values() for p in part}
    by_hand = [p for p in sorted(pages) if re.fullmatch(r"docs/(softhca/)?[^/]+\.md", p) and p not in named]
    chapters = [{title: list(part) for title, part in chapter.items()} for chapter in NAV]
    for page in by_hand:
        chapter = "softhca" if page.startswith("docs/softhca/") else "Inside"
        next(c for c in chapters if chapter in c)[chapter].append(page)
    return [{title: [p for p in part if (p if isinstance(p, str) else next(iter(p.values()))) in pages]}
            for chapter in chapters for title, part in chapter.items()]


def configuration(pages: dict[str, str], source: Path, out: Path) -> dict:
    return {
        "site_name": "Segue",
        "site_url": "",
        "docs_dir": str(source),
        "site_dir": str(out),
        "use_directory_urls": False,
        "theme": THEME,
        "nav": navigation(pages),
        "extra_css": [STYLE],
        "extra": {"generator": False},
        "plugins": ["search"],
        "strict": True,
        "markdown_extensions": ["tables", "sane_lists", "pymdownx.superfences", "pymdownx.highlight",
                                {"toc": {"slugify": links.slug, "permalink": True, "toc_depth": 3}}],
    }


def build(tree: Path, man: Path, out: Path) -> Stage:
    """Builds the site in a folder. mkdocs prints its complaints, and ends the program."""
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="segue-site-") as folder:
        stage = Stage.of_all(tree, man, Path(folder))
        shutil.copyfile(HERE / STYLE, Path(folder) / STYLE)
        config = MkDocsConfig()
        config.load_dict(configuration(stage.pages, Path(folder), out))
        errors, warnings = config.validate()
        if errors or warnings:
            raise SystemExit(f"mkdocs: {errors + warnings}")
        command.build(config)
    return stage


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the site goes; what is there is replaced")
    parser.add_argument("--man", type=Path, required=True, help="folder of the man pages; Bazel gives it")
    arguments = parser.parse_args()
    tree = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."))
    out = Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")) / arguments.folder
    if out.exists() and any(out.iterdir()) and not (out / "search/search_index.json").exists():
        print(f"{out} holds something that is no site of ours; name another folder, or empty it", file=sys.stderr)
        return 1
    stage = build(tree, arguments.man, out)
    print(f"{len(stage.pages)} pages in {out}; to read them with a search: python3 -m http.server -d {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
