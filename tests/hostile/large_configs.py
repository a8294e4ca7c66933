"""Configs that are large on purpose, and need long to plan, to run, to refuse or to report."""

import json


def config(**grid):
    return json.dumps({"name": "large", "queries": 10, "trials": grid.pop("trials", 1), "grids": [grid]})


def large_plan(rng):
    """Makes a plan of up to ten million rows, which is allowed."""
    num_sizes = rng.choice((1000, 10000))
    return config(variant="standard", num_keys={"from": 1, "to": num_sizes, "steps": num_sizes},
                  num_bits={"from": 1000, "to": 1998, "steps": 999}, num_hashes=rng.choice((1, [1, 2], "optimal")))


def slow_growth(rng):
    """Makes one unit that takes a minute, because a stage opens every few keys."""
    return config(variant="scalable", num_keys=100000, target_false_positive_rate=0.01, params={
        "initial_capacity": 1, "growth_factor": 1, "insert_policy": rng.choice(("blind", "check_first"))})


def many_stages(rng):
    """Makes a config with few keys and an error schedule for up to 1e12 stages."""
    return config(variant="scalable", num_keys=100, target_false_positive_rate=0.01, params={
        "error_schedule": "horizon", "max_capacity": rng.choice((10**5, 10**7, 10**12)), "initial_capacity": 1,
        "growth_factor": 1})


def many_fields(rng):
    """Makes many unknown fields. Each unknown field is a problem to report."""
    return json.dumps({"name": "fields", "grids": []} | {f"unknown_{index}": 0 for index in range(many(rng))})


def many_wrong_grids(rng):
    return json.dumps({"name": "grids", "grids": [{"variant": "standart"}] * many(rng)})


def many(rng):
    return rng.choice((100, 5000, 100000))


def many_grids(rng):
    grids = [{"variant": "standard", "num_keys": n, "num_bits": 1000, "num_hashes": 1} for n in range(1, 20000)]
    return json.dumps({"name": "grids", "queries": 10, "grids": grids})


def large_filter(rng):
    return config(variant="standard", num_keys=10, num_bits=rng.choice((10**10, 2 * 10**11, 2**53)), num_hashes=3)


def long_run(rng):
    return config(trials=1000, variant="counting", num_keys=rng.choice((10**6, 10**8, 10**12)), bits_per_key=40,
                  num_hashes=7)


ALL = (large_plan, slow_growth, many_stages, many_fields, many_wrong_grids, many_grids, large_filter, long_run)
