from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, List, Optional, Union

from pydantic import BaseModel, ConfigDict, EmailStr, Field, ValidationError, computed_field, field_serializer, model_validator


class Level(str, Enum):
    LOW = "low"
    HIGH = "high"


class Address(BaseModel):
    street: str
    zip_code: Annotated[str, Field(pattern=r"^\d{5}$", alias="zip")]
    model_config = ConfigDict(populate_by_name=True, extra="forbid")


class User(BaseModel):
    id: int
    email: EmailStr
    level: Level = Level.LOW
    balance: Decimal = Decimal(0)
    tags: List[str] = []
    address: Optional[Address] = None
    start: date
    end: Optional[date] = None

    @model_validator(mode="after")
    def check_dates(self):
        if self.end and self.end < self.start:
            raise ValueError("end is before start")
        return self

    @computed_field
    @property
    def domain(self) -> str:
        return self.email.split("@")[1]

    @field_serializer("balance")
    def money(self, v: Decimal) -> str:
        return f"{v:.2f}"


u = User(id="7", email="ann@example.org", level="high", balance="12.5", start="2024-01-01", address={"street": "Main 1", "zip": "12345"})
print(u.model_dump(exclude_none=True, mode="json"))
print(u.model_dump_json(include={"id", "domain"}), u.model_copy(update={"id": 8}).id, User.model_fields["tags"].default)
for bad in ({"id": "x", "email": "nope", "start": "2024-13-01"}, {"id": 1, "email": "a@b.co", "start": "2024-02-01", "end": "2024-01-01"}):
    try:
        User.model_validate(bad)
    except ValidationError as e:
        print(e.error_count(), [(".".join(map(str, err["loc"])), err["type"]) for err in e.errors()])
print(sorted(User.model_json_schema()["properties"]))
