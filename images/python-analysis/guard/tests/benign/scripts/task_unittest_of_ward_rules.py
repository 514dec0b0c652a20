import unittest, io
log = []
def setUpModule(): log.append("module")
def tearDownModule(): log.append("end")
class Base(unittest.TestCase):
    maxDiff = None
    def check(self, v): self.assertTrue(v, msg=f"{v!r} is false"); self.assertIn(v, [1, 2, 3]); self.assertRegex("abc", "b"); self.assertNotEqual(1, 2); self.assertLess(1, 2); self.assertMultiLineEqual("a", "a"); self.assertSetEqual({1}, {1}); self.assertTupleEqual((1,), (1,)); self.assertIsNot(1, 2); self.assertNotIn(4, [1]); self.assertSequenceEqual([1], (1,)); self.assertDictEqual({"a": 1}, {"a": 1}); self.assertGreaterEqual(2, 2); self.assertNotAlmostEqual(1, 2); self.assertFalse(0); self.assertIsNotNone(0); self.assertNotIsInstance(1, str)
class TestOne(Base):
    @classmethod
    def tearDownClass(cls): log.append(cls.__name__)
    def test_check(self): self.check(1)
    def test_name(self): log.append(self.id().split(".")[-1]); self.assertEqual(str(self).split()[0], "test_name")
    def test_raises(self):
        with self.assertRaises(KeyError) as cm: {}["k"]
        self.assertEqual(cm.exception.args, ("k",)); self.assertIsNone(cm.exception.__traceback__)
    @unittest.skipUnless(False, "never")
    def test_never(self): pass
    def test_skip_inside(self): self.skipTest("not now")
    def test_sub(self):
        for i in range(3):
            with self.subTest("case", i=i): self.assertNotEqual(i, 1)
@unittest.skip("whole class")
class TestTwo(Base):
    def test_a(self): pass
class Counting(unittest.TextTestResult):
    def addSuccess(self, test): super().addSuccess(test); log.append("ok " + test.id().split(".")[-1])
    def addFailure(self, test, err): super().addFailure(test, err); log.append(err[0].__name__ + str(err[1])[:10])
def suite():
    s = unittest.TestSuite(); s.addTests(unittest.TestLoader().loadTestsFromTestCase(TestOne)); s.addTest(unittest.defaultTestLoader.loadTestsFromTestCase(TestTwo)); return s
r = unittest.TextTestRunner(stream=io.StringIO(), resultclass=Counting, failfast=False).run(suite())
print(r.testsRun, len(r.failures), len(r.skipped), [x[1] for x in r.skipped], log)
print(r)
t = TestOne("test_check"); print(t.countTestCases(), t.shortDescription(), t == TestOne("test_check")); t.debug(); t()
try: TestOne("nope")
except ValueError as e: print(str(e)[:40])
try: unittest.TestCase().assertEqual(1, 2)
except AssertionError as e: print(e)
p = unittest.main(argv=["x", "-v", "TestOne.test_check"], exit=False); print(p.result.testsRun)
p = unittest.main(defaultTest="TestOne.test_name", argv=["x"], exit=False, verbosity=0); print(p.result.testsRun)

r = unittest.TextTestRunner(buffer=True, stream=io.StringIO()).run(unittest.FunctionTestCase(lambda: print("hidden"))); print(r.wasSuccessful())
