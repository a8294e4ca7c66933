"""Runs the program and checks the requirements that every command must meet for any input: a documented exit code, an
end within a time limit, and messages that are bounded, printable and free of exception texts."""

import os
import re
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

DONE, ANSWER_IS_NO, BAD_INPUT, NOT_DONE, INTERRUPTED = 0, 1, 2, 3, 130
DOCUMENTED_CODES = (DONE, ANSWER_IS_NO, BAD_INPUT, NOT_DONE, INTERRUPTED)

HANG_S = 10  # maximum time of a command that is not interrupted
ANSWER_S = 1  # to an interrupt, per thread; of processor time, so that a busy machine does not fail the test
MAX_LINES = 30
MAX_LINE = 500
MAX_BYTES_READ = 1 << 20
NOBODY = 65534

EXCEPTION_TEXT = re.compile(r"terminate called|internal error|Assertion|what\(\)|\[json\.exception|std::|basic_string"
                            r"|bad_alloc|bad_variant|bad_optional|_M_|Sanitizer|stack trace", re.IGNORECASE)
CONTROL_CHARACTER = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")  # and marks of direction


class Failure(Exception):
    """A requirement that the program did not meet."""


class Skip(Exception):
    """A case that this machine cannot run."""


@dataclass
class Finished:
    command: str
    code: int
    out: str
    err: str
    seconds: float

    def fail(self, why):
        raise Failure(f"{self.command}: {why}; exit code {self.code}, standard error {shortened(self.err)!r}")

    def require_code(self, *allowed):
        if self.code not in allowed:
            self.fail(f"the exit code must be one of {allowed}")
        return self


def shortened(text, limit=400):
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


class Program:
    """The program in one working folder, whose tmp/ is its TMPDIR."""

    def __init__(self, path, folder, user=None):
        self.path = path
        self.folder = folder
        self.user = user
        (folder / "tmp").mkdir(exist_ok=True)

    def run(self, *arguments, interrupt_after=None, file_limit=None, num_threads=1):
        """Runs a command to its end.

        @param interrupt_after seconds until SIGINT; file_limit bytes / 512 of any file
        """
        command = [str(self.path), *map(str, arguments)]
        if file_limit is not None:
            command = ["/bin/sh", "-c", f'ulimit -f {file_limit}; exec "$@"', "sh", *command]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = self._start(command, out, err)
            watch = Watch(process)
            was_interrupted = watch.finish(interrupt_after)
            done = Finished(" ".join(["bloometry", *map(str, arguments)]), code_in_a_shell(process.returncode),
                            text_of(out), text_of(err), watch.seconds)
        judge(done, watch, was_interrupted, ANSWER_S * num_threads)
        return done

    def _start(self, command, out, err):
        identity = {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}
        environment = {"PATH": os.environ["PATH"], "TMPDIR": str(self.folder / "tmp")}
        try:
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                    stderr=err, **identity)
        except PermissionError as error:
            raise Skip(f"user {self.user} cannot run the program: {error}") from error


class Watch:
    """Waits for one process, interrupts it, and kills it if it hangs."""

    def __init__(self, process):
        self.process = process
        self.started = time.monotonic()
        self.seconds = self.answer_s = 0.0
        self.is_hanging = False

    def finish(self, interrupt_after):
        """Returns whether the process was interrupted before its end."""
        descriptor = os.pidfd_open(self.process.pid)
        try:
            has_ended = wait(descriptor, hang_s() if interrupt_after is None else interrupt_after)
            was_interrupted = not has_ended and interrupt_after is not None
            cpu_before = 0.0
            if was_interrupted:
                cpu_before = cpu_seconds(self.process.pid)
                os.kill(self.process.pid, signal.SIGINT)
                has_ended = wait(descriptor, hang_s())
            if not has_ended:
                self.is_hanging = True
                self.process.kill()
        finally:
            os.close(descriptor)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - self.started
        self.answer_s = usage.ru_utime + usage.ru_stime - cpu_before
        return was_interrupted


def hang_s():
    """Returns the time limit. It is longer if more processes than cores run, because each is then slower."""
    return HANG_S * max(1, os.getloadavg()[0] / os.cpu_count())


def code_in_a_shell(code):
    """Returns the code that a shell reports. It is 130 also for a process that SIGINT killed."""
    return INTERRUPTED if code == -signal.SIGINT else code


def wait(descriptor, seconds):
    return bool(select.select([descriptor], [], [], seconds)[0])


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def text_of(file):
    file.seek(0)
    return file.read(MAX_BYTES_READ).decode("utf-8", "surrogateescape")


def judge(done, watch, was_interrupted, max_answer_s):
    if watch.is_hanging:
        done.fail(f"hangs: no end within {HANG_S} s" + (" of an interrupt" if was_interrupted else ""))
    if done.code not in DOCUMENTED_CODES:
        done.fail("the exit code is not documented")
    if done.code == INTERRUPTED and not was_interrupted:
        done.fail("nobody interrupted it")
    if was_interrupted and watch.answer_s > max_answer_s:
        done.fail(f"worked on for {watch.answer_s:.1f} s of processor time after an interrupt")
    judge_messages(done)


def judge_messages(done):
    lines = done.err.split("\n")
    if done.code in (BAD_INPUT, NOT_DONE) and not done.err.strip():
        done.fail("says nothing")
    if done.err and lines.pop():
        done.fail("the last line has no end")
    if len(lines) > MAX_LINES:
        done.fail(f"prints {len(lines)} lines, {MAX_LINES} are allowed")
    longest = max(map(len, lines), default=0)
    if longest > MAX_LINE:
        done.fail(f"prints a line of {longest} characters, {MAX_LINE} are allowed")
    for name, text in (("error", done.err), ("output", done.out)):
        if found := CONTROL_CHARACTER.search(text):
            done.fail(f"prints {found.group()!r} to standard {name}")
        if any("\ud800" <= character <= "\udfff" for character in text):
            done.fail(f"prints bytes that are not UTF-8 to standard {name}")
    if found := EXCEPTION_TEXT.search(done.err):
        done.fail(f"shows the reader {found.group()!r}")
