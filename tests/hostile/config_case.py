"""One mutated config: checks, runs or verifies it, and inspects the remaining files."""

import random

from mutate_config import NUM_LINES, mutant
from program import ANSWER_IS_NO, BAD_INPUT, DONE, INTERRUPTED, NOT_DONE, Failure, Program
from tree import require_finished, require_unchanged, require_whole, snapshot

PATIENCE_S = 1  # interrupts a valid config, which may need hours


def make_input(folder, seed, index, bases):
    """Writes the case's input. Returns a description of the mutations."""
    text, steps = mutant(random.Random(f"{seed}/config/{index}"), bases)
    (folder / "config.json").write_bytes(text)
    (folder / "keys.txt").write_text("".join(f"key {number}\n" for number in range(NUM_LINES)))
    return {"what": " ".join(steps)}


def check(path, folder, facts):
    """Fails unless the program meets all requirements. Returns names of the events, which are counted."""
    rng = random.Random(f"{facts['seed']}/config/{facts['index']}/commands")
    program = Program(path, folder)
    command = rng.choices(("validate", "run", "verify"), (45, 45, 10))[0]
    return {"validate": check_validate, "run": check_run, "verify": check_verify}[command](program, folder, rng)


def check_validate(program, folder, rng):
    before = snapshot(folder)
    arguments = rng.choice((("config.json",), ("config.json", "--json")))
    done = program.run("sweep", "validate", *arguments, interrupt_after=PATIENCE_S)
    done.require_code(DONE, BAD_INPUT, NOT_DONE, INTERRUPTED)
    require_unchanged(before, folder, done.command)
    return [f"exit {done.code}"]


def check_verify(program, folder, rng):
    before = snapshot(folder)
    done = program.run("verify", "config.json", interrupt_after=PATIENCE_S, num_threads=2)
    is_kept = done.code == ANSWER_IS_NO  # a rejected run is kept as evidence
    require_unchanged(before, folder, done.command, lambda name: is_kept and name.startswith("tmp/"))
    return [f"exit {done.code}"]


def check_run(program, folder, rng):
    before = snapshot(folder)
    engine = rng.choice(("auto", "auto", "direct", "naive"))
    command = ("sweep", "run", "config.json", "--engine", engine, "--out")
    done = program.run(*command, "out", "--threads", "1", interrupt_after=PATIENCE_S)
    done.require_code(DONE, BAD_INPUT, NOT_DONE, INTERRUPTED)
    require_unchanged(before, folder, done.command,
                      lambda name: done.code != BAD_INPUT and (name == "out" or name.startswith("out/")))
    happened = [f"exit {done.code}"]
    if done.code == DONE:
        check_done(program, folder, command)
        happened.append(check_resumed(program, folder, rng, command, done.seconds))
    elif done.code == INTERRUPTED and (folder / "out").exists():
        done = program.run("sweep", "status", "out", interrupt_after=PATIENCE_S)
        done.require_code(DONE, ANSWER_IS_NO, INTERRUPTED)
    return happened


def check_done(program, folder, command):
    """Requires that a run that reports completion is complete and can be judged."""
    require_finished(folder / "out")
    program.run("verify", "out").require_code(DONE, ANSWER_IS_NO)
    before = snapshot(folder)
    program.run(*command, "out").require_code(DONE)
    is_dated = "out/manifest.json".__eq__
    require_unchanged(before, folder, "a second run of a finished sweep", is_dated)


def check_resumed(program, folder, rng, command, seconds):
    """Requires that the same sweep, disturbed and then run again, makes the same rows."""
    if rng.random() < 0.5:
        disturbed = program.run(*command, "again", "--threads", "1", interrupt_after=rng.uniform(0, seconds))
        disturbed.require_code(DONE, INTERRUPTED)
    else:
        disturbed = program.run(*command, "again", file_limit=rng.randrange(1, 40))
        disturbed.require_code(DONE, NOT_DONE)
    if (folder / "again").exists():
        for name in snapshot(folder / "again"):
            require_whole(folder / "again" / name)
    program.run(*command, "again", "--threads", "2").require_code(DONE)
    if (folder / "out" / "trials.csv").read_bytes() != (folder / "again" / "trials.csv").read_bytes():
        raise Failure(f"a run resumed after exit code {disturbed.code} has another trials.csv")
    return f"resumed after {disturbed.code}"
