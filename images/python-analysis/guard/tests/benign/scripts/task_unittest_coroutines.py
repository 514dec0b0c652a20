import unittest, asyncio, io
class A(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self): self.v = 1
    async def test_x(self): await asyncio.sleep(0); self.assertEqual(self.v, 1)
s=io.StringIO()
r = unittest.TextTestRunner(stream=s).run(unittest.defaultTestLoader.loadTestsFromTestCase(A)); print(r.errors[0][1] if r.errors else "fine")
