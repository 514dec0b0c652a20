"""A finder of the script's is asked for every import that the guard makes later."""
import statistics


class Finder:
    def find_spec(self, name, path=None, target=None):
        print("ESCAPED:meta_path", name)


statistics.sys.meta_path.insert(0, Finder())
import sched
