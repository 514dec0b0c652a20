import unittest


def slugify(text):
    import re
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class SlugTests(unittest.TestCase):
    def setUp(self):
        self.cases = {"Hello World!": "hello-world", "  a  b ": "a-b", "": ""}

    def test_cases(self):
        for text, expected in self.cases.items():
            with self.subTest(text=text):
                self.assertEqual(slugify(text), expected)

    def test_type(self):
        with self.assertRaises(AttributeError):
            slugify(5)

    @unittest.skip("not ready")
    def test_unicode(self):
        self.fail("never")


suite = unittest.TestLoader().loadTestsFromTestCase(SlugTests)
outcome = unittest.TestResult()
suite.run(outcome)
print("run", outcome.testsRun, "failed", len(outcome.failures), "errors", len(outcome.errors), "skipped", len(outcome.skipped))
print("success:", outcome.wasSuccessful())
