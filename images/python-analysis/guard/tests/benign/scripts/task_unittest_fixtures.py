import unittest
def dose(weight, per_kg=2.0):
    if weight <= 0: raise ValueError("weight must be positive")
    return weight * per_kg
class TestDose(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.base = 10
    def setUp(self): self.w = 5
    def tearDown(self): self.w = None
    def test_scales(self): self.assertEqual(dose(self.w), 10.0); self.assertAlmostEqual(dose(0.1), 0.2, places=5)
    def test_bad(self):
        with self.assertRaises(ValueError) as cm: dose(0)
        self.assertIn("positive", str(cm.exception))
        with self.assertRaisesRegex(ValueError, "weight"): dose(-1)
        self.assertRaises(ValueError, dose, -3)
    def test_sub(self):
        for w in (1, 2, 3):
            with self.subTest(w=w): self.assertGreater(dose(w), 0)
    @unittest.skip("later")
    def test_later(self): self.fail()
    @unittest.skipIf(True, "no")
    def test_no(self): pass
    @unittest.expectedFailure
    def test_xf(self): self.assertEqual(1, 2)
import io
s = io.StringIO()
suite = unittest.TestLoader().loadTestsFromTestCase(TestDose)
r = unittest.TextTestRunner(stream=s, verbosity=2).run(suite)
print(r.testsRun, len(r.failures), len(r.errors), len(r.skipped), len(r.expectedFailures), r.wasSuccessful())
import re
print(re.sub(r"in [\d.]+s", "in Xs", s.getvalue()))
