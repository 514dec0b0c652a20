UNITS = {"kg": 1.0, "lb": 0.45359237, "g": 1e-3}

def to_kg(text: str) -> float:
    number, _, unit = text.strip().partition(" ")
    try:
        return float(number.replace(",", ".")) * UNITS[unit.lower()]
    except KeyError as error:
        raise ValueError(f"unknown unit {error}") from None

for text in ("70 kg", "154,3 lb", "70000 g", "11 st"):
    try:
        print(f"{text!r:>12} -> {to_kg(text):7.2f} kg")
    except ValueError as error:
        print(f"{text!r:>12} -> {error}")
bmi = lambda kg, m: kg / m**2
print(f"{bmi(70, 1.75):.1f}", round(bmi(90, 1.8), 2), *(f"{k}={v}" for k, v in UNITS.items()))
print([f"{c:.1f}°C" for c in map(lambda f: (f - 32) * 5 / 9, (98.6, 104))], (lambda: "thunk")())
