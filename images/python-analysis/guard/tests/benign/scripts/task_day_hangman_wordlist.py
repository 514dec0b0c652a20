import random
from string import ascii_lowercase

WORDS = "granite lagoon puzzle window marble orchard".split()
STAGES = ["", "O", "O|", "O|-", "O|-/", "O|-/\\"]


class Hangman:
    def __init__(self, word):
        self.word = word.lower()
        self.guessed = set()

    @property
    def wrong(self):
        return sorted(self.guessed - set(self.word))

    @property
    def masked(self):
        return " ".join(c if c in self.guessed else "_" for c in self.word)

    @property
    def won(self):
        return set(self.word) <= self.guessed

    @property
    def lost(self):
        return len(self.wrong) >= len(STAGES) - 1

    def guess(self, letter):
        if len(letter) != 1 or letter not in ascii_lowercase:
            raise ValueError("one letter please")
        if letter in self.guessed:
            return None
        self.guessed.add(letter)
        return letter in self.word


class Bot:
    order = "eainotrslduzgwmcphkbfvyjqx"

    def __call__(self, game):
        return next(c for c in self.order if c not in game.guessed)


def play(word, player):
    game = Hangman(word)
    while not (game.won or game.lost):
        letter = player(game)
        ok = game.guess(letter)
        print(f"{letter} {'+' if ok else '-'} {game.masked:<16} {STAGES[len(game.wrong)]}")
    return game.won


random.seed(21)
for word in random.sample(WORDS, 2):
    print("won" if play(word, Bot()) else f"lost, it was {word}")
try:
    Hangman("x").guess("12")
except ValueError as exc:
    print(repr(exc))
