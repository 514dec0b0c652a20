import calendar
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

zurich = ZoneInfo("Europe/Zurich")
when = datetime(2024, 3, 30, 12, tzinfo=zurich)
for days in range(3):
    day = when + timedelta(days=days)
    print(day.isoformat(), day.astimezone(timezone.utc).strftime("%H:%M"), day.dst())
print(calendar.monthrange(2024, 2), calendar.isleap(1900), calendar.month_name[5], calendar.day_abbr[0])
print(calendar.TextCalendar().formatmonth(2024, 2))
print(datetime.now(timezone.utc).tzinfo, datetime.fromtimestamp(0, tz=timezone.utc), datetime.max.year)
print(str(timedelta(hours=49, seconds=5)), timedelta(days=1) / timedelta(hours=6), datetime.min.date())
print(datetime.strptime("03/04/2021 5PM", "%d/%m/%Y %I%p").timestamp() > 0)
