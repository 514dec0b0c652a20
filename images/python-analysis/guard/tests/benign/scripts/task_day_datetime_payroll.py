from datetime import datetime, date, time, timedelta
from decimal import Decimal, ROUND_HALF_EVEN
from enum import Enum
from typing import NamedTuple
from zoneinfo import ZoneInfo


class DayKind(str, Enum):
    WEEKDAY = "weekday"
    WEEKEND = "weekend"

    @classmethod
    def of(cls, d: date) -> "DayKind":
        return cls.WEEKEND if d.weekday() >= 5 else cls.WEEKDAY


class Shift(NamedTuple):
    start: datetime
    end: datetime
    pause: timedelta = timedelta(minutes=30)

    @property
    def worked(self) -> timedelta:
        return self.end - self.start - self.pause


RATES = {DayKind.WEEKDAY: Decimal("18.40"), DayKind.WEEKEND: Decimal("24.00")}


def pay(shift: Shift) -> Decimal:
    hours = Decimal(shift.worked.total_seconds()) / 3600
    night = shift.start.time() >= time(20) or shift.start.time() < time(6)
    rate = RATES[DayKind.of(shift.start.date())] * (Decimal("1.25") if night else 1)
    return (hours * rate).quantize(Decimal("0.01"), ROUND_HALF_EVEN)


tz = ZoneInfo("Europe/Madrid")
shifts = [Shift(datetime(2031, 3, day, hour, tzinfo=tz), datetime(2031, 3, day, hour, tzinfo=tz) + timedelta(hours=8)) for day, hour in ((24, 8), (25, 20), (29, 8))]
total = Decimal(0)
for s in shifts:
    amount = pay(s)
    total += amount
    print(f"{s.start:%a %d %b %H:%M} {DayKind.of(s.start.date()).value:<8} {str(s.worked):>8} {amount:>8}")
print("total", total, DayKind("weekend") is DayKind.WEEKEND, DayKind.WEEKDAY == "weekday")
spring = datetime(2031, 3, 30, 1, 30, tzinfo=tz)
print((spring + timedelta(hours=1)).isoformat(), spring.astimezone(ZoneInfo("UTC")).hour, spring.dst())
print(datetime.strptime("2031-03-01 07:45 PM", "%Y-%m-%d %I:%M %p").time(), date(2031, 3, 1).strftime("%j %U"), datetime.combine(date(2031, 1, 1), time.max).microsecond)
print(max(shifts).start.day, timedelta(days=-1, hours=3), timedelta(hours=50) // timedelta(hours=8), abs(timedelta(-1)))
