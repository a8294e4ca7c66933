#!/usr/bin/python3
"""Checks the commands in the program's messages and help texts: each command and each of its options exists.

advised_commands.py PROGRAM ROOT   reads the sources under ROOT/experiments, ROOT/variants and ROOT/core

A message contains a command in backticks, such as `bloometry redis pull --from redisbloom`. An example in a help text
begins with the program's name, or is a part of a pipeline. A value in the middle of a message ends its literal, so the
command is checked up to this value.
"""

import re
import subprocess
import sys
from pathlib import Path

FOLDERS = ("core", "variants", "experiments")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMAND = re.compile(r"`((?:bloometry )?[a-z][^`]*)|(?:^|\| |&& )(bloometry [a-z][^`|&]*)")
MIN_COMMANDS = 50


def literals(text):
    """Yields (line, string) of the string literals. Adjacent literals are one string."""
    joined, first, end = "", 0, None
    for match in LITERAL.finditer(text):
        if end is not None and text[end:match.start()].strip() == "":
            joined += match.group(1)
        else:
            if joined:
                yield text.count("\n", 0, first) + 1, joined
            joined, first = match.group(1), match.start()
        end = match.end()
    if joined:
        yield text.count("\n", 0, first) + 1, joined


class Program:
    """The help texts of the program's commands."""

    def __init__(self, path):
        self.path = path
        self.helps = {}

    def help(self, words):
        """Returns the help text of the command, or None if it does not exist."""
        if words not in self.helps:
            run = subprocess.run([self.path, *words, "--help"], capture_output=True, text=True, check=False)
            self.helps[words] = run.stdout if run.returncode == 0 else None
        return self.helps[words]

    def names(self):
        return set(re.findall(r"^  ([a-z]+)  ", self.help(()), re.MULTILINE))


def problem_of(program, command):
    """Returns the reason why a command is not valid, or an empty text."""
    words = command.split()
    path = []
    for word in words:
        if not re.fullmatch(r"[a-z]+", word) or program.help((*path, word)) is None:
            break
        path.append(word)
    if not path:
        return "is not a command"
    text = program.help(tuple(path))
    has_commands = re.search(r"^(?:Sub)?commands:$", text, re.MULTILINE | re.IGNORECASE)
    rest = words[len(path):]
    if has_commands and rest and re.fullmatch(r"[a-z]+", rest[0]):
        return f"{rest[0]} is not a command of {' '.join(path)}"
    for option in re.findall(r"(?<!\S)(--?[a-z][a-z-]*)", command):
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text):
            return f"{' '.join(path)} does not have the option {option}"
    return ""


def main():
    program, root = Program(sys.argv[1]), Path(sys.argv[2])
    names = program.names()
    num_commands, num_problems = 0, 0
    for source in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]pp")):
        for line, literal in literals(source.read_text()):
            for quoted, example in COMMAND.findall(literal):
                command = quoted or example
                words = command.removeprefix("bloometry ").split()
                is_named = quoted.startswith("bloometry ")
                if not words or (words[0] not in names and not is_named):
                    continue
                num_commands += 1
                if problem := problem_of(program, " ".join(words)):
                    num_problems += 1
                    print(f"{source.relative_to(root)}:{line}: `{command}`: {problem}")
    print(f"{num_commands} commands, {num_problems} of them not valid")
    return 1 if num_problems or num_commands < MIN_COMMANDS else 0


if __name__ == "__main__":
    sys.exit(main())
