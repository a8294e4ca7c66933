#!/usr/bin/env python3
"""Kills `bloometry filter add` and `filter erase` at random moments, and runs two writers at once.

After a kill, the file must be the old or the new one. After two writers, the keys of both must be present, and the file
must count all of them. Prints one line per check and a summary. Exits with 1 if a check failed.

usage: update_command.py PROGRAM [--long]
--long   1,000 kills per command and 100 rounds of writers (about 10 minutes)
"""

import fcntl
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = os.path.realpath(sys.argv[1])
IS_LONG = "--long" in sys.argv[2:]
NUM_KILLS = 1000 if IS_LONG else 25
NUM_ROUNDS = 100 if IS_LONG else 5
failures = []


def check(name, holds, what=""):
    print("ok:" if holds else "FAIL", name, what)
    if not holds:
        failures.append(name)


def run(*words):
    done = subprocess.run([PROGRAM, "filter", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"filter {' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def write_keys(name, first, count):
    with open(name, "w") as file:
        file.writelines(f"{i}\n" for i in range(first, first + count))


def content(name):
    with open(name, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def copy(source, target):
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "wb") as file:
        file.write(data)


def temporaries():
    return [name for name in os.listdir() if name.endswith(".tmp")]


def check_kills(command, *arguments):
    """Kills the command at moments around the rename, before which half of the kills should be."""
    copy("old.bloom", "live.bloom")
    start = time.monotonic()
    run(command, "live.bloom", *arguments)
    limit_s = time.monotonic() - start
    ends = {content("old.bloom"): "old", content("live.bloom"): "new"}
    seen = {"old": 0, "new": 0, "another": 0}
    most_temporaries = 0
    for _ in range(NUM_KILLS):
        copy("old.bloom", "live.bloom")
        writer = subprocess.Popen(
            [PROGRAM, "filter", command, "live.bloom", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        time.sleep(random.uniform(0, 1.5 * limit_s))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        end = ends.get(content("live.bloom"), "another")
        seen[end] += 1
        limit_s *= 1.1 if end == "old" else 1 / 1.1
        most_temporaries = max(most_temporaries, len(temporaries()))
    check(f"{command}: a killed command leaves the old or the new file", seen["another"] == 0, seen)
    check(f"{command}: kills before and after the rename", seen["old"] > 0 and seen["new"] > 0, seen)
    check(f"{command}: at most one temporary file", most_temporaries <= 1)
    copy("old.bloom", "live.bloom")
    run(command, "live.bloom", *arguments)
    check(f"{command}: the next command removes it", not temporaries())


def check_interrupts():
    """Interrupts the command, which must remove its temporary file itself."""
    for number in (signal.SIGINT, signal.SIGTERM):
        copy("old.bloom", "live.bloom")
        reader, writer = os.pipe()
        add = subprocess.Popen([PROGRAM, "filter", "add", "live.bloom"], stdin=reader, stderr=subprocess.PIPE)
        os.write(writer, b"1\n2\n")
        time.sleep(0.3)
        add.send_signal(number)
        text = add.communicate()[1].decode()
        os.close(reader)
        os.close(writer)
        check(f"signal {number}: exit 130", add.returncode == 130, text.strip())
        check(f"signal {number}: says that the file is unchanged", "live.bloom is unchanged" in text)
        check(f"signal {number}: the old file", content("live.bloom") == content("old.bloom") and not temporaries())


def check_writers():
    """Runs two writers that each add their keys in several commands."""
    num_adds = 5
    for name in "ab":
        for i in range(num_adds):
            write_keys(f"{name}{i}", {"a": 1_000_000, "b": 2_000_000}[name] + 100 * i, 100)
    num_lost = 0
    num_wrong_counts = 0

    def add_all(name):
        for i in range(num_adds):
            subprocess.run([PROGRAM, "filter", "add", "live.bloom", f"{name}{i}"], capture_output=True)

    all_files = [f"{name}{i}" for name in "ab" for i in range(num_adds)]
    for _ in range(NUM_ROUNDS):
        copy("old.bloom", "live.bloom")
        writers = [threading.Thread(target=add_all, args=(name,)) for name in "ab"]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        present = int(run("query", "live.bloom", *all_files, "--count"))
        num_lost += 2 * num_adds * 100 - present
        facts = json.loads(run("info", "live.bloom", "--json"))
        num_wrong_counts += facts["num_inserted"] != 20_000 + 2 * num_adds * 100
    check("two writers: no key is lost", num_lost == 0, f"{num_lost} lost in {NUM_ROUNDS} rounds")
    check("two writers: the file counts all keys", num_wrong_counts == 0)


class Holder:
    """An add that holds the lock of live.bloom until the end of the block."""

    def __enter__(self):
        copy("old.bloom", "live.bloom")
        reader, self.writer = os.pipe()
        self.add = subprocess.Popen([PROGRAM, "filter", "add", "live.bloom", "-q"], stdin=reader, stderr=subprocess.PIPE)
        os.close(reader)
        os.write(self.writer, b"x\n")
        with open("live.bloom", "rb") as file:
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    fcntl.flock(file, fcntl.LOCK_UN)
                    time.sleep(0.01)
                except BlockingIOError:
                    return self

    def release(self):
        """Ends the add. Returns its exit code."""
        if self.writer is not None:
            os.close(self.writer)
            self.writer = None
            self.add.communicate()
        return self.add.returncode

    def __exit__(self, *_):
        self.release()


def waiting_add(*arguments):
    return subprocess.Popen(
        [PROGRAM, "filter", "add", "live.bloom", "--key", "y", *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )


def check_wait_limits():
    """A command that cannot get the lock within --wait fails, and leaves the file as it is."""
    with Holder() as holder:
        who = rf"(process {holder.add.pid} \(bloometry\)|another process)"
        for command in ("add", "erase"):
            start = time.monotonic()
            done = subprocess.run(
                [PROGRAM, "filter", command, "live.bloom", "--key", "y", "--wait", "0"], capture_output=True, text=True
            )
            check(f"{command} --wait 0: exit 3", done.returncode == 3, done.stderr.strip())
            check(f"{command} --wait 0: at once", time.monotonic() - start < 0.9)
            check(f"{command} --wait 0: names the holder", re.fullmatch(f"bloometry: live.bloom is locked by {who}\n", done.stderr))
        start = time.monotonic()
        done = waiting_add("--wait", "2")
        text = done.communicate()[1]
        check("--wait 2: exit 3", done.returncode == 3)
        check("--wait 2: after 2 s", 2 <= time.monotonic() - start < 4, f"{time.monotonic() - start:.2f} s")
        check(
            "--wait 2: a message, then the error",
            re.fullmatch(
                rf"bloometry: waiting for {who}, which has locked live.bloom \(Ctrl-C stops, --wait N limits the wait\)\n"
                rf"bloometry: live.bloom is still locked by {who} after 2 s\n", text,
            ), text.strip(),
        )
        check("the file is unchanged", content("live.bloom") == content("old.bloom") and not temporaries())
    for limit in ("-1", "x", "1e9"):
        done = waiting_add("--wait", limit)
        text = done.communicate()[1]
        check(f"--wait {limit}: exit 2", done.returncode == 2 and "--wait must be a whole number of seconds in [0, 1000000]" in text, text.strip())


def check_long_waits():
    """Without --wait, a command waits for the lock, says so, and can be interrupted."""
    with Holder() as holder:
        add = waiting_add()
        line = add.stderr.readline()
        check("a command that waits says so", line.startswith("bloometry: waiting for "), line.strip())
        add.send_signal(signal.SIGINT)
        text = add.communicate()[1]
        check("and can be interrupted", add.returncode == 130 and "live.bloom is unchanged" in text, text.strip())
        add = waiting_add("--wait", "60")
        add.stderr.readline()
        check("the holder succeeds", holder.release() == 0)
        add.communicate()
        check("the command that waited succeeds", add.returncode == 0)
    check("both keys are present", run("query", "live.bloom", "--key", "x", "--key", "y", "-q") == "")


def check_file_ends_while_waiting():
    """The file of a lock is removed, or replaced by a program without the lock, while a command waits."""
    with Holder() as holder:
        add = waiting_add()
        add.stderr.readline()
        os.remove("live.bloom")
        text = add.communicate(timeout=10)[1]
        check("removed: exit 3", add.returncode == 3)
        check("removed: says so", text == "bloometry: live.bloom was removed while this command waited for its lock\n", text.strip())
        check("removed: the holder does not bring it back", holder.release() == 3 and not os.path.exists("live.bloom"))
    with Holder() as holder:
        add = waiting_add()
        add.stderr.readline()
        copy("old.bloom", "new.bloom")
        os.rename("new.bloom", "live.bloom")
        add.communicate(timeout=10)
        check("replaced: the new file is changed", add.returncode == 0 and run("query", "live.bloom", "--key", "y", "-q") == "")
        check("replaced: the holder does not overwrite it", holder.release() == 3)


def check_build_waits():
    """`filter build` over a locked file must not be lost: the add that has the lock writes first."""
    copy("old.bloom", "live.bloom")
    reader, writer = os.pipe()
    add = subprocess.Popen([PROGRAM, "filter", "add", "live.bloom", "-q"], stdin=reader)
    os.write(writer, b"x\n")
    time.sleep(0.3)
    build = subprocess.Popen(
        [PROGRAM, "filter", "build", "keys", "-o", "live.bloom"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )
    time.sleep(1.5)
    check("build waits for the lock", build.poll() is None)
    os.close(writer)
    os.close(reader)
    add.wait()
    text = build.communicate()[1].decode()
    check("and says so", re.search(r"waiting for .*, which has locked live.bloom \(Ctrl-C stops\)", text), text.strip())
    run("build", "keys", "-o", "built.bloom")
    check("the file of the last command", content("live.bloom") == content("built.bloom"))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    random.seed(1)
    write_keys("keys", 0, 20_000)
    write_keys("more", 500_000, 20_000)
    run("build", "keys", "-m", "8MB", "-k", "7", "-o", "old.bloom")
    check_kills("add", "more")
    check_interrupts()
    check_writers()
    check_wait_limits()
    check_long_waits()
    check_file_ends_while_waiting()
    check_build_waits()
    run("build", "keys", "-m", "2000000", "-k", "4", "--variant", "counting", "-o", "old.bloom")
    check_kills("erase", "keys")

print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
