# SPDX-License-Identifier: BSD-2-Clause
"""A headless Chromium, driven over its pipe by the DevTools protocol: nothing but the standard library is needed."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from pathlib import Path

SECONDS = 60  # for any answer
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe",
             # No name but this machine's: a page that wants the internet fails here.
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")


class Chromium:
    """One tab. What goes wrong on a page is in `errors` until the next one is opened."""

    def __init__(self, profile: Path, program: str = "chromium"):
        here, there = os.pipe(), os.pipe()
        command = f"exec 3<&{here[0]} 4>&{there[1]} && exec \"$@\""
        self.process = subprocess.Popen(["bash", "-c", command, "bash", program, *ARGUMENTS, f"--user-data-dir={profile}"],
                                        pass_fds=(here[0], there[1]), stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": str(profile)})
        os.close(here[0])
        os.close(there[1])
        self.to, self.answers, self.buffer = here[1], there[0], b""
        self.number, self.session = 0, ""
        self.errors: list[str] = []
        self.loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(SECONDS)

    def call(self, method: str, **parameters: object) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def next_message(self) -> dict:
        deadline = time.time() + SECONDS
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0.0, deadline - time.time()))
            assert ready, f"chromium has said nothing for {SECONDS} s"
            part = os.read(self.answers, 1 << 20)
            assert part, f"chromium has ended: {self.process.poll()}"
            self.buffer += part
        one, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(one)
        self.note(message.get("method", ""), message.get("params", {}))
        return message

    def note(self, method: str, told: dict) -> None:
        """Events: what is loaded, and what went wrong."""
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.errors.append(f"exception: {told['exceptionDetails'].get('text')}")
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "assert"):
            self.errors.append(f"console: {[a.get('value', a.get('description')) for a in told['args']]}")
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.errors.append(f"log: {told['entry']['text']} {told['entry'].get('url', '')}")
        elif method == "Network.loadingFailed" and not told.get("canceled"):
            self.errors.append(f"network: {told['errorText']}")
        elif method == "Network.responseReceived" and told["response"]["status"] >= 400:
            self.errors.append(f"network: {told['response']['status']} {told['response']['url']}")

    def open(self, url: str) -> None:
        self.errors.clear()
        self.loaded = False
        self.call("Page.navigate", url=url)
        while not self.loaded:
            self.next_message()

    def run(self, script: str) -> object:
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def look(self, width: int, height: int, dark: bool, phone: bool = False) -> None:
        """The size of the screen, and what its user prefers."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
