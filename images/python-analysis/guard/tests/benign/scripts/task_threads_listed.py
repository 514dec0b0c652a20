import threading
print(threading.main_thread().name, threading.active_count() >= 1, threading.current_thread() is threading.main_thread())
ev = threading.Event()
t = threading.Thread(target=ev.wait, name="waiter"); t.start()
print(sorted(x.name for x in threading.enumerate()))
ev.set(); t.join()
print([x.name for x in threading.enumerate()], t.is_alive(), threading.current_thread().name)
class W(threading.Thread):
    def __init__(self, n): super().__init__(); self.n = n; self.out = None
    def run(self): self.out = self.n ** 2
ws = [W(i) for i in range(3)]
[w.start() for w in ws]; [w.join() for w in ws]
print([w.out for w in ws])
print(threading.get_ident() > 0, threading.main_thread().is_alive(), threading.main_thread().daemon)
