"""Damages a run folder as a disk, an editor, a sync tool or another user might."""

import json
import os
import shutil
from dataclasses import dataclass

from config_text import parsed, put, slots, value_at, written
from mutate_config import hostile_value

RECORDS = {"config.json", "manifest.json"}  # a repair of parts does not restore these files
TEMPORARY_NAME = ".bloometry-0123456789abcdef.tmp"
DIGITS = b"0123456789"
HUGE = 3_000_000
SPECIAL_TARGETS = ("/dev/zero", "/dev/full", "/dev/null", "/dev/random", "/proc/self/mem")


@dataclass
class Damage:
    name: str
    targets: list  # relative to the run folder
    is_mendable: bool  # whether a repair of parts restores the run
    may_hide: bool = False  # changes values of rows; a wrong count may look as plausible as the right one
    needs_other_user: bool = False  # root may read every file


def damage(rng, run, other, outside):
    """Damages the run folder `run` once.

    @param other a run of another config; outside a file that must stay unchanged
    """
    files = sorted(path for path in run.rglob("*") if path.is_file())
    path = rng.choices(files, map(weight, files))[0]
    kind = rng.choice(KINDS)
    if kind in OF_LINES + OF_VALUES and path.stat().st_size == 0:  # the lock file, and parts without a unit, are empty
        kind = rng.choice(OF_FILES + OF_PLACES)
    found = Damage(kind.__name__, [str(path.relative_to(run))], kind in MENDABLE)
    kind(rng, path, Scene(run, other, outside, found))
    found.is_mendable &= not RECORDS & set(found.targets)
    return found


def weight(path):
    """Returns how often a file is chosen. Parts are chosen most often, charts least often."""
    if path.suffix == ".jsonl":
        return 8
    return 4 if path.name in RECORDS else 0.3 if path.parent.name == "charts" else 1


@dataclass
class Scene:
    run: object
    other: object
    outside: object
    found: Damage

    def hides(self):
        self.found.may_hide = self.found.targets[0].startswith("parts/")


# --- Damage to the bytes of a file.


def truncate(rng, path, scene):
    os.truncate(path, rng.randrange(path.stat().st_size))


def empty(rng, path, scene):
    path.write_bytes(b"")


