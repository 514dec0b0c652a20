import calendar
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def free_slots(busy, start, end, minimum=timedelta(minutes=30)):
    cursor = start
    for s, e in sorted(busy):
        if s - cursor >= minimum:
            yield cursor, s
        cursor = max(cursor, e)
    if end - cursor >= minimum:
        yield cursor, end


day = date(2024, 10, 28)
at = lambda text: datetime.combine(day, time.fromisoformat(text))
busy = [(at("09:30"), at("10:15")), (at("13:00"), at("14:30")), (at("10:00"), at("11:00"))]
for s, e in free_slots(busy, at("09:00"), at("17:00")):
    print(f"{s:%H:%M}-{e:%H:%M} ({(e - s).seconds // 60} min)")

berlin, tokyo, new_york = (ZoneInfo(z) for z in ("Europe/Berlin", "Asia/Tokyo", "America/New_York"))
meeting = datetime(2024, 10, 28, 15, 0, tzinfo=berlin)
for tz in (berlin, tokyo, new_york):
    print(meeting.astimezone(tz).strftime("%Y-%m-%d %H:%M %Z"))
before, after = datetime(2024, 10, 26, 12, tzinfo=berlin), datetime(2024, 10, 27, 12, tzinfo=berlin)
print("offset changes:", before.utcoffset() - after.utcoffset(), "real gap:", after.timestamp() - before.timestamp())
cal = calendar.TextCalendar(firstweekday=calendar.SUNDAY)
print(cal.formatmonth(2024, 10))
third_friday = [d for d in calendar.Calendar().itermonthdates(2024, 10) if d.month == 10 and d.weekday() == calendar.FRIDAY][2]
print(third_friday, third_friday.isocalendar(), calendar.day_name[0], calendar.month_abbr[10])
for i in range(3):
    print((day + timedelta(weeks=i)).strftime("%a %-d %b"), end="; ")
print(datetime.strptime("28 Oct 2024 3:05 PM", "%d %b %Y %I:%M %p").isoformat(), date.fromordinal(738000), day.replace(day=1))
