import io
import sys


def ask_number(prompt, low, high):
    while True:
        raw = input(prompt)
        try:
            value = int(raw)
        except ValueError:
            print("not a number")
            continue
        if low <= value <= high:
            return value
        print("out of range")


def guess(secret):
    tries = 0
    while True:
        tries += 1
        n = ask_number("guess: ", 1, 10)
        if n == secret:
            return tries
        print("higher" if n < secret else "lower")


sys.stdin = io.StringIO("abc\n50\n3\n8\n7\n")
print("solved in", guess(7))
sys.stdin = sys.__stdin__
import builtins
original = builtins.input
answers = iter(["5", "7"])


def fake_input(prompt=""):
    print(prompt, end="")
    return next(answers)


input = fake_input
print(ask_number("n: ", 1, 9))
