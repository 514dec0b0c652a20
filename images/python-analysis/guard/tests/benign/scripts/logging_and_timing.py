import logging
import time

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("analysis")
start = time.time()
log.info("loaded %d rows", len(visits))
log.warning("missing: %s", visits["sbp"].isna().sum())
log.debug("not shown")
if log.isEnabledFor(logging.INFO):
    print("logging is on", logging.getLevelName(log.getEffectiveLevel()))
try:
    1 / 0
except ZeroDivisionError:
    log.exception("division")
time.sleep(0.01)
print(time.time() - start > 0, time.strftime("%Y") >= "2024", time.gmtime(0).tm_year)
