"""What draws without a seed of the script's begins with the run's."""

from __future__ import annotations

import unittest

from tests.host import Host

DRAWS = "import random\nimport numpy as np\nprint(random.random(), np.random.random(), random.sample(range(99), 3), np.random.permutation(5))\n"
LATE = "import random\nprint(random.random())\ndef draw():\n    import numpy as np\n    return np.random.random()\nprint(draw())\n"


class Seeds(unittest.TestCase):
    def drawn(self, script: str, seed: int) -> bytes:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(script, seed=seed)
        self.assertEqual(run.outcome, "completed")
        return run.payload("O")

    def test_one_seed_draws_the_same(self) -> None:
        for script in (DRAWS, LATE):
            with self.subTest(script=script):
                self.assertEqual(self.drawn(script, 7 << 40), self.drawn(script, 7 << 40))

    def test_other_seeds_draw_otherwise(self) -> None:
        drawn = {self.drawn(DRAWS, seed) for seed in (1, 1 << 32, 1 << 33, 0, 0)}
        self.assertEqual(len(drawn), 5, "and without a seed, each run for itself")

    def test_a_script_s_own_seed_counts(self) -> None:
        own = "import random\nimport numpy as np\nrandom.seed(7)\nnp.random.seed(7)\nprint(random.random(), np.random.random())\n"
        self.assertEqual(self.drawn(own, 1), b"0.32383276483316237 0.07630828937395717\n")
        self.assertEqual(self.drawn(own, 2), b"0.32383276483316237 0.07630828937395717\n")


if __name__ == "__main__":
    unittest.main()
