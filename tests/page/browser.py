# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over its DevTools protocol through a pair of pipes; nothing but the standard library.

    with Browser() as browser:
        page = browser.open("file:///.../report.html", width=1280, height=900)
        page.evaluate("document.title")
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


class BrowserError(Exception):
    pass


def find_browser():
    for name in NAMES:
        if path := shutil.which(os.environ.get("CHROMIUM", name)):
            return path
    return None


def _high(fd):
    """The same file at a number that is none of 0 to 9, so that 3 and 4 are free in the child."""
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(fd)
    return high


class Browser:
    FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb", "--font-render-hinting=none")

    def __init__(self, timeout=60):
        self.timeout, self.number, self.answers, self.events, self.rest = timeout, 0, {}, [], b""
        path = find_browser()
        if path is None:
            raise BrowserError("no Chromium here; scripts/setup.sh page installs Debian's")
        self.home = tempfile.mkdtemp(prefix="millrace-page-")
        theirs_in, self.out = (_high(fd) for fd in os.pipe())
        self.into, theirs_out = (_high(fd) for fd in os.pipe())

        def give_pipes():
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        self.process = subprocess.Popen(
            [path, *self.FLAGS, "--remote-debugging-pipe", f"--user-data-dir={self.home}", "about:blank"],
            preexec_fn=give_pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.home})
        os.close(theirs_in)
        os.close(theirs_out)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.timeout
        while self.number not in self.answers:
            self.read(end - time.monotonic(), f"an answer to {method}")
        answer = self.answers.pop(self.number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def read(self, seconds, what):
        if seconds <= 0 or not select.select([self.into], [], [], seconds)[0]:
            raise BrowserError(f"waited in vain for {what}")
        more = os.read(self.into, 1 << 20)
        if not more:
            raise BrowserError(f"Chromium ended while it should give {what}")
        *messages, self.rest = (self.rest + more).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.events.append(message)

    def open(self, url, **how):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, target, session, url, **how)


class Page:
    """One page, loaded. `requests`: every address it asked for but its own; `errors`: what went wrong in it."""

    def __init__(self, browser, target, session, url, width=1280, height=900, dark=False, mobile=False):
        self.browser, self.target, self.session, self.url = browser, target, session, url
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(f"{domain}.enable")
        self.look(width, height, dark, mobile)
        seen = len(browser.events)
        self.call("Page.navigate", url=url)
        end = time.monotonic() + browser.timeout
        while not any(e["method"] == "Page.loadEventFired" and e.get("sessionId") == session
                      for e in browser.events[seen:]):
            browser.read(end - time.monotonic(), f"{url} to load")
        self.settle()

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def look(self, width, height, dark=False, mobile=False):
        self.width = width
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def settle(self):
        """Until two frames were drawn: what an observer or a redraw was waiting for is done."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def key(self, key, code=None, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}
        number = codes.get(key, ord(key[0].upper()) if len(key) == 1 else 0)
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        down = {"type": "keyDown" if text else "rawKeyDown", "key": key, "code": code or key, "modifiers": modifiers,
                "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", **down, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key, modifiers=modifiers,
                  windowsVirtualKeyCode=number)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def names(self):
        """Role and name of everything that a screen reader meets."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes
                if not n.get("ignored") and "role" in n]

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    @property
    def requests(self):
        own = {"about:blank", self.url.split("#")[0]}
        all_of_it = (e for e in self.browser.events if e.get("sessionId") == self.session)
        return [e["params"]["request"]["url"] for e in all_of_it
                if e["method"] == "Network.requestWillBeSent" and e["params"]["request"]["url"] not in own]

    @property
    def errors(self):
        found = []
        for e in self.browser.events:
            if e.get("sessionId") != self.session:
                continue
            p = e["params"]
            if e["method"] == "Runtime.exceptionThrown":
                d = p["exceptionDetails"]
                found.append(d.get("exception", {}).get("description", d["text"]))
            elif e["method"] == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(a.get("value", a.get("description"))) for a in p["args"]))
            elif e["method"] == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append(p["entry"]["text"])
        return found

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
