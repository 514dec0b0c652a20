import math
import shutil
import sys
import time


def progress(iterable, total=None, width=20, file=sys.stderr):
    total = total or len(iterable)
    for i, item in enumerate(iterable, 1):
        yield item
        done = int(width * i / total)
        file.write(f"\r[{'#' * done}{'.' * (width - done)}] {i}/{total}")
        file.flush()
    file.write("\n")


def plot(func, x0, x1, width=50, height=11):
    xs = [x0 + (x1 - x0) * i / (width - 1) for i in range(width)]
    ys = [func(x) for x in xs]
    low, high = min(ys), max(ys)
    canvas = [[" "] * width for _ in range(height)]
    for col, y in enumerate(ys):
        row = round((high - y) / (high - low) * (height - 1))
        canvas[row][col] = "*"
    if low < 0 < high:
        zero = round(high / (high - low) * (height - 1))
        canvas[zero] = ["-" if c == " " else c for c in canvas[zero]]
    return "\n".join("".join(row).rstrip() for row in canvas)


def sparkline(values):
    ticks = "▁▂▃▄▅▆▇█"
    low, span = min(values), max(values) - min(values) or 1
    return "".join(ticks[int((v - low) / span * (len(ticks) - 1))] for v in values)


if __name__ == "__main__":
    total = 0
    for i in progress(range(25)):
        total += i
        time.sleep(0.0001)
    print(plot(lambda x: math.sin(x) * math.exp(-x / 8), 0, 12))
    print(sparkline([1, 5, 22, 13, 53, 8, 3]), total, shutil.get_terminal_size().columns > 0)
    for name, value in {"alpha": 12, "beta": 7}.items():
        print(f"{name:<8}|{'█' * value} {value}")
