from collections import Counter


def score(guess: str, answer: str) -> str:
    result = ["-"] * len(answer)
    remaining = Counter()
    for i, (g, a) in enumerate(zip(guess, answer)):
        if g == a:
            result[i] = "G"
        else:
            remaining[a] += 1
    for i, g in enumerate(guess):
        if result[i] == "-" and remaining[g] > 0:
            result[i] = "Y"
            remaining[g] -= 1
    return "".join(result)


words = ["crane", "slate", "trace", "plane", "grace", "brain", "stain", "crate"]
answer = "grace"
candidates = list(words)
for attempt in range(1, 7):
    guess = max(candidates, key=lambda w: (len({score(w, c) for c in candidates}), w))
    feedback = score(guess, answer)
    print(attempt, guess, feedback, f"({len(candidates)} candidates)")
    if feedback == "G" * 5:
        print("solved")
        break
    candidates = [c for c in candidates if score(guess, c) == feedback]


def masked(word, guessed):
    return " ".join(c if c in guessed else "_" for c in word)


guessed = set()
for letter in "eartpn":
    guessed.add(letter)
print(masked("hangman", guessed), score("speed", "erase"))
