"""``from module import *``, as the names that it stands for: which names a script binds is known before it runs."""

from __future__ import annotations

import ast

from hotcell_guard.vetting import _star_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Final

__all__ = ["NAMES", "name_all"]

_PLAIN: Final[Mapping[str, str]] = {
    "cmath": (
        "acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log log10 nan nanj phase "
        "pi polar rect sin sinh sqrt tan tanh tau"
    ),
    "collections": "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple",
    "dataclasses": (
        "Field FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field fields is_dataclass "
        "make_dataclass replace"
    ),
    "datetime": "MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo",
    "decimal": (
        "BasicContext Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DefaultContext "
        "DivisionByZero DivisionImpossible DivisionUndefined ExtendedContext FloatOperation HAVE_CONTEXTVAR "
        "HAVE_THREADS Inexact InvalidContext InvalidOperation MAX_EMAX MAX_PREC MIN_EMIN MIN_ETINY Overflow ROUND_05UP "
        "ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded Subnormal "
        "Underflow getcontext localcontext setcontext"
    ),
    "fractions": "Fraction",
    "functools": (
        "WRAPPER_ASSIGNMENTS WRAPPER_UPDATES cache cached_property cmp_to_key lru_cache partial partialmethod reduce "
        "singledispatch singledispatchmethod total_ordering update_wrapper wraps"
    ),
    "itertools": (
        "accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse "
        "groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest"
    ),
    "math": (
        "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 expm1 "
        "fabs factorial floor fma fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp "
        "lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt sumprod tan "
        "tanh tau trunc ulp"
    ),
    "operator": (
        "abs add and_ attrgetter call concat contains countOf delitem eq floordiv ge getitem gt iadd iand iconcat "
        "ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_not isub itemgetter "
        "itruediv ixor le length_hint lshift lt matmul methodcaller mod mul ne neg not_ or_ pos pow rshift setitem sub "
        "truediv truth xor"
    ),
    "random": (
        "Random SystemRandom betavariate binomialvariate choice choices expovariate gammavariate gauss getrandbits "
        "getstate lognormvariate normalvariate paretovariate randbytes randint random randrange sample seed setstate "
        "shuffle triangular uniform vonmisesvariate weibullvariate"
    ),
    "re": (
        "A ASCII DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern PatternError RegexFlag S U UNICODE "
        "VERBOSE X compile error escape findall finditer fullmatch match purge search split sub subn"
    ),
    "statistics": (
        "NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean kde kde_random "
        "linear_regression mean median median_grouped median_high median_low mode multimode pstdev pvariance quantiles "
        "stdev variance"
    ),
    "string": (
        "Formatter Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable "
        "punctuation whitespace"
    ),
    "time": (
        "altzone asctime ctime daylight get_clock_info gmtime localtime mktime monotonic monotonic_ns perf_counter "
        "perf_counter_ns process_time process_time_ns sleep strftime strptime struct_time thread_time thread_time_ns "
        "time time_ns timezone tzname"
    ),
    "typing": (
        "AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable "
        "BinaryIO ByteString Callable ChainMap ClassVar Collection Concatenate Container ContextManager Coroutine "
        "Counter DefaultDict Deque Dict Final ForwardRef FrozenSet Generator Generic Hashable IO ItemsView Iterable "
        "Iterator KeysView List Literal LiteralString Mapping MappingView Match MutableMapping MutableSequence "
        "MutableSet NamedTuple Never NewType NoDefault NoReturn NotRequired Optional OrderedDict ParamSpec "
        "ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly Required Reversible Self Sequence Set Sized "
        "SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound TYPE_CHECKING "
        "Text TextIO Tuple Type TypeAlias TypeAliasType TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union Unpack "
        "ValuesView assert_never assert_type cast clear_overloads dataclass_transform final get_args get_origin "
        "get_overloads get_protocol_members get_type_hints is_protocol is_typeddict no_type_check overload override "
        "reveal_type runtime_checkable"
    ),
    "numpy": (
        "False_ ScalarType True_ abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis "
        "apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort "
        "argwhere around array array2string array_equal array_equiv array_repr array_split array_str asanyarray asarray "
        "asarray_chkfinite ascontiguousarray asfortranarray asin asinh asmatrix astype atan atan2 atanh atleast_1d "
        "atleast_2d atleast_3d average bartlett base_repr binary_repr bincount bitwise_and bitwise_count bitwise_invert "
        "bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman block bmat bool bool_ "
        "broadcast broadcast_arrays broadcast_shapes broadcast_to busday_count busday_offset busdaycalendar byte bytes_ "
        "c_ can_cast cbrt cdouble ceil character choose clip clongdouble column_stack common_type complex128 complex256 "
        "complex64 complexfloating compress concat concatenate conj conjugate convolve copy copysign copyto corrcoef "
        "correlate cos cosh count_nonzero cov cross csingle cumprod cumsum cumulative_prod cumulative_sum datetime64 "
        "datetime_as_string datetime_data deg2rad degrees delete diag diag_indices diag_indices_from diagflat diagonal "
        "diff digitize divide divmod dot double dsplit dstack dtype e ediff1d einsum einsum_path empty empty_like equal "
        "errstate euler_gamma exp exp2 expand_dims expm1 extract eye fabs fill_diagonal finfo fix flatiter flatnonzero "
        "flexible flip fliplr flipud float128 float16 float32 float64 float_power floating floor floor_divide fmax fmin "
        "fmod format_float_positional format_float_scientific frexp from_dlpack frombuffer fromfile fromfunction "
        "fromiter frompyfunc fromregex fromstring full full_like gcd generic genfromtxt geomspace get_include "
        "get_printoptions getbufsize geterr geterrcall gradient greater greater_equal half hamming hanning heaviside "
        "histogram histogram2d histogram_bin_edges histogramdd hsplit hstack hypot i0 identity iinfo imag in1d "
        "index_exp indices inexact inf info inner insert int16 int32 int64 int8 int_ intc integer interp intersect1d "
        "intp invert is_busday isclose iscomplex iscomplexobj isdtype isfinite isfortran isin isinf isnan isnat "
        "isneginf isposinf isreal isrealobj isscalar issubdtype iterable ix_ kaiser kron lcm ldexp left_shift less "
        "less_equal lexsort linspace little_endian load loadtxt log log10 log1p log2 logaddexp logaddexp2 logical_and "
        "logical_not logical_or logical_xor logspace long longdouble longlong mask_indices matmul matrix "
        "matrix_transpose matvec max maximum may_share_memory mean median memmap meshgrid mgrid min min_scalar_type "
        "minimum mintypecode mod modf moveaxis multiply nan nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax "
        "nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndarray ndenumerate ndim "
        "ndindex nditer negative nested_iters newaxis nextafter nonzero not_equal number object_ ogrid ones ones_like "
        "outer packbits pad partition percentile permute_dims pi piecewise place poly poly1d polyadd polyder polydiv "
        "polyfit polyint polymul polysub polyval positive pow power printoptions prod promote_types ptp put "
        "put_along_axis putmask quantile r_ rad2deg radians ravel ravel_multi_index real real_if_close recarray "
        "reciprocal record remainder repeat require reshape resize result_type right_shift rint roll rollaxis roots "
        "rot90 round row_stack s_ save savetxt savez savez_compressed sctypeDict searchsorted select set_printoptions "
        "setbufsize setdiff1d seterr seterrcall setxor1d shape shares_memory short show_config sign signbit "
        "signedinteger sin sinc single sinh size sort sort_complex spacing split sqrt square squeeze stack std str_ "
        "subtract sum swapaxes take take_along_axis tan tanh tensordot tile timedelta64 trace transpose trapezoid trapz "
        "tri tril tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from true_divide trunc "
        "typecodes typename ubyte ufunc uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong union1d unique "
        "unique_all unique_counts unique_inverse unique_values unpackbits unravel_index unsignedinteger unstack unwrap "
        "ushort vander var vdot vecdot vecmat vectorize void vsplit vstack where zeros zeros_like"
    ),
}


def _of_pylab() -> str:
    packages = "matplotlib.pyplot", "numpy.fft", "numpy.linalg", "numpy.random"
    parts = [_star_names.PYLAB, _PLAIN["numpy"], *map(_star_names.LIBRARIES.__getitem__, packages)]
    return " ".join(sorted({*" ".join(parts).split()} - {*_star_names.NOT_OF_PYLAB.split()}))


NAMES: Final[Mapping[str, str]] = {
    **_PLAIN, **_star_names.LIBRARIES, **dict.fromkeys(("pylab", "matplotlib.pylab"), _of_pylab())
}  # fmt: skip
"""What the modules whose documentation is read so make public, as far as a script is shown it."""


def name_all(tree: ast.Module, imports: Container[str]) -> None:
    """Name in each star import at the top of a script what it stands for. Others stay, and are refused."""
    for statement in tree.body:
        if not isinstance(statement, ast.ImportFrom) or statement.level or statement.module not in imports:
            continue
        names = NAMES.get(statement.module or "", "").split()
        if names and [alias.name for alias in statement.names] == ["*"]:
            star = statement.names[0]
            statement.names = [ast.copy_location(ast.alias(name), star) for name in names]
