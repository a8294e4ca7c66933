"""One damaged run folder: reads it, runs it again, repairs it and runs it again."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from damage_folder import TEMPORARY_NAME, damage
from program import ANSWER_IS_NO, BAD_INPUT, DONE, NOBODY, NOT_DONE, Failure, Program
from tree import require_unchanged, snapshot
from values import HONEST

WRITTEN_BY_REPORT = ("summary.csv", "trials.csv", "report.html", "charts")

# Grids for runs of about a dozen small units.
CONFIGS = {
    "standard": '{"variant": ["standard", "partitioned"], "num_keys": [300, 1000], "capacity": 1000, '
                '"bits_per_key": [8, 12], "num_hashes": [3, 7]}',
    "counting": '{"variant": "counting", "num_keys": [300, 1000], "num_counters": 9000, "num_hashes": [3, 6], '
                '"churn": {"rounds": 3, "erase": 0.2, "reinsert": 0.1, "wrongful_erases": 0.1}}',
    "windowed": '{"variant": "counting", "num_keys": [300, 1000], "num_counters": 9000, "num_hashes": [3, 6], '
                '"window": {"size": 100, "unit": "keys", "reinsert": 0.2, "erase": 0.3}}',
    "streamed": '{"variant": "standard", "num_keys": [300, 1000], "num_bits": 9000, "num_hashes": [3, 6], '
                '"stream": {"zipf": 1, "num_distinct": 200, "clear_every": 50}}',
    "scalable": '{"variant": "scalable", "num_keys": [300, 3000], "target_false_positive_rate": [0.1, 0.01], '
                '"params": {"initial_capacity": 100}}',
    "blocked": '{"variant": ["blocked", "split_block", "lanes"], "num_keys": 1000, "bits_per_key": [8, 12], "num_hashes": 8}',
    "variable": '{"variant": ["variable_increment", "blocked_counting"], "num_keys": 1000, "bits_per_key": 40, '
                '"num_hashes": 4, "churn": {"rounds": 2, "erase": 0.3}}',
}
# Every other variant uses the first grid of its smoke config.
SMOKE = Path(__file__).parents[2] / "experiments" / "configs" / "smoke"
CONFIGS.update({variant: json.dumps(json.loads((SMOKE / f"{variant}.json").read_text())["grids"][0])
                for variant in HONEST["variant"] if not any(f'"{variant}"' in grid for grid in CONFIGS.values())})


def make_runs(path, home):
    """Makes a finished and an interrupted run of the config of that name, which cases copy and damage."""
    home.mkdir(parents=True)
    (home / "config.json").write_text(
        f'{{"name": "{home.name}", "trials": 12, "queries": 10000, "grids": [{CONFIGS[home.name]}]}}\n')
    program = Program(path, home)
    program.run("sweep", "run", "config.json", "--out", "finished", "--threads", "1").require_code(DONE)
    program.run("report", "finished").require_code(DONE)
    interrupt_a_run(path, home)


def interrupt_a_run(path, home):
    """Makes a run of two unfinished sessions. The first session runs out of disk space after some units. The second
    one is interrupted after its first unit. If the interrupt is too late, the run is finished and has two parts,
    which is also suitable."""
    command = [str(path), "sweep", "run", "config.json", "--out", "interrupted", "--threads", "1"]
    quiet = {"cwd": home, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL}
    subprocess.run(["/bin/sh", "-c", 'ulimit -f 12; exec "$@"', "sh", *command], check=False, **quiet)
    process = subprocess.Popen(command, **quiet)
    part = home / "interrupted" / "parts" / "000002.jsonl"
    while process.poll() is None and not (part.exists() and part.stat().st_size):
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    process.wait()


def make_input(folder, seed, index, runs):
    """Copies a run, damages it and records the damage."""
    rng = random.Random(f"{seed}/folder/{index}")
    name, other = rng.sample(sorted(path.name for path in runs.iterdir()), 2)
    state = rng.choice(("finished", "finished", "interrupted"))
    shutil.copytree(runs / name / state, folder / "damaged")
    shutil.copytree(runs / name / "finished", folder / "undamaged")
    shutil.copy(runs / name / "config.json", folder / "config.json")
    (folder / "outside").mkdir()
    (folder / "outside" / "precious").write_text("nobody's business\n")
    done = damage(rng, folder / "damaged", runs / other / "finished", folder / "outside" / "precious")
    return {"what": f"{done.name} of {', '.join(done.targets)} in a {state} run of {name}",
            "is_hashed": state == "finished", "may_hide": done.may_hide, "is_mendable": done.is_mendable,
            "needs_other_user": done.needs_other_user}


def check(path, folder, facts):
    """Fails unless the program meets all requirements. Returns names of the events, which are counted."""
    user = other_user(folder) if facts["needs_other_user"] and os.geteuid() == 0 else None
    program = Program(path, folder, user)
    subprocess.run(["cp", "-a", "damaged", "repaired"], cwd=folder, check=True)
    look(program, folder, facts)
    return run_again(program, folder, "damaged", facts["may_hide"]) + repair(program, folder, facts)


def other_user(folder):
    """Runs the commands as nobody, the owner of the case's folder, because root may read and write everything."""
    for found in [folder, *folder.rglob("*")]:
        os.chown(found, NOBODY, NOBODY, follow_symlinks=False)
    return NOBODY


