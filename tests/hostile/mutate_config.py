"""Configs as an unknown user might send them: the project's own, scaled down to run in milliseconds, then damaged."""

import copy

import large_configs
from config_text import Fields, parsed, put, slots, value_at, written
from values import HONEST, TEXTS, hostile_value

MAX_KEYS = 300
NUM_LINES = 3000  # number of lines of keys.txt
SHARE_OF_LARGE = 0.07
SHARE_OF_BYTES = 0.25

SIZES = ("num_keys", "capacity", "num_bits", "num_counters", "num_blocks", "initial_capacity", "size",
         "inserts_per_tick")
AT_MOST = {"trials": 2, "queries": 400, "max_queries": 2000, "rounds": 4}


def base_configs(folder):
    """Returns the project's configs by name, scaled down."""
    paths = sorted([*folder.glob("*.json"), *folder.glob("smoke/*.json")])
    return {str(path.relative_to(folder)): scaled_down(parsed(path.read_text(encoding="utf-8")))
            for path in paths if path.name != "schema.json"}


def scaled_down(config):
    largest = max(number for grid in config.get("grids") for number in numbers_in(grid.get("num_keys")))
    return rewritten(config, "", max(1, largest // MAX_KEYS))


def numbers_in(axis):
    found = [axis, *map(value_at, slots(axis))]
    return [value for value in found if isinstance(value, (int, float))]


def rewritten(value, name, divisor):
    if isinstance(value, Fields):
        return Fields([key, rewritten(item, key, divisor)] for key, item in value)
    if isinstance(value, list):
        return [rewritten(item, name, divisor) for item in value]
    if name == "file":
        return "keys.txt"
    if not isinstance(value, (int, float)):
        return value
    return max(1, value // divisor) if name in SIZES else min(value, AT_MOST.get(name, value))


def mutant(rng, bases):
    """Returns a mutated config as bytes, and the names of its mutations."""
    if rng.random() < SHARE_OF_LARGE:
        make = rng.choice(large_configs.ALL)
        return make(rng).encode(), [make.__name__]
    name = rng.choice(sorted(bases))
    config = copy.deepcopy(bases[name])
    edits = rng.choices(OF_TREE, k=rng.choice((0, 1, 1, 1, 2, 3)))
    for edit in edits:
        edit(rng, config, bases)
    text = written(config).encode("utf-8", "surrogatepass")
    if rng.random() < SHARE_OF_BYTES:
        edits.append(rng.choice(OF_BYTES))
        text = bytes(edits[-1](rng, bytearray(text)))
    return text, [name, *(edit.__name__ for edit in edits)]


# --- Mutations of the tree.


def make_hostile(rng, config, bases):
    put(rng.choice(slots(config)), hostile_value(rng))


def make_honest(rng, config, bases):
    places = [slot for slot in slots(config) if isinstance(slot[0], Fields) and slot[0][slot[1]][0] in HONEST]
    if places:
        container, index = rng.choice(places)
        container[index][1] = copy.deepcopy(rng.choice(HONEST[container[index][0]]))


def remove(rng, config, bases):
    container, index = rng.choice(slots(config))
    del container[index]


def repeat(rng, config, bases):
    container, index = rng.choice(slots(config))
    container.insert(rng.randrange(len(container) + 1), copy.deepcopy(container[index]))


def rename(rng, config, bases):
    container, index = rng.choice([slot for slot in slots(config) if isinstance(slot[0], Fields)])
    name = container[index][0]
    names = (name.upper(), name[:-1], name + " ", rng.choice(sorted(HONEST)), rng.choice(TEXTS))
    container[index][0] = rng.choice(names)


def add_field(rng, config, bases):
    objects = [config, *(value for value in map(value_at, slots(config)) if isinstance(value, Fields))]
    name = rng.choice((*sorted(HONEST), "params", "churn", rng.choice(TEXTS)))
    value = rng.choice(HONEST.get(name, [hostile_value(rng)]))
    rng.choice(objects).append([name, copy.deepcopy(value)])


def wrap(rng, config, bases):
    slot = rng.choice(slots(config))
    value = value_at(slot)
    in_range = Fields([["from", value], ["to", value], ["steps", 2]])
    put(slot, rng.choice(([value], [value, value], in_range, Fields([["file", value]]))))


def swap(rng, config, bases):
    first, second = rng.choice(slots(config)), rng.choice(slots(config))
    one, other = copy.deepcopy(value_at(first)), copy.deepcopy(value_at(second))
    put(first, other)
    put(second, one)


def cross(rng, config, bases):
    """Copies another config's grid or field. A valid value of that config may be invalid in this config."""
    other = copy.deepcopy(bases[rng.choice(sorted(bases))])
    if rng.random() < 0.5 and isinstance(config.get("grids"), list):
        config.get("grids").append(rng.choice(other.get("grids")))
    else:
        config.append(rng.choice(other))


# --- Mutations of the bytes.


def flip(rng, text):
    for _ in range(rng.choice((1, 1, 2, 10))):
        text[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
    return text


def cut(rng, text):
    return text[:rng.randrange(len(text))]


def insert(rng, text):
    place = rng.randrange(len(text))
    return text[:place] + rng.randbytes(rng.choice((1, 2, 100))) + text[place:]


def take_out(rng, text):
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.choice((1, 2, 30)):]


def double(rng, text):
    start = rng.randrange(len(text))
    end = start + rng.choice((1, 5, 100))
    return text[:end] + text[start:end] + text[end:]


def encode(rng, text):
    coding = rng.choice(("utf-16", "utf-16-be", "utf-32", "utf-8-sig", "utf-7"))
    return text.decode("utf-8", "replace").encode(coding)


def frame(rng, text):
    before, after = rng.choice(((b"", b"\0"), (b"\0" * 4096, b""), (b"", b"}"), (b"// note\n", b""), (b"\xff\xfe", b""),
                                (b"", b" " * 1000000), (b"", b"garbage"), (b"[", b"]"), (b"", bytes(text))))
    return before + text + after


OF_TREE = (make_hostile, make_honest, make_honest, make_honest, remove, repeat, rename, add_field, wrap, swap, cross)
OF_BYTES = (flip, flip, cut, insert, take_out, double, encode, frame)
