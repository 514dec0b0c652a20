"""What of each library is shown: the tables behind the views, as frozen data.

A name that a library makes public is shown unless one of these tables, the floor of
denied imports or the kind of the object speaks against it; see ``_views``.
"""

from __future__ import annotations

from hotcell_guard.vetting import _stars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["EXTRA", "FACETS", "HIDDEN", "ONLY", "UNLISTED"]


def _table(**rows: str) -> Mapping[str, frozenset[str]]:
    """Read rows of names; two underscores in a key stand for a dot."""
    return {name.replace("__", "."): frozenset(names.split()) for name, names in rows.items()}


ONLY: Final[Mapping[str, frozenset[str]]] = {
    **_table(
        io="StringIO BytesIO TextIOWrapper TextIOBase IOBase UnsupportedOperation "
        " SEEK_SET SEEK_CUR SEEK_END DEFAULT_BUFFER_SIZE open",
        http="HTTPStatus HTTPMethod",
        types="FunctionType LambdaType MethodType GeneratorType CoroutineType AsyncGeneratorType BuiltinFunctionType "
        "BuiltinMethodType SimpleNamespace MappingProxyType GenericAlias UnionType NoneType EllipsisType NotImplementedType",
        pathlib="Path PurePath PosixPath PurePosixPath PureWindowsPath",
        time="time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns thread_time "
        "thread_time_ns sleep localtime gmtime mktime strftime strptime ctime asctime timezone altzone daylight tzname "
        "struct_time get_clock_info",
        logging="DEBUG INFO WARNING WARN ERROR CRITICAL FATAL NOTSET getLogger basicConfig debug info warning error "
        "critical exception log disable getLevelName captureWarnings BASIC_FORMAT Filter Formatter Handler LogRecord Logger "
        "LoggerAdapter NullHandler StreamHandler addLevelName getLevelNamesMapping makeLogRecord root",
        argparse="ArgumentParser ArgumentError ArgumentTypeError Namespace Action BooleanOptionalAction HelpFormatter "
        "ArgumentDefaultsHelpFormatter RawDescriptionHelpFormatter RawTextHelpFormatter MetavarTypeHelpFormatter SUPPRESS "
        "OPTIONAL ZERO_OR_MORE ONE_OR_MORE REMAINDER PARSER",
        email="message_from_string message_from_bytes message_from_file message_from_binary_file",
        email__charset="Charset QP BASE64 SHORTEST",
        email__encoders="encode_7or8bit encode_base64 encode_noop encode_quopri",
        email__generator="Generator BytesGenerator DecodedGenerator",
        email__header="Header decode_header make_header",
        email__headerregistry="Address Group",
        email__message="Message EmailMessage MIMEPart",
        email__mime__application="MIMEApplication",
        email__mime__audio="MIMEAudio",
        email__mime__base="MIMEBase",
        email__mime__image="MIMEImage",
        email__mime__message="MIMEMessage",
        email__mime__multipart="MIMEMultipart",
        email__mime__nonmultipart="MIMENonMultipart",
        email__mime__text="MIMEText",
        email__parser="Parser HeaderParser BytesParser BytesHeaderParser FeedParser BytesFeedParser",
        email__policy="Policy Compat32 EmailPolicy compat32 default strict SMTP SMTPUTF8 HTTP",
        email__utils="collapse_rfc2231_value decode_params decode_rfc2231 encode_rfc2231 formataddr formatdate format_datetime "
        "getaddresses localtime mktime_tz parseaddr parsedate parsedate_tz parsedate_to_datetime quote unquote",
        gettext="gettext ngettext pgettext npgettext",
        http__cookies="BaseCookie CookieError Morsel SimpleCookie",
        mimetypes="guess_type guess_extension guess_all_extensions guess_file_type",
        plistlib="load loads dump dumps UID PlistFormat FMT_XML FMT_BINARY InvalidFileException",
        pypdf="DocumentInformation ObjectDeletionFlag PageObject PageRange PaperSize PasswordType PdfMerger PdfReader PdfWriter "
        "Transformation mult",
        quopri="encode decode encodestring decodestring",
        wave="open Error Wave_read Wave_write",
        unittest="TestCase IsolatedAsyncioTestCase FunctionTestCase TestSuite TestLoader TestResult TextTestResult "
        "TextTestRunner SkipTest defaultTestLoader main skip skipIf skipUnless expectedFailure addModuleCleanup doModuleCleanups "
        "enterModuleContext",
        configparser="ConfigParser RawConfigParser SectionProxy BasicInterpolation ExtendedInterpolation Interpolation Error "
        "NoSectionError DuplicateOptionError DuplicateSectionError NoOptionError InterpolationError "
        "InterpolationDepthError InterpolationMissingOptionError InterpolationSyntaxError ParsingError "
        "MissingSectionHeaderError DEFAULTSECT MAX_INTERPOLATION_DEPTH",
        html__parser="HTMLParser",
        sched="scheduler Event",
        xml__dom__minidom="parse parseString Document Element Node Attr Text Comment CDATASection DocumentFragment",
        xml__etree__ElementTree="Element SubElement ElementTree ParseError QName Comment ProcessingInstruction PI XML XMLID "
        "fromstring fromstringlist tostring tostringlist parse iterparse indent dump iselement register_namespace canonicalize",
        xml__sax__saxutils="escape unescape quoteattr",
        yaml="safe_load safe_load_all safe_dump safe_dump_all YAMLError",
        zoneinfo="ZoneInfo ZoneInfoNotFoundError InvalidTZPathWarning available_timezones",
        abc="ABC ABCMeta abstractmethod abstractproperty abstractclassmethod abstractstaticmethod",
        copy="copy deepcopy replace Error error",
        warnings="warn warn_explicit showwarning formatwarning filterwarnings simplefilter resetwarnings "
        "catch_warnings deprecated",
        uuid="UUID uuid1 uuid3 uuid4 uuid5 NAMESPACE_DNS NAMESPACE_URL NAMESPACE_OID NAMESPACE_X500 SafeUUID "
        "RESERVED_NCS RFC_4122 RESERVED_MICROSOFT RESERVED_FUTURE",
        jmespath="compile search Options",
        bz2="open compress decompress BZ2File BZ2Compressor BZ2Decompressor",
        codecs="encode decode open iterencode iterdecode BOM BOM_UTF8 BOM_LE BOM_BE "
        "BOM_UTF16 BOM_UTF16_LE BOM_UTF16_BE BOM_UTF32 BOM_UTF32_LE BOM_UTF32_BE",
        gzip="open compress decompress GzipFile BadGzipFile",
        lzma="open compress decompress LZMAFile LZMACompressor LZMADecompressor LZMAError FORMAT_AUTO FORMAT_XZ "
        "FORMAT_ALONE CHECK_NONE CHECK_CRC32 CHECK_CRC64 CHECK_SHA256 PRESET_DEFAULT PRESET_EXTREME",
        platform="python_version python_version_tuple python_implementation python_branch python_build python_compiler "
        "python_revision system machine release version node processor platform architecture uname",
        shlex="quote join split",
        threading="Lock RLock Event Condition Semaphore BoundedSemaphore Barrier BrokenBarrierError Thread Timer local "
        "get_ident get_native_id active_count current_thread main_thread enumerate",
        tomllib="load loads TOMLDecodeError",
        traceback="format_exc print_exc format_exception print_exception format_exception_only format_tb print_tb "
        "extract_tb format_list print_list TracebackException FrameSummary StackSummary",
        weakref="ref WeakMethod WeakSet WeakKeyDictionary WeakValueDictionary ReferenceType getweakrefcount",
        zipfile="ZipFile ZipInfo is_zipfile BadZipFile LargeZipFile ZIP_STORED ZIP_DEFLATED ZIP_BZIP2 ZIP_LZMA",
        asyncio="Task TaskGroup Future Timeout Event Lock Condition Semaphore BoundedSemaphore Barrier Queue PriorityQueue "
        "LifoQueue QueueEmpty QueueFull QueueShutDown BrokenBarrierError CancelledError TimeoutError InvalidStateError "
        "ALL_COMPLETED FIRST_COMPLETED FIRST_EXCEPTION sleep timeout timeout_at create_task to_thread current_task "
        "all_tasks get_running_loop get_event_loop new_event_loop set_event_loop iscoroutine iscoroutinefunction isfuture "
        "wrap_future run_coroutine_threadsafe",
        json__encoder="JSONEncoder",
        json__decoder="JSONDecoder JSONDecodeError",
        matplotlib__backends__backend_pdf="PdfPages",
        matplotlib__cbook="get_sample_data boxplot_stats violin_stats contiguous_regions delete_masked_points flatten index_of "
        "is_math_text is_scalar_or_string normalize_kwargs pts_to_midstep pts_to_poststep pts_to_prestep safe_first_element "
        "safe_masked_invalid sanitize_sequence silent_list simple_linear_interpolation strip_math CallbackRegistry Grouper",
        matplotlib__animation="Animation TimedAnimation ArtistAnimation FuncAnimation writers AbstractMovieWriter MovieWriter "
        "FileMovieWriter PillowWriter HTMLWriter FFMpegWriter FFMpegFileWriter ImageMagickWriter ImageMagickFileWriter "
        "MovieWriterRegistry",
        matplotlib__backend_bases="MouseButton Event DrawEvent ResizeEvent CloseEvent LocationEvent MouseEvent PickEvent "
        "KeyEvent FigureCanvasBase FigureManagerBase RendererBase GraphicsContextBase TimerBase cursors",
        matplotlib__ft2font="FT2Font FaceFlags Kerning LoadFlags StyleFlags",
        matplotlib__backend_tools="Cursors cursors ToolBase ToolToggleBase",
        matplotlib__backends__backend_agg="FigureCanvasAgg FigureCanvas RendererAgg",
        statsmodels__compat="asbytes asstr asunicode lfilter lmap lrange lzip",
        statsmodels__sandbox__regression__gmm="DistQuantilesGMM GMM GMMResults IV2SLS IVGMM IVGMMResults IVRegressionResults "
        "LinearIVGMM NonlinearIVGMM spec_hausman",
        statsmodels__sandbox__regression__predstd="wls_prediction_std",
        statsmodels__sandbox__stats__multicomp="GroupsStats get_tukeyQcrit get_tukey_pvalue MultiComparison "
        "TukeyHSDResults tukeyhsd multipletests fdrcorrection0",
        statsmodels__sandbox__stats__runs="Runs runstest_1samp runstest_2samp mcnemar cochrans_q median_test_ksample "
        "symmetry_bowker",
        plotly__utils="PlotlyJSONEncoder",
        plotly__basedatatypes="BaseFigure BaseTraceType BaseLayoutType BasePlotlyType",
        scipy__io__arff="ArffError ParseArffError MetaData loadarff",
        scipy__io="loadmat savemat whosmat mmread mmwrite mminfo hb_read hb_write",
        pandas__util="hash_array hash_pandas_object",
        pandas__io="",
        pandas__io__formats="",
        pandas__io__formats__style="Styler",
        pandas__io__json="build_table_schema read_json",
        pandas__core__frame="DataFrame",
        pandas__core__series="Series",
        pandas__core__generic="NDFrame",
        pandas__core__groupby="Grouper NamedAgg DataFrameGroupBy SeriesGroupBy GroupBy",
        pandas__core__indexes__base="Index",
        openpyxl="Workbook load_workbook",
        openpyxl__cell="Cell WriteOnlyCell MergedCell",
        openpyxl__chart="AreaChart AreaChart3D BarChart BarChart3D BubbleChart LineChart LineChart3D PieChart PieChart3D "
        "DoughnutChart ProjectedPieChart RadarChart ScatterChart StockChart SurfaceChart SurfaceChart3D Series Reference",
        openpyxl__chart__label="DataLabel DataLabelList",
        openpyxl__chart__layout="Layout ManualLayout",
        openpyxl__chart__series="Series SeriesLabel XYSeries DataPoint",
        openpyxl__chart__shapes="GraphicalProperties",
        openpyxl__comments="Comment",
        openpyxl__drawing="",
        openpyxl__drawing__image="Image",
        openpyxl__formatting="Rule",
        openpyxl__formatting__rule="Rule CellIsRule ColorScale ColorScaleRule DataBar DataBarRule FormatObject FormulaRule "
        "IconSet IconSetRule",
        openpyxl__styles="Alignment Border Side Color PatternFill GradientFill Fill Font DEFAULT_FONT Protection NamedStyle "
        "is_date_format is_builtin",
        openpyxl__styles__differential="DifferentialStyle",
        openpyxl__utils="absolute_coordinate cols_from_range column_index_from_string coordinate_to_tuple get_column_letter "
        "get_column_interval quote_sheetname range_boundaries range_to_tuple rows_from_range FORMULAE",
        openpyxl__utils__cell="absolute_coordinate cols_from_range column_index_from_string coordinate_from_string "
        "coordinate_to_tuple get_column_letter get_column_interval quote_sheetname range_boundaries range_to_tuple "
        "rows_from_range",
        openpyxl__utils__dataframe="dataframe_to_rows",
        openpyxl__workbook="Workbook",
        openpyxl__workbook__defined_name="DefinedName",
        openpyxl__worksheet__datavalidation="DataValidation",
        openpyxl__worksheet__page="PageMargins PrintOptions PrintPageSetup",
        openpyxl__worksheet__table="Table TableColumn TableStyleInfo",
        openpyxl__worksheet__worksheet="Worksheet",
        tqdm="tqdm trange TqdmWarning TqdmTypeError TqdmKeyError",
        tqdm__auto="tqdm trange",
        tabulate="tabulate tabulate_formats simple_separated_format multiline_formats",
        sklearn__utils__class_weight="compute_class_weight compute_sample_weight",
        sklearn__utils__multiclass="check_classification_targets class_distribution is_multilabel type_of_target unique_labels",
        sklearn__utils__validation="_check_feature_names_in _check_sample_weight _num_features _num_samples "
        "as_float_array assert_all_finite check_array check_consistent_length check_is_fitted "
        "check_memory check_non_negative check_random_state check_scalar check_symmetric check_X_y column_or_1d "
        "has_fit_parameter indexable",
        PIL="UnidentifiedImageError",
        PIL__Image="Image open new fromarray frombytes frombuffer merge blend composite alpha_composite linear_gradient "
        "radial_gradient effect_mandelbrot effect_noise getmodebands getmodebandnames getmodebase getmodetype "
        "ImagePointHandler ImageTransformHandler Exif MAX_IMAGE_PIXELS DecompressionBombError DecompressionBombWarning "
        "UnidentifiedImageError Resampling Transpose Transform Dither Palette Quantize NEAREST BOX BILINEAR HAMMING BICUBIC "
        "LANCZOS FLIP_LEFT_RIGHT FLIP_TOP_BOTTOM ROTATE_90 ROTATE_180 ROTATE_270 TRANSPOSE TRANSVERSE AFFINE EXTENT "
        "PERSPECTIVE QUAD MESH NONE ORDERED RASTERIZE FLOYDSTEINBERG WEB ADAPTIVE MEDIANCUT MAXCOVERAGE FASTOCTREE",
        PIL__ImageDraw="Draw ImageDraw floodfill",
        PIL__ImageFont="truetype load_default FreeTypeFont ImageFont TransposedFont Layout",
        PIL__ImageFilter="BLUR CONTOUR DETAIL EDGE_ENHANCE EDGE_ENHANCE_MORE EMBOSS FIND_EDGES SHARPEN SMOOTH SMOOTH_MORE "
        "BoxBlur Color3DLUT Filter GaussianBlur Kernel MaxFilter MedianFilter MinFilter ModeFilter MultibandFilter "
        "RankFilter UnsharpMask",
        PIL__ImageOps="autocontrast colorize contain cover crop deform equalize exif_transpose expand fit flip grayscale "
        "invert mirror pad posterize scale solarize",
        PIL__ImageEnhance="Brightness Color Contrast Sharpness",
        PIL__ImageChops="add add_modulo blend composite constant darker difference duplicate hard_light invert lighter "
        "logical_and logical_or logical_xor multiply offset overlay screen soft_light subtract subtract_modulo",
        PIL__ImageColor="colormap getcolor getrgb",
        PIL__ImagePalette="ImagePalette make_gamma_lut make_linear_lut negative sepia wedge",
        PIL__ImageStat="Global Stat",
        PIL__ImageSequence="Iterator all_frames",
        PIL__ImageTransform="AffineTransform ExtentTransform MeshTransform PerspectiveTransform QuadTransform Transform",
        PIL__ExifTags="Base GPS GPSTAGS IFD Interop LightSource TAGS",
        PIL__PngImagePlugin="Blend Disposal PngInfo",
        sklearn__experimental="",
        sklearn__experimental__enable_halving_search_cv="",
        sklearn__experimental__enable_iterative_imputer="",
        sklearn__utils__extmath="cartesian density fast_logdet randomized_range_finder randomized_svd row_norms safe_sparse_dot "
        "softmax squared_norm stable_cumsum svd_flip weighted_mode",
        sklearn__utils__metaestimators="available_if",
        sklearn__utils__random="sample_without_replacement",
        sklearn__utils__sparsefuncs="count_nonzero csc_median_axis_0 incr_mean_variance_axis inplace_column_scale "
        "inplace_csr_column_scale inplace_csr_row_scale inplace_row_scale inplace_swap_column inplace_swap_row "
        "mean_variance_axis min_max_axis",
        sklearn="clone get_config set_config config_context",
        concurrent__futures="ThreadPoolExecutor Future as_completed wait FIRST_COMPLETED FIRST_EXCEPTION "
        "ALL_COMPLETED CancelledError TimeoutError BrokenExecutor InvalidStateError",
        urllib__parse="urlparse urlunparse urljoin urldefrag urlsplit urlunsplit urlencode parse_qs parse_qsl quote "
        "quote_plus quote_from_bytes unquote unquote_plus unquote_to_bytes",
    ),
    **{name: frozenset(_stars.NAMES[name].split()) for name in ("pylab", "matplotlib.pylab")},
}
"""Modules of which nothing else is shown, whatever they call public."""

