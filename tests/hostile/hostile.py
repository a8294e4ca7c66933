#!/usr/bin/python3
"""Tests the whole program with mutated configs and damaged run folders.

For any input, the program ends with a documented exit code within ten seconds, and within one second of an interrupt.
It prints few and printable lines, does not leave partial files, and changes only its folder. A run that exits 0
has all its rows. A run that was interrupted, or lost parts to damage, ends with the same trials.csv.

A case depends on the seed and its number. A failed case is kept; --replay FOLDER checks it again.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import config_case
import folder_case
from mutate_config import base_configs
from program import Failure, Skip
from tree import remove

ROOT = Path(__file__).resolve().parents[2]
ADDRESS_SPACE = 3 << 30
CASES = {"config": config_case, "folder": folder_case}
SHORT = {"configs": 60, "folders": 25}
LONG = {"configs": 2000, "folders": 500}


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="path of bloometry")
    parser.add_argument("--long", action="store_true",
                        help=f"{LONG['configs']} configs and {LONG['folders']} run folders")
    parser.add_argument("--seed", default="1", help="seed of all cases (default 1)")
    parser.add_argument("--configs", type=int, metavar="N", help=f"mutated configs (default {SHORT['configs']})")
    parser.add_argument("--folders", type=int, metavar="N", help=f"damaged run folders (default {SHORT['folders']})")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cases at a time (default 2)")
    parser.add_argument("--replay", type=Path, metavar="FOLDER", help="run one kept case only")
    options = parser.parse_args()
    for name, number in (LONG if options.long else SHORT).items():
        if getattr(options, name) is None:
            setattr(options, name, number)
    return options


def start_worker():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, resource.getrlimit(resource.RLIMIT_AS)[1]))


def run_case(program, work, kind, seed, index, material):
    """Makes the input of a case and checks it. Keeps the input if it fails. Returns (outcome, events)."""
    home = work / f"{kind}-{index}"
    facts = make_case(home, kind, seed, index, material)
    outcome = check_case(program, home, facts)
    remove(home)
    if outcome[0] == "failed":
        make_case(home, kind, seed, index, material)
    return outcome


def make_case(home, kind, seed, index, material):
    home.mkdir()
    facts = {"kind": kind, "seed": seed, "index": index, **CASES[kind].make_input(home, seed, index, material)}
    (home / "case.json").write_text(json.dumps(facts))
    return facts


def check_case(program, home, facts):
    name = f"{facts['kind']}-{facts['index']}"
    try:
        return "passed", CASES[facts["kind"]].check(program, home, facts)
    except Skip as skip:
        return "skipped", [f"{name}: {skip}"]
    except Failure as failure:
        return "failed", [f"{name}, seed {facts['seed']} ({facts['what']}): {failure}"]


def replay(program, kept):
    """Checks a copy of a kept case."""
    facts = json.loads((kept / "case.json").read_text())
    with tempfile.TemporaryDirectory(prefix="bloometry-hostile.") as work:
        home = Path(work) / "case"
        subprocess.run(["cp", "-a", kept, home], check=True)
        Path(work).chmod(0o755)
        return facts["kind"], *check_case(program, home, facts)


def run_all(options, work):
    """Yields the outcome of every case, in order."""
    material = {"config": base_configs(ROOT / "experiments" / "configs"), "folder": work / "runs"}
    numbers = {"config": options.configs, "folder": options.folders}
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=start_worker) as pool:
        runs = [work / "runs" / name for name in folder_case.CONFIGS]
        list(pool.map(folder_case.make_runs, itertools.repeat(options.program), runs))
        waiting = [(kind, pool.submit(run_case, options.program, work, kind, options.seed, index, material[kind]))
                   for kind, number in numbers.items() for index in range(number)]
        for kind, future in waiting:
            yield kind, *future.result()


def report(results):
    """Prints the events, and the line of totals. Returns whether all passed."""
    outcomes = collections.Counter()
    happened = {kind: collections.Counter() for kind in CASES}
    for kind, outcome, what in results:
        outcomes[outcome] += 1
        if outcome == "passed":
            happened[kind].update(what)
        else:
            print("FAIL" if outcome == "failed" else "SKIPPED", what[0], flush=True)
    for kind, counts in happened.items():
        print(f"{kind}s:", ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"{outcomes['passed']} passed, {outcomes['failed']} failed, {outcomes['skipped']} skipped")
    return outcomes["failed"] == 0


def main():
    options = parsed_options()
    options.program = options.program.resolve()
    if options.replay:
        start_worker()
        return report([replay(options.program, options.replay.resolve())])
    work = Path(tempfile.mkdtemp(prefix="bloometry-hostile."))
    work.chmod(0o755)
    if report(run_all(options, work)):
        shutil.rmtree(work)
        return True
    shutil.rmtree(work / "runs")
    print(f"kept in {work}; to repeat one: {sys.argv[0]} {options.program} --replay {work}/<case>")
    return False


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
