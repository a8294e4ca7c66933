#!/usr/bin/python3
"""Counts phrases that a reader has to read twice, in Markdown files, in comments, in texts that the program prints, and in
titles of test cases.

check_phrases.py [--limit N] ROOT   prints FILE:LINE: phrase -> better wording; exits 1 if there are more than N phrases

The rule is plain English for an engineer who reads once (core/README.md, "Conventions"). Pronouns and "has no" are plain
English. A phrase below is not always wrong, so some may remain. Rewrite a new one, and lower the limit when the number
falls.
"""

import argparse
import ast
import os
import re
import sys
from pathlib import Path

LIMIT = 0
FOLDERS = ("core", "variants", "experiments", "results", "notebooks", "tests")
SLASHES = {".hpp", ".cpp", ".in", ".java", ".go", ".mjs", ".js", ".php"}
HASHES = {".sh", ".py"}
UNCHECKED = {Path(__file__).name, "check_phrases_test.py"}

PEOPLE_ONLY = r"(?:asks?|says?|wants?|knows?|lives?|takes?|stands?|tells?)"
THINGS = (r"(?:filter|hash|page|program|test|theory|file|row|sweep|scheme|spec|server|stage|variant|formula|table|batch|"
          r"header|message|config|report|command|function|class|query|store|reader|line|column|name|comment)(?:e?s)?")