_TESTERS: Final = "test bench conftest"

HIDDEN: Final[Mapping[str, frozenset[str]]] = {
    **_table(
        numpy="DataSource add_newdoc add_docstring add_newdoc_ufunc show_runtime source lookfor deprecate test",
        numpy__testing="runstring rundocs run_module_suite measure import_nose temppath tempdir raises decorators "
        "decorate_methods Tester NoseTester TestCase verbose jiffies memusage runtests suppress_warnings overrides "
        "clear_and_catch_warnings check_support_sve assert_no_gc_cycles break_cycles test",
        numpy__lib="add_newdoc add_docstring tracemalloc_domain",
        numpy__linalg=_TESTERS,
        numpy__random="get_bit_generator set_bit_generator test BitGenerator",
        scipy="LowLevelCallable test show_config",
        scipy__io="matlab",
        pandas__api="interchange",
        pandas="HDFStore read_pickle to_pickle read_hdf read_sql_table read_gbq read_clipboard "
        "test show_versions",
        enum="global_enum global_enum_repr global_flag_repr global_str show_flag_values pickle_by_global_name "
        "pickle_by_enum_name",
        collections__abc="FunctionType framelocalsproxy",
        contextlib="chdir MethodType",
        typing="NamedTupleMeta MethodWrapperType WrapperDescriptorType MethodDescriptorType no_type_check_decorator",
        statsmodels__api="test load load_pickle webdoc show_versions iolib",
        matplotlib="test get_cachedir get_configdir set_loglevel ExecutableNotFoundError",
        matplotlib__pyplot="install_repl_displayhook uninstall_repl_displayhook "
        "get_plot_commands FigureManagerBase backend_registry BackendFilter",
        matplotlib__textpath="TexManager",
        statsmodels__tsa__holtwinters__results="populate_wrapper union_dicts ResultsWrapper",
        statsmodels__datasets="webuse clear_data_home get_data_home check_internet utils",
        patsy="test",
        calendar="main",
        networkx__readwrite__p2g="open_file",
        networkx__utils="argmap deprecate_positional_args nodes_or_number not_implemented_for np_random_state open_file "
        "py_random_state",
        random="main",
        base64="main",
        tokenize="open",
        pydantic="ImportString PyObject create_model import_module v1",
        plotly="tools",
        plotly__io="orca kaleido base_renderers",
        plotly__offline="download_plotlyjs",
        string="Formatter",
        seaborn="load_dataset get_dataset_names get_data_home choose_colorbrewer_palette choose_cubehelix_palette "
        "choose_dark_palette choose_diverging_palette choose_light_palette",
        sklearn__datasets="clear_data_home get_data_home fetch_20newsgroups fetch_20newsgroups_vectorized "
        "fetch_california_housing fetch_covtype fetch_kddcup99 fetch_lfw_pairs fetch_lfw_people fetch_olivetti_faces "
        "fetch_openml fetch_rcv1 fetch_species_distributions",
        sklearn__kernel_approximation="deprecated",
        sklearn__utils="all_estimators deprecated parallel_backend register_parallel_backend metadata_routing",
    )
}
"""Names that are public in a library and start programs, run text, download or
change what others see."""

