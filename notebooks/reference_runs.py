"""Reads the committed runs of results/reference/ for the notebooks beside this file."""

from pathlib import Path

import pandas as pd

REFERENCE = Path(__file__).resolve().parent.parent / "results" / "reference"

# Okabe and Ito (2008): told apart by colour-blind readers too; the same colours as in the reports.
COLOURS = {
    "standard": "#0072B2",
    "partitioned": "#E69F00",
    "counting": "#009E73",
    "scalable": "#CC79A7",
    "variable_increment": "#D55E00",
}


def load(name, table="summary"):
    """One table of a reference run: `summary` (a row per point) or `trials` (a row per point and trial)."""
    path = REFERENCE / name / f"{table}.csv"
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing; results/reference/README.md has the command that makes it")
    return pd.read_csv(path)
