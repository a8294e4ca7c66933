"""The files that a command may leave on disk: complete files, and only in its own folders."""

import csv
import hashlib
import io
import json
import os
import shutil
import stat

from program import Failure


def snapshot(root):
    """Returns the entries below root by relative path. An entry is the kind, and the content or target."""
    found = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, root)] = describe(path)
    return found


def describe(path):
    mode = os.lstat(path).st_mode
    kind = stat.S_IFMT(mode)
    if stat.S_ISLNK(mode):
        return kind, os.readlink(path)
    if not stat.S_ISREG(mode):
        return kind, ""
    try:
        with open(path, "rb") as file:
            return kind, hashlib.sha256(file.read()).hexdigest()
    except PermissionError:
        return kind, "unreadable"


def remove(root):
    """Removes a tree with any permissions."""
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755)
    shutil.rmtree(root)


def changes(before, after):
    """Returns the paths of entries that were created, changed or removed."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def require_unchanged(before, root, after_what, except_for=lambda path: False):
    """Fails if anything below root has changed, except the given files, which must be complete."""
    after = snapshot(root)
    changed = changes(before, after)
    unexpected = [path for path in changed if not except_for(path)]
    if unexpected:
        raise Failure(f"{after_what} changed {unexpected[:5]}")
    for path in changed:
        if path in after:
            require_whole(root / path)


def require_whole(path):
    """Fails if a file that the program wrote is temporary or half-written."""
    if path.name.endswith(".tmp"):
        raise Failure(f"{path.name} was left behind")
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return
    try:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".csv":
            rows_of(path.read_text(encoding="utf-8"))
        elif path.suffix == ".html" and not path.read_text(encoding="utf-8").rstrip().endswith("</html>"):
            raise ValueError("no </html> at the end")
    except ValueError as error:
        raise Failure(f"{path.name} is half-written: {error}") from error


def rows_of(text):
    """Returns the rows of a table, including the header. Raises ValueError unless it is complete and rectangular."""
    if not text.endswith("\n"):
        raise ValueError("no end of line at the end")
    rows = list(csv.reader(io.StringIO(text)))
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("rows of different lengths")
    return rows


def require_finished(folder):
    """Fails unless all units of a run are in its parts and all rows in its tables."""
    for path in snapshot(folder):
        require_whole(folder / path)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    num_rows = len(rows_of((folder / "trials.csv").read_text(encoding="utf-8"))) - 1
    lines = [line for part in sorted((folder / "parts").glob("*.jsonl")) for line in part.read_bytes().splitlines()]
    units = {json.loads(line)["timing"]["unit"] for line in lines}
    if num_rows != manifest["num_rows"] or len(units) != manifest["num_finished_units"]:
        raise Failure(f"trials.csv has {num_rows} rows and the parts {len(units)} units; manifest.json says "
                      f"{manifest['num_rows']} rows and {manifest['num_finished_units']} units")
