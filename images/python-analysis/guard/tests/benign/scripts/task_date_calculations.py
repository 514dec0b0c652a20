from datetime import date, datetime, timedelta, timezone
import calendar


def add_months(d: date, months: int) -> date:
    month = d.month - 1 + months
    year = d.year + month // 12
    month = month % 12 + 1
    day = min(d.day, calendar.monthrange(year, month)[1])
    return date(year, month, day)


def business_days(start: date, end: date) -> int:
    days = 0
    while start < end:
        if start.weekday() < 5:
            days += 1
        start += timedelta(days=1)
    return days


def age(birth: date, on: date) -> int:
    return on.year - birth.year - ((on.month, on.day) < (birth.month, birth.day))


d = date(2024, 1, 31)
print([add_months(d, k).isoformat() for k in range(1, 5)])
print("business days in March 2024:", business_days(date(2024, 3, 1), date(2024, 4, 1)))
print("age:", age(date(1990, 6, 15), date(2024, 6, 14)), age(date(1990, 6, 15), date(2024, 6, 15)))
print("leap years:", [y for y in range(1996, 2025) if calendar.isleap(y)])
dt = datetime(2024, 2, 29, 23, 30, tzinfo=timezone.utc)
print(dt.astimezone(timezone(timedelta(hours=9))).strftime("%A %d %B %Y %H:%M %z"))
print(dt.timestamp(), datetime.fromtimestamp(0, timezone.utc).isoformat())
print(calendar.month(2024, 2))
delta = datetime(2024, 12, 25) - datetime(2024, 3, 1, 12)
print(f"{delta.days} days and {delta.seconds // 3600} hours until Christmas")
print("Friday the 13ths in 2024:", [date(2024, m, 13).isoformat() for m in range(1, 13) if date(2024, m, 13).weekday() == 4])
