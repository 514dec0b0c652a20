from datetime import date
from typing import Literal, Optional

import pandas as pd
from pydantic import BaseModel, Field, ValidationError, field_validator


class Enrolment(BaseModel):
    patient_id: str = Field(pattern=r"^P\d{3}$")
    age: Optional[float] = Field(default=None, ge=18, le=110)
    sex: Literal["F", "M"]
    arm: Literal["active", "placebo"]
    consent: date = date(2021, 1, 4)

    @field_validator("patient_id")
    @classmethod
    def not_dummy(cls, v: str) -> str:
        if v == "P999":
            raise ValueError("dummy patient")
        return v


good, bad = [], []
records = patients.where(patients.notna(), None).to_dict(orient="records")
records += [{"patient_id": "X1", "age": 12, "sex": "F", "arm": "active"}, {"patient_id": "P999", "sex": "Q", "arm": "placebo"}]
for rec in records:
    if rec.get("age") != rec.get("age"):
        rec["age"] = None
    try:
        good.append(Enrolment(**{k: rec[k] for k in ("patient_id", "age", "sex", "arm") if k in rec}))
    except ValidationError as exc:
        bad.append((rec["patient_id"], [(e["loc"][0], e["type"]) for e in exc.errors()]))
print(len(good), "valid")
for pid, errors in bad:
    print(pid, errors)
frame = pd.DataFrame([g.model_dump() for g in good])
print(frame.dtypes.astype(str).to_dict())
print(good[0].model_dump_json())
print(frame["age"].isna().sum(), frame["consent"].unique().tolist())
