def c_to_f(c):
    """Convert Celsius to Fahrenheit.

    >>> c_to_f(100)
    212.0
    """
    return c * 9 / 5 + 32


def heat_index(t, rh):
    return -8.785 + 1.611 * t + 2.339 * rh - 0.146 * t * rh - 0.0123 * t**2 - 0.0164 * rh**2 + 0.0022 * t**2 * rh + 0.0007 * t * rh**2 - 0.000004 * t**2 * rh**2


print("  C      F")
print("-" * 14)
for c in range(-10, 41, 10):
    print(f"{c:>4} {c_to_f(c):>7.1f}")
print()
header = "T\\RH " + "".join(f"{rh:>7}%" for rh in range(40, 101, 20))
print(header)
for t in (27, 30, 33):
    print(f"{t:>4} " + "".join(f"{heat_index(t, rh):>8.1f}" for rh in range(40, 101, 20)))
readings = [("Mon", 12.5), ("Tue", 14.0), ("Wed", 9.8), ("Thu", 11.1), ("Fri", 15.3)]
hottest, coldest = max(readings, key=lambda r: r[1]), min(readings, key=lambda r: r[1])
print(f"hottest {hottest[0]} ({hottest[1]}), coldest {coldest[0]} ({coldest[1]}), mean {sum(t for _, t in readings) / len(readings):.2f}")
print(c_to_f.__doc__.splitlines()[0])