def look(program, folder, facts):
    """Requires that reading commands do not change files, and that a report writes only complete files of its
    own. Runs with changed rows must not be accepted."""
    is_altered = facts["is_hashed"] and has_other_bytes(folder)
    for command in (("sweep", "status"), ("verify",), ("report",)):
        before = snapshot(folder)
        done = program.run(*command, "damaged").require_code(DONE, ANSWER_IS_NO, BAD_INPUT, NOT_DONE)
        require_named(done, "damaged")
        if command == ("verify",) and is_altered and done.code == DONE:
            done.fail("accepts rows that were altered")
        is_report = command == ("report",)
        require_unchanged(before, folder, done.command, lambda name: is_report and (
            is_of_report(name) or name.endswith(TEMPORARY_NAME)))


def has_other_bytes(folder):
    """Returns whether a part or trials.csv exists, but differs from the file of the undamaged run."""
    expected = [folder / "undamaged" / "trials.csv", *(folder / "undamaged" / "parts").glob("*.jsonl")]
    pairs = [(path, folder / "damaged" / path.relative_to(folder / "undamaged")) for path in expected]
    return any(found.is_file() and found.read_bytes() != path.read_bytes() for path, found in pairs)


def is_of_report(name):
    folder, _, rest = name.partition("/")
    return folder == "damaged" and rest.split("/")[0] in WRITTEN_BY_REPORT


def require_named(done, name):
    if done.code in (BAD_INPUT, NOT_DONE) and name not in done.err:
        done.fail(f"does not say where in {name}")


def run_again(program, folder, name, may_hide):
    """Requires that a run either refuses the folder without changes, or makes the rows of the undamaged run."""
    before = snapshot(folder)
    done = program.run("sweep", "run", "config.json", "--out", name, "--threads", "1")
    done.require_code(DONE, BAD_INPUT, NOT_DONE)
    require_named(done, name)
    may_change = (f"{name}/parts/lock",) if done.code == BAD_INPUT else (f"{name}/",)
    require_unchanged(before, folder, done.command, lambda path: path.startswith(may_change) or path.endswith(".tmp"))
    if done.code != DONE:
        return [f"run of the {name} folder exits {done.code}"]
    is_hidden = not has_same_rows(folder, name)
    if is_hidden and not may_hide:
        raise Failure(f"{done.command} exits 0, but trials.csv is not that of the undamaged run")
    if leftovers := [path for path in snapshot(folder / name) if path.endswith(".tmp")]:
        raise Failure(f"{done.command} leaves {leftovers}")
    program.run("verify", name).require_code(DONE, ANSWER_IS_NO)
    return [f"run of the {name} folder exits 0" + (", with other possible rows" if is_hidden else "")]


def has_same_rows(folder, name):
    return (folder / name / "trials.csv").read_bytes() == (folder / "undamaged" / "trials.csv").read_bytes()


def repair(program, folder, facts):
    """Requires that the run continues after a repair, unless files other than parts are damaged."""
    before = snapshot(folder)
    done = program.run("sweep", "repair", "repaired").require_code(DONE, ANSWER_IS_NO, BAD_INPUT, NOT_DONE)
    require_named(done, "repaired")
    may_change = done.code != BAD_INPUT
    require_unchanged(before, folder, done.command, lambda path: may_change and path.startswith("repaired/"))
    happened = run_again(program, folder, "repaired", facts["may_hide"] and not facts["is_hashed"])
    if facts["is_mendable"] and happened[0].endswith(("2", "3")):
        raise Failure(f"{done.command} exits {done.code}, and still the {happened[0]}")
    return happened