EXTRA: Final[Mapping[str, frozenset[str]]] = _table(
    datetime="UTC",
    hashlib="scrypt pbkdf2_hmac",
    numpy="__array_namespace_info__",
    scipy__stats__distributions="norm_gen",
    statsmodels__regression__linear_model="burg",
    matplotlib="__version_info__ Path cycler sanitize_sequence rcParamsDefault rcParamsOrig",
    matplotlib__dates="MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY WEEKDAYS HOURS_PER_DAY MIN_PER_HOUR "
    "SEC_PER_MIN MONTHS_PER_YEAR DAYS_PER_WEEK DAYS_PER_MONTH DAYS_PER_YEAR MINUTES_PER_DAY SEC_PER_HOUR SEC_PER_DAY "
    "SEC_PER_WEEK MUSECONDS_PER_DAY",
    matplotlib__streamplot="StreamplotSet",
    matplotlib__ticker="scale_range",
    numpy__exceptions="RankWarning",
    pandas__tseries__frequencies="get_rule_month",
    pandas__tseries__holiday="AbstractHolidayCalendar DateOffset Day Easter EasterMonday GoodFriday Holiday USColumbusDay "
    "USFederalHolidayCalendar USLaborDay USMartinLutherKingJr USMemorialDay USPresidentsDay USThanksgivingDay",
    pandas__errors="ChainedAssignmentError",
    scipy__cluster__hierarchy="ClusterWarning",
    scipy__cluster__vq="ClusterError",
    scipy__interpolate="pchip",
    scipy__odr="odr_error odr_stop",
    scipy__stats__contingency="Chi2ContingencyResult",
    sklearn__exceptions="InconsistentVersionWarning",
    sklearn__random_projection="BaseRandomProjection",
    statsmodels__nonparametric__kernel_regression="TestRegCoefC TestRegCoefD",
    statsmodels__robust__robust_linear_model="RLMResults",
    sklearn__base="_fit_context",
    sklearn__utils="_safe_indexing gen_batches gen_even_slices safe_mask safe_sqr tosequence",
    statsmodels__multivariate__multivariate_ols="_MultivariateOLS",
    seaborn__axisgrid="Grid",
    seaborn__matrix="ClusterGrid dendrogram",
    statistics="Counter",
    typing="T",
    plotly__express="defaults",
    pytz="UTC ZERO HOUR",
    random="BPF",
    decimal="HAVE_THREADS",
    string="Formatter Template",
)
"""Public names that a library leaves out of its ``__all__``, and those of ``_modules.PRIVATE``."""

