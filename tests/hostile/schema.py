#!/usr/bin/python3
"""Compares `bloometry sweep schema` with `bloometry sweep validate`. The configs are the project's own and mutants of
them. Every config that the program accepts must be valid by the schema. The converse does not hold, because the
program checks more than a schema can.
"""

import argparse
import collections
import json
import sys
import tempfile
from pathlib import Path

from jsonschema import Draft202012Validator

import config_case
from mutate_config import base_configs
from program import BAD_INPUT, DONE, INTERRUPTED, NOT_DONE, Program

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 2  # a valid config may plan a million rows


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="path of bloometry")
    parser.add_argument("--seed", default="1", help="seed of the mutants (default 1)")
    parser.add_argument("--configs", type=int, default=150, metavar="N", help="mutated configs (default 150)")
    return parser.parse_args()


def is_accepted(program, config):
    done = program.run("sweep", "validate", config, interrupt_after=PATIENCE_S)
    done.require_code(DONE, BAD_INPUT, NOT_DONE, INTERRUPTED)
    return done.code == DONE


def first_error(validator, path):
    """Returns the schema's error for a config, or an empty text if it is valid. Returns None if the config is not
    JSON, or nests too deeply for Python."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    error = next(validator.iter_errors(value), None)
    return "" if error is None else f"{error.json_path}: {error.message}"[:200]


def main():
    options = parsed_options()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="bloometry-schema.") as name:
        folder = Path(name)
        program = Program(options.program.resolve(), folder)
        validator = Draft202012Validator(json.loads(program.run("sweep", "schema").out))
        validator.check_schema(validator.schema)
        bases = base_configs(ROOT / "experiments" / "configs")
        for index in range(options.configs):
            what = config_case.make_input(folder, options.seed, index, bases)["what"]
            accepted = is_accepted(program, "config.json")
            error = first_error(validator, folder / "config.json")
            counts[accepted, bool(error)] += 1
            if accepted and error:
                print(f"FAIL config-{index}, seed {options.seed} ({what}) is accepted, but by the schema: {error}")
    print(f"{counts[False, True]} refused by both, {counts[False, False]} by the program alone")
    num_failed = counts[True, True] + (counts[True, False] == 0) + (counts[False, True] == 0)
    print(f"{counts[True, False]} passed, {num_failed} failed")
    return num_failed == 0


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
