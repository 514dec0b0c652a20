import random
import sys


def feedback(secret, guess):
    return (guess > secret) - (guess < secret)


def binary_player(low, high, ask):
    tries = 0
    while low <= high:
        mid = (low + high) // 2
        tries += 1
        answer = ask(mid)
        if answer == 0:
            return mid, tries
        if answer > 0:
            high = mid - 1
        else:
            low = mid + 1
    raise RuntimeError("inconsistent answers")


def main(args=sys.argv[1:]):
    try:
        limit = int(args[0])
    except (IndexError, ValueError):
        limit = 1000
    random.seed(2031)
    for _ in range(4):
        secret = random.randint(1, limit)
        found, tries = binary_player(1, limit, lambda g: feedback(secret, g))
        assert found == secret
        print(f"secret {secret:>4} found in {tries:>2} tries {'*' * tries}")
    try:
        binary_player(1, 10, lambda g: 1)
    except RuntimeError as e:
        print(e)
    while True:
        try:
            text = input("guess? ")
        except EOFError:
            print("\nno input, stopping")
            break
        if not text:
            break


if __name__ == "__main__":
    main()