# Phrases as regular expressions, and the better wording.
PHRASES = [
    # A thing is not "no key", and nobody does something "for no key". "Has no key" and "there is no key" are plain English.
    (r"(?<!there )(?:is|are|was|were|names|asks|knows) no (?!more|less|longer|fewer|larger|later|earlier|better|worse|matter)"
     r"[a-z]+", '"is not a key", "rejects a key"'),
    (r"(?:of|for|to|by|on|under) no (?!more|less|longer|fewer|larger|later|earlier|means|time)[a-z]+",
     '"without a key", "for 0 keys"'),
    (r"(?:says?|knows?|asks?|tells?) nothing", '"does not report anything"'),
    # Rates.
    (r"(?-i:bits?|ns|us|bytes?|lines?|probes?|keys?|cells?|counters?|digests?|operations?|queries|points?|rows?|words?|"
     r"branch(?:es)?|cycles|instructions|multiplications?|lookups?|times|values?) an? "
     r"(?:key|lane|query|stage|probe|insert|trial|row|block|line|batch|slice|repetition|second|unit|thread|word|round|"
     r"point|page|life|trip|process)", '"bits per key"'),
    # A relative clause has an antecedent.
    (r"(?:(?<=[,;:(] )|(?<=\bby )|(?<=\bto )|(?<=\bfor )|(?<=\band )|(?<=\bas ))who(?:ever)? [a-z]+",
     '"callers that need more"'),
    # Only people ask, say, want, know, live, take or stand.
    (THINGS + " " + PEOPLE_ONLY, "returns, contains, accepts, states, needs, is"),
    (r"(?:asked|asks|asking|ask) for", '"requested", "queried"'),
    (r"to be had|is to have|who wants it", '"could not be allocated", "exists"'),
    # The field's words.
    (r"look-ups?", "lookup"),
    (r"(?:at|by) the door", "in the constructor"),
    (r"yardsticks?", "reference, baseline"),
    (r"honest(?:ly)?", "correct, unbiased"),
    (r"false hits?", "false positive"),
    (r"asks? (?:for )?(?:its|their|the) lines?|lines? (?:is|are) asked", "prefetch"),
    (r"does nothing twice|do nothing twice", "is idempotent"),
]
# Phrases at the start of a sentence that is not a question. The subject of a sentence comes first and is named.
OPENINGS = [(r"(?:What|Of|Who|Whoever) (?=[a-z`])(?![^.:;]*\?)", "start with the subject")]

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
TITLE = re.compile(r'\b(?:\w*TEST_CASE|SECTION)\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|https?://\S+")


def markdown(text):
    """Yields (line, text) of prose and of table cells, without code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and line.startswith("|"):
            for cell in line.split("|"):
                yield from ((number, cell), (number, ""))
        elif not fenced and not line.startswith("    "):
            marker = re.match(r"\s*(?:[-*#]+|\d+\.)\s+", line)
            if marker:
                yield number, ""
            yield number, line[marker.end():] if marker else line


def comments(text, mark):
    """Yields (line, text) of comments that begin with the mark, and an empty text for other lines."""
    whole = re.compile(r"^\s*%s+<? ?(.*)$" % mark)
    behind = re.compile(r"^[^\"'`]*(?:\"[^\"]*\"[^\"'`]*)*[\s;{},)]%s+<? (.*)$" % mark)
    for number, line in enumerate(text.split("\n"), 1):
        if match := whole.match(line):
            yield number, re.sub(r"^@\w+ ?", "", match.group(1))
        else:
            yield number, ""
            if match := behind.match(line):
                yield from ((number, match.group(1)), (number, ""))


def printed(text):
    """Yields (line, text) of string literals of three words and more."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("//", "#include")):
            continue
        for literal in LITERAL.findall(line):
            if literal.count(" ") > 1:
                yield from ((number, literal), (number, ""))


def titles(text):
    """Yields (line, text) of the titles of Catch2 test cases and sections, with a capital like other sentences."""
    for match in TITLE.finditer(text):
        area, colon, title = "".join(LITERAL.findall(match.group(1))).rpartition(": ")
        yield text.count("\n", 0, match.start()) + 1, area + colon + title[:1].upper() + title[1:]
        yield 0, ""


def docstrings(text):
    """Yields (line, text) of a Python file's docstrings."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, False):
            first = node.body[0].lineno
            yield first, ""
            for number, line in enumerate(node.body[0].value.value.split("\n"), first):
                yield number, line.strip()


def texts(path, relative):
    """Yields (line, text) of the prose in a file; an empty text separates."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        yield from markdown(text)
    elif path.suffix in SLASHES:
        yield from comments(text, "//")
        if path.suffix in (".hpp", ".cpp"):
            yield from titles(text) if relative.parts[0] == "tests" else printed(text)
    else:
        yield from comments(text, "#")
        if path.suffix == ".py":
            yield from docstrings(text)


def paragraphs(lines):
    """Yields (text, lines): lines of prose joined, and the line of each character."""
    joined, numbers = "", []
    for number, line in [*lines, (0, "")]:
        line = line.strip()
        if line:
            joined += line + " "
            numbers += [number] * (len(line) + 1)
        elif joined:
            yield joined, numbers
            joined, numbers = "", []


def phrases_in(path, relative):
    """Yields (line, phrase, better wording)."""
    for text, numbers in paragraphs(texts(path, relative)):
        text = CODE.sub(lambda match: "`" * len(match.group()), text)
        for expression, better in EXPRESSIONS:
            for match in expression.finditer(text):
                yield numbers[match.start()], match.group().strip(), better


def files_below(root):
    """Yields the files with prose, except this script and its test, which contain the phrases."""
    yield from (root / "README.md", root / "CMakeLists.txt")
    for folder in FOLDERS:
        for parent, children, names in os.walk(root / folder):
            children[:] = [child for child in children if child not in ("node_modules", "__pycache__")]
            yield from (Path(parent) / name for name in names if is_prose(name) and name not in UNCHECKED)


def is_prose(name):
    return name == "CMakeLists.txt" or Path(name).suffix in {".md", ".cmake"} | SLASHES | HASHES


EXPRESSIONS = [(re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])", re.IGNORECASE), better) for phrase, better in PHRASES]
EXPRESSIONS += [(re.compile(rf"(?:^|(?<=[.;:] )){phrase}"), better) for phrase, better in OPENINGS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--limit", type=int, default=LIMIT, help="number of phrases that may remain (default %(default)s)")
    options = parser.parse_args()
    count = 0
    for path in sorted(files_below(options.root)):
        relative = path.relative_to(options.root)
        for line, phrase, better in sorted(phrases_in(path, relative)):
            count += 1
            print(f"{relative}:{line}: {phrase} -> {better}")
    print(f"{count} phrases, at most {options.limit} allowed")
    sys.exit(count > options.limit)


main()
