import calendar
from datetime import date, datetime, timedelta, timezone
from itertools import takewhile, count


def daterange(start: date, end: date, step: timedelta = timedelta(days=1)):
    current = start
    while current < end:
        yield current
        current += step


def add_months(d: date, months: int) -> date:
    month = d.month - 1 + months
    year, month = d.year + month // 12, month % 12 + 1
    return d.replace(year=year, month=month, day=min(d.day, calendar.monthrange(year, month)[1]))


def billing_dates(first: date, until: date):
    return list(takewhile(lambda d: d <= until, (add_months(first, i) for i in count())))


def working_days(start, end, holidays=frozenset()):
    return sum(1 for d in daterange(start, end) if d.weekday() < 5 and d not in holidays)


def age(born: date, today: date) -> int:
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


print([d.isoformat() for d in daterange(date(2031, 2, 26), date(2031, 3, 3), timedelta(days=2))])
print(*billing_dates(date(2031, 10, 31), date(2032, 3, 31)), sep="\n")
print(working_days(date(2031, 12, 20), date(2032, 1, 5), {date(2031, 12, 25), date(2031, 12, 26), date(2032, 1, 1)}))
print(age(date(1990, 2, 28), date(2031, 2, 27)), calendar.isleap(2032), calendar.month_name[2])
stamp = datetime(2031, 7, 4, 23, 30, tzinfo=timezone.utc)
local = stamp.astimezone(timezone(timedelta(hours=9), "JST"))
print(local.strftime("%Y-%m-%d %H:%M %Z"), (local - stamp), local.date() - stamp.date())
print(datetime.fromisoformat("2031-07-04T12:00:00+02:00").utcoffset(), date.fromordinal(750000), date(2031, 1, 1).isocalendar().week)
delta = datetime(2031, 3, 1) - datetime(2031, 1, 15, 6, 30)
hours, rest = divmod(delta.seconds, 3600)
print(f"{delta.days}d {hours}h {rest // 60}m", delta.total_seconds() / 3600)
print(calendar.TextCalendar(firstweekday=0).formatmonth(2031, 2))
