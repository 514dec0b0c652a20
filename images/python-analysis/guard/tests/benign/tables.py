"""A small made-up study: the tables that the scripts of this corpus analyse."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from tests import preparing

SEED = 20240229
PATIENTS = 120
TABLES = {"patients": "csv", "visits": "csv", "labs": "csv", "events": "jsonl", "notes": "csv"}

_NOTES = (
    "Patient reports  mild pain; aspirin 100 mg daily, BP 142/88",
    "No complaints. metformin 850 mg, follow-up in 3 months",
    "Head-ache after visit, ibuprofen 400mg given. BP 128 / 79",
    "Feels well, stopped aspirin 100 mg on their own",
)


def make(directory: Path) -> None:
    """Write the tables below a directory."""
    rng = np.random.default_rng(SEED)
    patients = _patients(rng)
    patients.to_csv(directory / "patients.csv", index=False)
    _visits(rng, patients).to_csv(directory / "visits.csv", index=False)
    _labs(rng, patients).to_csv(directory / "labs.csv", index=False)
    notes = pd.DataFrame({"patient_id": patients["patient_id"], "note": rng.choice(_NOTES, PATIENTS)})
    notes.to_csv(directory / "notes.csv", index=False)
    lines = (json.dumps(each) for each in _events(rng, patients).to_dict("records"))
    (directory / "events.jsonl").write_text("\n".join(lines) + "\n")
    for name, frame in load(directory).items():
        preparing.write(directory, name, frame.astype(object).where(frame.notna(), None).to_dict("list"))


def load(directory: Path) -> dict[str, pd.DataFrame]:
    """Load the tables as the guard does, by name."""
    return {
        name: pd.read_csv(directory / f"{name}.csv")
        if kind == "csv"
        else pd.read_json(directory / f"{name}.jsonl", lines=True).fillna(np.nan)
        for name, kind in TABLES.items()
    }


def _patients(rng: np.random.Generator) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "patient_id": [f"P{number:03}" for number in range(PATIENTS)],
            "age": rng.normal(58, 12, PATIENTS).round(),
            "sex": rng.choice(["F", "M"], PATIENTS),
            "arm": rng.choice(["active", "placebo"], PATIENTS),
            "site": rng.choice(list("ABC"), PATIENTS, p=[0.5, 0.3, 0.2]),
            "bmi": rng.normal(27, 4, PATIENTS).round(1),
            "smoker": rng.choice(["yes", "no"], PATIENTS, p=[0.3, 0.7]),
        }
    )
    for column in ("age", "bmi", "smoker"):
        frame.loc[rng.choice(PATIENTS, 4, replace=False), column] = None
    return frame


def _visits(rng: np.random.Generator, patients: pd.DataFrame) -> pd.DataFrame:
    frame = patients[["patient_id", "arm"]].merge(pd.DataFrame({"visit": [1, 2, 3, 4]}), how="cross")
    count = len(frame)
    effect = (frame["arm"] == "active") * frame["visit"] * 2.0
    frame["date"] = pd.Timestamp("2021-01-04") + pd.to_timedelta(frame["visit"] * 60 + rng.integers(0, 20, count), "D")
    frame["sbp"] = (rng.normal(142, 14, count) - effect).round(1)
    frame["dbp"] = (frame["sbp"] * 0.55 + rng.normal(8, 5, count)).round(1)
    frame["hr"] = rng.integers(52, 100, count)
    frame["weight"] = rng.normal(80, 12, count).round(1)
    frame.loc[rng.choice(count, 9, replace=False), "sbp"] = None
    return frame.drop(columns="arm")


def _labs(rng: np.random.Generator, patients: pd.DataFrame) -> pd.DataFrame:
    tests = pd.DataFrame(
        {
            "test": ["glucose", "sodium", "hemoglobin"],
            "unit": ["mmol/L", "mmol/L", "g/dL"],
            "centre": [5.2, 140, 14],
            "spread": [0.8, 3, 1.5],
        }
    )
    frame = patients[["patient_id"]].merge(tests, how="cross")
    frame["value"] = rng.normal(frame["centre"], frame["spread"]).round(2)
    frame["date"] = pd.Timestamp("2021-02-01") + pd.to_timedelta(rng.integers(0, 200, len(frame)), "D")
    frame.loc[rng.choice(len(frame), 7, replace=False), "value"] = None
    return frame[["patient_id", "date", "test", "value", "unit"]]


def _events(rng: np.random.Generator, patients: pd.DataFrame) -> pd.DataFrame:
    rate = np.where(patients["arm"] == "active", 900, 600)
    died = rng.exponential(rate).round() + 1
    censored = rng.integers(300, 1000, PATIENTS)
    event = (died <= censored).astype(int)
    return pd.DataFrame(
        {
            "patient_id": patients["patient_id"],
            "time_days": np.minimum(died, censored).astype(int),
            "event": event,
            "cause": np.where(event == 1, rng.choice(["cardiac", "other"], PATIENTS), None),
        }
    )
