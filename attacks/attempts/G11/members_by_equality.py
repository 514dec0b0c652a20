"""The members of a library's enumeration come as a proxy; what it is compared with gets the dict behind it."""
import calendar


class Equal:
    def __eq__(self, other):
        seen.append(other)
        return True


seen = []
calendar.Month.__members__ == Equal()
seen[0]["MINE"] = calendar.Month.JANUARY
print("ESCAPED:members_by_equality" if "MINE" in calendar.Month.__members__ else "held")