UNLISTED: Final = frozenset(
    "pandas.api.types statsmodels.stats statsmodels.tsa statsmodels.graphics statsmodels.discrete statsmodels.regression "
    "statsmodels.genmod statsmodels.duration statsmodels.tools.eval_measures scipy.linalg.blas scipy.linalg.lapack "
    "_plotly_utils.colors".split()
)
"""Modules, and all below them, whose ``__all__`` lacks much of what they document: all
public names count (``statsmodels.stats.multicomp`` lists one, and not the one that everybody uses)."""

FACETS: Final[Mapping[str, frozenset[str]]] = _table(
    numpy="fft linalg ma random polynomial char rec strings emath exceptions dtypes testing lib",
    numpy__lib="stride_tricks mixins scimath array_utils",
    numpy__ma="extras mrecords",
    numpy__polynomial="polynomial chebyshev hermite hermite_e laguerre legendre polyutils",
    pandas="api arrays errors plotting testing tseries offsets core",
    pandas__api="types extensions indexers typing",
    pandas__tseries="api offsets frequencies",
    pandas__io="formats json",
    pandas__io__formats="style",
    pandas__core="frame series generic groupby indexes",
    pandas__core__indexes="base",
    scipy__stats="contingency distributions mstats qmc sampling",
    scipy__special="orthogonal",
    scipy__linalg="blas lapack interpolative",
    scipy__signal="windows",
    scipy__sparse="linalg csgraph",
    scipy__spatial="distance transform",
    scipy__cluster="hierarchy vq",
    scipy__sparse__linalg="interface",
    scipy__io="arff wavfile",
    statsmodels__api="cov_struct datasets distributions duration emplike families formula gam genmod graphics "
    "multivariate nonparametric regression robust stats tools tsa",
    statsmodels__datasets="anes96 cancer ccard china_smoking co2 committee copper cpunish danish_data elnino engel fair "
    "fertility grunfeld heart interest_inflation longley macrodata modechoice nile randhie scotland spector stackloss "
    "star98 statecrime strikes sunspots",
    statsmodels__tsa__api="stattools arima filters interp statespace bk_filter cf_filter hp_filter datetools innovations "
    "tsatools var graphics",
    statsmodels__tsa__statespace__api="tools",
    statsmodels__stats__api="diagnostic gof moment_helpers multicomp multitest proportion sandwich_covariance stattools "
    "weightstats power anova contingency_tables descriptivestats",
    statsmodels__graphics__api="tsa",
    statsmodels__robust="norms scale",
    statsmodels__nonparametric__api="bandwidths",
    statsmodels__multivariate__api="factor_rotation",
    statsmodels__genmod__api="families cov_struct",
    statsmodels__genmod__families="links family varfuncs",
    matplotlib="artist axes axis cm collections colorbar colors colormaps container contour dates figure font_manager "
    "gridspec image legend lines markers mathtext mlab offsetbox patches path patheffects projections rcsetup scale "
    "spines style table text textpath ticker transforms tri units",
    matplotlib__pyplot="matplotlib cm style mlab",
    matplotlib__style="core",
    plotly="graph_objs graph_objects colors io data offline",
    plotly__express="data colors",
    plotly__subplots="go",
    plotly__colors="carto cmocean colorbrewer cyclical diverging plotlyjs qualitative sequential",
    plotly__express__colors="carto cmocean colorbrewer cyclical diverging plotlyjs qualitative sequential",
    plotly__graph_objects="layout",
    plotly__graph_objs="layout",
    dateutil="easter parser relativedelta rrule tz utils zoneinfo",
    requests="exceptions",
    jmespath="exceptions",
    seaborn="cm objects palettes rcmod",
    sklearn="base calibration cluster compose covariance cross_decomposition datasets decomposition discriminant_analysis "
    "dummy ensemble exceptions experimental feature_extraction feature_selection gaussian_process impute inspection isotonic "
    "kernel_approximation kernel_ridge linear_model manifold metrics mixture model_selection multiclass multioutput "
    "naive_bayes neighbors neural_network pipeline preprocessing random_projection semi_supervised svm tree utils",
    sklearn__feature_extraction="image text",
    sklearn__metrics="cluster pairwise",
    sklearn__experimental="enable_halving_search_cv enable_iterative_imputer",
    sklearn__utils="class_weight extmath metaestimators multiclass random sparsefuncs validation",
    sklearn__gaussian_process="kernels",
    openpyxl="cell chart comments drawing formatting styles utils workbook worksheet",
    openpyxl__utils="cell dataframe exceptions",
    openpyxl__formatting="rule",
    concurrent="futures",
)
"""Modules that belong to the interface of another: ``np.fft`` with numpy. They are
views, too, and an import of their own needs their own line in the policy."""