def flip_bits(rng, path, scene):
    text = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 1, 3, 20))):
        text[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
    path.write_bytes(text)
    scene.hides()


def overwrite_with_nul(rng, path, scene):
    text = bytearray(path.read_bytes())
    start = rng.randrange(len(text))
    end = min(len(text), start + rng.choice((1, 512, 4096)))
    text[start:end] = bytes(end - start)
    path.write_bytes(text)


def append_garbage(rng, path, scene):
    garbage = rng.choice((rng.randbytes(100), b"garbage\n", b"\n", b"\n\n\n", b"{}\n", b"null\n", b"[1]\n",
                          b"\0" * 5000, b" 42 %  1 of 2 units\n", b"\x1b[31mred\x1b[0m\n",
                          b'{"rows":[],"timing":{}}\n'))
    with path.open("ab") as file:
        file.write(garbage)


def append_huge_line(rng, path, scene):
    with path.open("ab") as file:
        file.write(rng.choice((b"x", b'"', b"9", b"[", b'{"a":')) * HUGE + rng.choice((b"", b"\n")))


def byte_order_mark(rng, path, scene):
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def carriage_returns(rng, path, scene):
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


# --- Damage to the lines of a file.


def edited_lines(rng, path, edit):
    lines = path.read_bytes().splitlines(True)
    edit(lines, rng.randrange(len(lines)))
    path.write_bytes(b"".join(lines))


def duplicate_line(rng, path, scene):
    edited_lines(rng, path, lambda lines, index: lines.insert(rng.randrange(len(lines) + 1), lines[index]))


def duplicate_all(rng, path, scene):
    path.write_bytes(path.read_bytes() * 2)


def drop_line(rng, path, scene):
    edited_lines(rng, path, lambda lines, index: lines.pop(index))


def shuffle_lines(rng, path, scene):
    edited_lines(rng, path, lambda lines, index: rng.shuffle(lines))


def join_lines(rng, path, scene):
    def join(lines, index):
        lines[index] = lines[index].rstrip(b"\n")
    edited_lines(rng, path, join)


def change_digit(rng, path, scene):
    text = bytearray(path.read_bytes())
    places = [index for index, byte in enumerate(text) if byte in DIGITS]
    if places:
        place = rng.choice(places)
        text[place] = rng.choice(DIGITS.replace(text[place:place + 1], b""))
    path.write_bytes(text)
    scene.hides()


# --- Damage to the values in a file.


def change_value(rng, path, scene):
    def change(value):
        places = slots(value)
        if places:
            put(rng.choice(places), hostile_value(rng))
    edit_json(rng, path, scene, change)


def change_number(rng, path, scene):
    def change(value):
        places = [slot for slot in slots(value) if isinstance(value_at(slot), (int, float))]
        if places:
            slot = rng.choice(places)
            number = value_at(slot)
            put(slot, rng.choice((0, number + 1, number * 2, -number, 2**64 - 1, 0.5)))
    edit_json(rng, path, scene, change)


def drop_field(rng, path, scene):
    def drop(value):
        if places := slots(value):
            container, index = rng.choice(places)
            del container[index]
    edit_json(rng, path, scene, drop)


def repeat_field(rng, path, scene):
    def repeat(value):
        if places := slots(value):
            container, index = rng.choice(places)
            container.append(container[index])
    edit_json(rng, path, scene, repeat)


def edit_json(rng, path, scene, edit):
    """Edits one value of a JSON file, or of one line of a part. In other files, changes a digit."""
    if path.suffix not in (".json", ".jsonl"):
        return change_digit(rng, path, scene)
    lines = path.read_text().splitlines(True) if path.suffix == ".jsonl" else [path.read_text()]
    index = rng.randrange(len(lines))
    try:
        value = parsed(lines[index])
    except json.JSONDecodeError:  # the torn last line of a killed run
        return change_digit(rng, path, scene)
    edit(value)
    lines[index] = written(value) + "\n"
    path.write_text("".join(lines), encoding="utf-8", errors="surrogatepass")
    scene.hides()


# --- Replacement of a file.


def delete(rng, path, scene):
    path.unlink()


def exchange_with_other_run(rng, path, scene):
    candidate = scene.other / path.relative_to(scene.run)
    shutil.copy(candidate if candidate.is_file() else scene.other / "config.json", path)


def exchange_within(rng, path, scene):
    others = sorted(found for found in scene.run.rglob("*") if found.is_file() and found != path)
    other = rng.choice(others)
    one, two = path.read_bytes(), other.read_bytes()
    path.write_bytes(two)
    other.write_bytes(one)
    scene.found.targets.append(str(other.relative_to(scene.run)))


def into_folder(rng, path, scene):
    path.unlink()
    path.mkdir()
    if rng.random() < 0.5:
        (path / "file").write_text("in the way\n")


def into_fifo(rng, path, scene):
    path.unlink()
    os.mkfifo(path)


def into_link_loop(rng, path, scene):
    path.unlink()
    path.symlink_to(path.name)


def into_link_to_device(rng, path, scene):
    path.unlink()
    path.symlink_to(rng.choice(SPECIAL_TARGETS))


def into_link_outside(rng, path, scene):
    path.unlink()
    target = rng.choice((scene.outside, scene.outside.with_name("not_there")))
    path.symlink_to(os.path.relpath(target, path.parent))


def into_link_to_its_content(rng, path, scene):
    """Replaces a file by a link, as users do when they move a large file to another disk."""
    moved = scene.outside.with_name("moved")
    shutil.move(path, moved)
    path.symlink_to(os.path.relpath(moved, path.parent))


def unreadable(rng, path, scene):
    path.chmod(0)
    scene.found.needs_other_user = True


def unwritable(rng, path, scene):
    for folder in (scene.run, scene.run / "parts"):
        folder.chmod(0o555)
    scene.found.needs_other_user = True
    scene.found.targets = ["."]


# --- Damage to the folder of parts and to names.


def rename(rng, path, scene):
    name = rng.choice(("x.jsonl", "1.jsonl", ".jsonl", "-1.jsonl", "999999.jsonl", "18446744073709551615.jsonl",
                       "18446744073709551616.jsonl", "000001.jsonl.bak", "000009.JSONL", "a\nb.jsonl",
                       "\x1b[31m.jsonl", "é.jsonl", path.name + "~"))
    path.rename(path.with_name(name))


def copy_beside(rng, path, scene):
    name = rng.choice(("000009.jsonl", "copy.jsonl", "18446744073709551615.jsonl", TEMPORARY_NAME,
                       "trials (1).csv"))
    shutil.copy(path, path.with_name(name))


def temporary_left(rng, path, scene):
    (scene.run / TEMPORARY_NAME).write_bytes(path.read_bytes()[:100])


def add_folder(rng, path, scene):
    name = rng.choice(("parts/000000.jsonl", "parts/000099.jsonl", "parts/more", "more", "charts/more"))
    folder = scene.run / name
    folder.mkdir(parents=True)
    shutil.copy(path, folder / "000001.jsonl")


def parts_into(rng, path, scene):
    parts = scene.run / "parts"
    scene.found.targets = ["parts"]
    shutil.rmtree(parts)
    make = rng.choice((parts.mkdir, parts.touch, lambda: os.mkfifo(parts), lambda: parts.symlink_to("parts"),
                       lambda: parts.symlink_to("/dev"), lambda: parts.symlink_to("."), lambda: None))
    make()


OF_VALUES = (change_value, change_number, drop_field, repeat_field)
OF_LINES = (truncate, flip_bits, overwrite_with_nul, duplicate_line, drop_line, shuffle_lines, join_lines, change_digit)
OF_FILES = (empty, append_garbage, append_huge_line, byte_order_mark, carriage_returns, duplicate_all, delete, rename,
            exchange_with_other_run, exchange_within, temporary_left)
OF_PLACES = (into_folder, into_fifo, into_link_loop, into_link_to_device, into_link_outside, into_link_to_its_content,
             unreadable, unwritable, copy_beside, add_folder, parts_into)
MENDABLE = OF_VALUES + OF_LINES + OF_FILES
KINDS = MENDABLE + OF_PLACES
