"""Draws from all that is random, with Python whole."""

import json, logging, multiprocessing, os, random, secrets, ssl, tempfile, uuid
import numpy.random
from scipy import stats

found = uuid.uuid1()
drawn = {
    "random": random.random(), "its state": hash(random.getstate()), "Random()": random.Random().random(),
    "SystemRandom": random.SystemRandom().random(), "secrets": secrets.token_hex(8), "the kernel": os.urandom(8).hex(),
    "OpenSSL": ssl.RAND_bytes(8).hex(), "uuid4": str(uuid.uuid4()), "uuid1": str(found), "node of uuid1": found.node,
    "sequence of uuid1": [found.clock_seq, found.node], "node of uuid": uuid.getnode(), "time and node": [uuid._last_timestamp, uuid.getnode()],
    "temporary name": next(tempfile._get_candidate_names()), "secret of processes": bytes(multiprocessing.current_process().authkey).hex(),
    "numpy": numpy.random.random(), "its generator": int(numpy.random.mtrand._rand._bit_generator.random_raw()),
    "RandomState()": numpy.random.RandomState().random(), "default_rng": numpy.random.default_rng().random(),
    "SeedSequence": str(numpy.random.SeedSequence().entropy), "scipy": float(stats.norm.rvs()), "Sobol": stats.qmc.Sobol(2).random(1).tolist(),
}
record = logging.LogRecord("", 0, "", 0, "", (), None)
drawn["when its log begins"] = record.created - record.relativeCreated / 1000
for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"):
    drawn[name] = int(getattr(numpy.random, name)().random_raw())
print(json.dumps(drawn))
