from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Literal
from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator, computed_field, ConfigDict, TypeAdapter
class Status(str, Enum): NEW = "new"; SENT = "sent"
class Line(BaseModel):
    model_config = ConfigDict(frozen=True)
    sku: Annotated[str, Field(pattern=r"^[A-Z]{2}\d{3}$")]
    qty: int = Field(gt=0, le=99)
    price: Decimal = Decimal("1.00")
class Order(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)
    id: int; customer: str = Field(min_length=2, alias="who"); lines: list[Line] = []; status: Status = Status.NEW; due: date | None = None; channel: Literal["web", "shop"] = "web"
    @field_validator("customer")
    @classmethod
    def title(cls, v): return v.title()
    @model_validator(mode="after")
    def has_due(self):
        if self.status is Status.SENT and self.due is None: raise ValueError("sent orders need a due date")
        return self
    @computed_field
    @property
    def total(self) -> Decimal: return sum((l.qty * l.price for l in self.lines), Decimal())
o = Order.model_validate({"id": "7", "who": "  ida berg ", "lines": [{"sku": "AB123", "qty": 3, "price": "2.50"}], "due": "2031-02-03"})
print(o); print(o.model_dump_json(indent=1, by_alias=True)); print(o.model_dump(exclude={"lines"}, mode="json"))
try: Order.model_validate({"id": "x", "who": "a", "lines": [{"sku": "ab", "qty": 0}], "odd": 1})
except ValidationError as e:
    print(e.error_count()); [print(err["loc"], err["type"], err["msg"]) for err in e.errors()]
try: Order(id=1, who="bo", status="sent")
except ValidationError as e: print(e.errors()[0]["msg"])
try: o.lines[0].qty = 5
except ValidationError as e: print(e.errors()[0]["type"])
print(TypeAdapter(list[int]).validate_python(["1", 2]), list(Order.model_json_schema()["properties"]), o.model_copy(update={"id": 9}).id, Order.model_fields["customer"].alias)
