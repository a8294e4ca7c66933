#!/usr/bin/python3
"""Tests check_phrases.py on artificial trees. The script must report each planted phrase, and must accept plain English."""

import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).with_name("check_phrases.py")

# File, text, and the phrase that the script must report at line 2; None if the script must not report anything.
PLANTED = [
    ("core/a.hpp", "// The filter is no hash table.", "is no hash"),
    ("core/a.hpp", "// Returns 0 for no keys.", "for no keys"),
    ("core/a.hpp", "// The batch says nothing.", "says nothing"),
    ("core/a.hpp", "// The filter knows its size.", "filter knows"),
    ("core/a.hpp", "int a = 0;  // 12 bits a key", "bits a key"),
    ("core/a.hpp", "// The loop ends, who needs more keys repeats it.", "who needs"),
    ("core/a.hpp", "// The keys asked\n// for are absent.", "asked for"),
    ("core/a.hpp", "// What a filter contains is stored. Of these, one is set.", "What"),
    ("core/a.cpp", 'throw Error("no size of what is no filter");', "is no filter"),
    ("core/README.md", "The report tells the rate.", "report tells"),
    ("core/README.md", "| filter | is no set |", "is no set"),
    ("core/CMakeLists.txt", "# Builds what an honest filter needs.", "honest"),
    ("tests/a.py", '"""The page wants a chart."""', "page wants"),
    ("tests/a_test.cpp", 'TEST_CASE("a: an honest filter is accepted") {}', "honest"),
    ("tests/a_test.cpp", 'SECTION("what is stored is found") {}', "What"),
    ("tests/a_test.cpp", 'TEMPLATE_TEST_CASE("a: a key that is "\n"no member", "[a]", A) {}', "is no member"),
    ("core/a.hpp", "// The filter has no keys. It allocates no memory with no keys, and there is no limit.", None),
    ("core/a.hpp", "// Returns true if it contains them; they are its keys.", None),
    ("core/a.hpp", "// Returns `is no key` unchanged.", None),
    ("core/a.hpp", "// It is no longer than a word.", None),
    ("core/README.md", "```\nThe filter knows its size.\n```", None),
    ("tests/a_test.cpp", 'CHECK(message == "the filter knows its size");', None),
    ("tests/a_test.cpp", 'TEST_CASE("a: rejects invalid distributions", "[a]") {}', None),
]


def found_in(file, text):
    """Returns the exit code of the script and its output for a tree with one file, whose first line is empty."""
    with tempfile.TemporaryDirectory() as root:
        for name in ("README.md", "CMakeLists.txt", file):
            path = Path(root, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n" + text + "\n" if name == file else "", encoding="utf-8")
        run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr


def is_as_expected(file, text, phrase):
    code, output = found_in(file, text)
    if phrase is None:
        return code == 0 and output == "0 phrases, at most 0 allowed\n"
    return code == 1 and f"{file}:2: {phrase} -> " in output


def main():
    failed = [planted for planted in PLANTED if not is_as_expected(*planted)]
    for file, text, phrase in failed:
        print(f"FAILED: {file}, {text!r}, expected {phrase}: {found_in(file, text)[1]}")
    print(f"{len(PLANTED) - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


main()
