# SPDX-License-Identifier: BSD-2-Clause
"""The site, opened page by page in headless Chromium: no dead link, nothing wrong in the console, readable on a phone and in the
dark. By hand, because it needs mkdocs, mkdocs-material and Chromium; it leaves two screenshots in the working directory.

    bazel run //tests/site:browser_test
"""

from __future__ import annotations

import functools
import http.server
import os
import sys
import tempfile
import threading
import unittest
import urllib.parse
from pathlib import Path

from tests.site.chromium import Chromium
from tools.site import site

SEEN = """({
    links: [...document.querySelectorAll('a[href]')].map(a => a.href),
    pictures: [...document.images].map(i => [i.src, i.complete && i.naturalWidth > 0]),
    ids: [...document.querySelectorAll('[id]')].map(e => e.id).concat([...document.querySelectorAll('a[name]')].map(a => a.name)),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})"""
FOUND = """new Promise(done => {
    const query = document.querySelector('[data-md-component=search-query]')
    const until = Date.now() + 50000
    const look = () => {
        // Typed anew: what comes before the page listens is lost.
        query.focus(); query.value = 'SEGUE_SIGNALED'; query.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}))
        const hits = document.querySelectorAll('.md-search-result__link').length
        hits || Date.now() > until ? done(hits) : setTimeout(look, 500)
    }
    look()
})"""
PHONE = ("index.html", "docs/tutorial.html", "docs/migrating.html", "docs/reference/requests/rdma_write.html", "man/segue_qp.3.html")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A browser that goes on to the next page hangs up."""


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.shots = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name, "site")
        site.build(Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]), Path(sys.argv[1]), cls.out)
        server = Server(("127.0.0.1", 0), functools.partial(Quiet, directory=str(cls.out)))
        cls.addClassCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.top = f"http://127.0.0.1:{server.server_address[1]}/"
        cls.chromium = Chromium(Path(folder.name, "profile"))
        cls.addClassCleanup(cls.chromium.close)

    def test_pages(self) -> None:
        self.chromium.look(1280, 900, dark=False)
        ids, links, errors = {}, [], []
        for page in sorted(str(p.relative_to(self.out)) for p in self.out.rglob("*.html") if p.name != "404.html"):
            self.chromium.open(self.top + page)
            seen = self.chromium.run(SEEN)
            ids[page] = set(seen["ids"])
            links += [(page, link) for link in seen["links"]]
            errors += [f"{page}: {error}" for error in self.chromium.errors]
            errors += [f"{page}: no picture {picture}" for picture, shown in seen["pictures"] if not shown]
        inside = [(page, link[len(self.top):]) for page, link in links if link.startswith(self.top)]
        dead = sorted({f"{page}: {link}" for page, link in inside if not self.leads_somewhere(link, ids)})
        print(f"{len(ids)} pages, {len(links)} links ({len(inside)} within the site), {len(dead)} dead, {len(errors)} errors", flush=True)
        self.assertGreater(len(ids), 500)
        self.assertEqual([], dead)
        self.assertEqual([], errors)

    def leads_somewhere(self, link: str, ids: dict[str, set[str]]) -> bool:
        path, _, anchor = link.partition("#")
        page = urllib.parse.unquote(path).partition("?")[0] or "index.html"
        if page not in ids:
            return (self.out / page).is_file()
        return not anchor or anchor == "__tabbed" or urllib.parse.unquote(anchor) in ids[page]

    def test_search(self) -> None:
        self.chromium.look(1280, 900, dark=False)
        self.chromium.open(self.top)
        hits = self.chromium.run(FOUND)
        print(f"{hits} hits for SEGUE_SIGNALED", flush=True)
        self.assertGreater(hits, 5)
        self.assertEqual([], self.chromium.errors)

    def test_phone(self) -> None:
        """Nothing is wider than the screen: what is wide scrolls by itself."""
        self.chromium.look(390, 844, dark=True, phone=True)
        for page in PHONE:
            with self.subTest(page):
                self.chromium.open(self.top + page)
                self.assertEqual(0, self.chromium.run(SEEN)["wide"])

    def test_dark(self) -> None:
        """As the system prefers, on both; with a screenshot of each."""
        light = self.background(1280, 900, False, False, "")
        dark = self.background(1280, 900, True, False, "desktop-dark.png")
        phone = self.background(390, 844, True, True, "phone.png")
        self.assertGreater(light, 200)
        self.assertLess(dark, 70)
        self.assertLess(phone, 70)

    def background(self, width: int, height: int, dark: bool, phone: bool, shot: str) -> float:
        """How bright the page is: 0 to 255."""
        self.chromium.look(width, height, dark, phone)
        self.chromium.open(self.top)
        self.chromium.run("localStorage.clear()")
        self.chromium.open(self.top)
        if shot:
            self.chromium.screenshot(self.shots / shot)
        colours = self.chromium.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
        return sum(colours) / 3


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
