"""JSON with details that a parser would lose: the order of fields, repeated fields, and tokens such as 1e400."""

import json


class Fields(list):
    """An object as a list of [name, value], so that names may be repeated."""

    def get(self, name):
        return next((value for key, value in self if key == name), None)


class Token(str):
    """Text that is written to the file unchanged."""


def parsed(text):
    return json.loads(text, object_pairs_hook=lambda pairs: Fields([name, value] for name, value in pairs))


def written(value):
    if isinstance(value, Token):
        return str(value)
    if isinstance(value, Fields):
        return "{" + ", ".join(f"{written(name)}: {written(item)}" for name, item in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def slots(value):
    """Yields the position of every value below this one, as (container, index of the item)."""
    if not isinstance(value, list):
        return []
    found = []
    for index, item in enumerate(value):
        found.append((value, index))
        found += slots(item[1] if isinstance(value, Fields) else item)
    return found


def value_at(slot):
    container, index = slot
    return container[index][1] if isinstance(container, Fields) else container[index]


def put(slot, value):
    container, index = slot
    if isinstance(container, Fields):
        container[index][1] = value
    else:
        container[index] = value
