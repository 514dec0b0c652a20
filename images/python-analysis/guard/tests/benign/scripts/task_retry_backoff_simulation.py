import itertools
import random
import time
from functools import wraps


class TemporaryError(Exception):
    pass


def backoff(retries=5, base=0.001, factor=2, jitter=None, exceptions=(TemporaryError,), log=print):
    def decorate(func):
        @wraps(func)
        def wrapper(*args, **kwargs):
            delays = (base * factor**k for k in itertools.count())
            for attempt, delay in zip(range(1, retries + 1), delays):
                try:
                    return func(*args, **kwargs)
                except exceptions as exc:
                    if attempt == retries:
                        raise
                    log(f"attempt {attempt} failed ({exc}), waiting {delay * 1000:g} ms")
                    time.sleep(delay + (jitter() if jitter else 0))
        return wrapper
    return decorate


class Service:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.calls = 0

    @backoff(retries=4)
    def call(self):
        self.calls += 1
        if self.rng.random() < 0.6:
            raise TemporaryError(f"code {self.rng.choice([502, 503])}")
        return {"status": "ok", "calls": self.calls}


for seed in (1, 2, 9):
    s = Service(seed)
    try:
        print(seed, s.call())
    except TemporaryError as e:
        print(seed, "gave up:", e)


class RateLimiter:
    def __init__(self, rate, capacity):
        self.rate, self.capacity, self.tokens, self.last = rate, capacity, capacity, 0.0

    def allow(self, now):
        self.tokens = min(self.capacity, self.tokens + (now - self.last) * self.rate)
        self.last = now
        if self.tokens >= 1:
            self.tokens -= 1
            return True
        return False


limiter = RateLimiter(2, 3)
print([int(limiter.allow(t / 10)) for t in range(20)])
