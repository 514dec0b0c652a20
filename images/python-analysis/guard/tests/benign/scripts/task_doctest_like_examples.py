def mean(values):
    """Return the arithmetic mean.

    >>> mean([1, 2, 3])
    2.0
    """
    values = list(values)
    if not values:
        raise ValueError("mean of nothing")
    return sum(values) / len(values)


def median(values):
    """Return the median."""
    s = sorted(values)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def check(name, actual, expected):
    status = "PASS" if actual == expected else "FAIL"
    print(f"[{status}] {name}: {actual!r}")
    return actual == expected


def run_tests():
    results = [
        check("mean", mean([1, 2, 3]), 2.0),
        check("mean of a generator", mean(x for x in (4, 6)), 5.0),
        check("median odd", median([3, 1, 2]), 2),
        check("median even", median([4, 1, 3, 2]), 2.5),
    ]
    try:
        mean([])
    except ValueError as e:
        results.append(check("error text", str(e), "mean of nothing"))
    else:
        results.append(False)
    print(f"{sum(results)}/{len(results)} passed")
    return all(results)


if __name__ == "__main__":
    import sys
    ok = run_tests()
    print(mean.__doc__.strip().splitlines()[0], mean.__name__)
    sys.exit(0 if ok else 1)
