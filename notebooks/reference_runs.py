"""Reads the committed runs of results/reference/ for the notebooks beside this file."""

from pathlib import Path

import pandas as pd

REFERENCE = Path(__file__).resolve().parent.parent / "results" / "reference"

# Colours of Okabe and Ito (2008), which colour-blind readers can distinguish. The reports use the same colours.
COLOURS = {
    "standard": "#0072B2",
    "partitioned": "#E69F00",
    "counting": "#009E73",
    "scalable": "#CC79A7",
    "variable_increment": "#D55E00",
}


def load(name, table="summary"):
    """Returns one table of a reference run: `summary` (one row per point) or `trials` (one row per point and trial)."""
    path = REFERENCE / name / f"{table}.csv"
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing; results/reference/README.md has the command that makes it")
    return pd.read_csv(path)
