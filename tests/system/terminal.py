# A person at a terminal: runs a program on a pty, types, and looks at what it shows.
import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time


class Terminal:
    def __init__(self, *words, term="xterm", rows=30, columns=90, patience=15, **environment):
        self.patience = patience * int(os.environ.get("SLOW", "1"))
        self.shown = ""  # all of it
        self.at = 0      # what was looked at already
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(environment, TERM=term)
            os.execvp(words[0], words)
        self.resize(rows, columns)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def take(self, seconds):
        """Reads what is there within that time; False at the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        self.shown += data.decode(errors="replace").replace("\r", "")
        return bool(data)

    def send(self, text):
        data = text.encode() if isinstance(text, str) else text
        while data:
            if select.select([self.fd], [self.fd], [], self.patience)[1]:
                data = data[os.write(self.fd, data[:512]):]
            self.take(0)

    def seen(self, pattern, what=None, seconds=None):
        """Waits for a match behind the last one and returns it; fails loudly."""
        end = time.monotonic() + (seconds or self.patience)
        alive = True
        while True:
            match = re.compile(pattern, re.M).search(self.shown, self.at)
            if match:
                self.at = match.end()
                return match
            if not alive or time.monotonic() > end:
                self.fail(f"{what or pattern}: no match for {pattern!r} in {self.shown[self.at:]!r}")
            alive = self.take(0.1)

    def fail(self, text):
        print("failed:", text[-4000:], file=sys.stderr)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(1)

    def end(self, seconds=None):
        """Waits for the program's end; its exit status."""
        end = time.monotonic() + (seconds or self.patience)
        while self.take(0.1):
            if time.monotonic() > end:
                self.fail(f"it does not end: {self.shown[self.at:]!r}")
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Session(Terminal):
    """An interactive session of the confined account over ssh."""

    def __init__(self, **options):
        super().__init__("ssh", "-F", os.environ["W"] + "/client/config", "-tt", "bot", **options)
        self.prompt(30)

    def prompt(self, seconds=None):
        # With what tells the terminal to bracket pastes: then the editor reads keys.
        self.seen(r"\$ (\x1b\[\?2004h)?\Z", "a prompt", seconds)

    def run(self, line, pattern=None, what=None):
        """Types a line, waits for what it prints (behind its own echo) and for the prompt."""
        self.send(line + "\r")
        self.seen(r"\n", "the line is taken")
        match = self.seen(pattern, what) if pattern else None
        self.prompt()
        return match
