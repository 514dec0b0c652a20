"""A class of the script's says that it is a table, and pandas hands it what another table is made of."""
import pandas as pd

class Manager:
    axes = [pd.Index(["x"]), pd.RangeIndex(2)]
    def copy(self, deep=True):
        return self
    def reindex_indexer(self, *args, **options):
        return self
    def concat_horizontal(self, managers, axes):
        print("ESCAPED:manager_of_a_table", type(managers[1]))
        return self

class Table:
    _typ = "dataframe"
    _mgr = Manager()
    ndim, shape, attrs, _is_mixed_type = 2, (2, 1), {}, False
    index, columns = axes = [pd.RangeIndex(2), pd.Index(["x"])]
    _AXIS_TO_AXIS_NUMBER = {0: 0, 1: 1, "columns": 1, "index": 0}
    def _get_axis_number(self, axis):
        return 1
    def _get_axis(self, axis):
        return self.axes[axis]
    def _get_block_manager_axis(self, axis):
        return 0
    def __len__(self):
        return 2
    def __getattr__(self, name):
        return lambda *args, **options: self

pd.concat([Table(), pd.DataFrame({"y": [1.0, 2.0]})], axis=1)
