"""The wrapper of a bar's stream reads special names of itself."""
import io

from tqdm import tqdm

bar = tqdm([1], file=io.StringIO())
reduce = bar.fp.wrapper_getattr("__reduce_ex__")
if callable(reduce):
    print("ESCAPED:wrapper_of_a_bar")
