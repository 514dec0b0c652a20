"""Modules of the image that use names which they did not write.

Made from the image by ``tests/inventory.py --write``; not to be edited.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["SITES"]

SITES: Final[Mapping[str, tuple[str, ...]]] = {
    "getattr": tuple(
        """
        PIL.Image PIL.ImageDraw2 PIL.ImageMath PIL.ImageWin PIL.JpegImagePlugin PIL.PngImagePlugin PIL.TiffImagePlugin
        PIL.features _plotly_utils.basevalidators _plotly_utils.importers _plotly_utils.png bs4._deprecation bs4.builder
        dateutil.parser._parser dateutil.rrule dateutil.tz._common dateutil.tz.tz fontTools.cffLib
        fontTools.cffLib.specializer fontTools.colorLib.table_builder fontTools.designspaceLib
        fontTools.misc.psCharStrings fontTools.misc.visitor fontTools.otlLib.builder fontTools.otlLib.maxContextCalc
        fontTools.pens.recordingPen fontTools.subset fontTools.ttLib.reorderGlyphs
        fontTools.ttLib.tables.BitmapGlyphMetrics fontTools.ttLib.tables.C_O_L_R_ fontTools.ttLib.tables.E_B_D_T_
        fontTools.ttLib.tables.E_B_L_C_ fontTools.ttLib.tables.F_F_T_M_ fontTools.ttLib.tables.G_M_A_P_
        fontTools.ttLib.tables.G_P_K_G_ fontTools.ttLib.tables.G__l_a_t fontTools.ttLib.tables.M_E_T_A_
        fontTools.ttLib.tables.O_S_2f_2 fontTools.ttLib.tables.S_I_N_G_ fontTools.ttLib.tables.S__i_l_f
        fontTools.ttLib.tables._c_m_a_p fontTools.ttLib.tables._g_l_y_f fontTools.ttLib.tables._h_e_a_d
        fontTools.ttLib.tables._h_h_e_a fontTools.ttLib.tables._h_m_t_x fontTools.ttLib.tables._m_a_x_p
        fontTools.ttLib.tables._n_a_m_e fontTools.ttLib.tables._p_o_s_t fontTools.ttLib.tables._v_h_e_a
        fontTools.ttLib.tables.otBase fontTools.ttLib.tables.otConverters fontTools.ttLib.tables.otTables
        fontTools.ttLib.ttFont fontTools.ttLib.woff2 fontTools.varLib fontTools.varLib.merger fontTools.varLib.varStore
        html5lib.filters.base html5lib.serializer html5lib.treewalkers.etree html5lib.treewalkers.etree_lxml
        jinja2.environment jinja2.filters jinja2.loaders jinja2.nodes jinja2.parser jinja2.sandbox jinja2.utils
        jinja2.visitor jmespath.parser jmespath.visitor matplotlib._api matplotlib._api.deprecation
        matplotlib._fontconfig_pattern matplotlib._mathtext matplotlib.artist matplotlib.axes._axes
        matplotlib.axes._base matplotlib.axis matplotlib.backend_bases matplotlib.backend_tools
        matplotlib.backends.backend_mixed matplotlib.backends.backend_pdf matplotlib.backends.backend_webagg_core
        matplotlib.cbook matplotlib.colorbar matplotlib.colors matplotlib.dates matplotlib.figure
        matplotlib.font_manager matplotlib.gridspec matplotlib.lines matplotlib.markers matplotlib.patheffects
        matplotlib.pyplot matplotlib.spines matplotlib.transforms matplotlib.widgets mpl_toolkits.axes_grid1.axes_size
        mpl_toolkits.axes_grid1.mpl_axes networkx.lazy_imports networkx.readwrite.text networkx.utils.backends
        numpy._core._add_newdocs_scalars numpy._core.fromnumeric numpy._core.function_base numpy._core.records
        numpy.core numpy.core.numeric numpy.f2py.diagnose numpy.fft.helper numpy.lib._arrayterator_impl
        numpy.lib._utils_impl numpy.linalg.linalg numpy.ma.core numpy.ma.extras numpy.ma.mrecords
        openpyxl.cell.read_only openpyxl.descriptors.base openpyxl.descriptors.serialisable openpyxl.packaging.custom
        openpyxl.styles.alignment openpyxl.styles.borders openpyxl.styles.colors openpyxl.styles.fills
        openpyxl.styles.proxy openpyxl.styles.styleable openpyxl.workbook.defined_name openpyxl.worksheet.cell_range
        openpyxl.worksheet.dimensions openpyxl.worksheet.header_footer packaging.specifiers pandas._testing
        pandas._testing.asserters pandas.core.accessor pandas.core.apply pandas.core.arraylike
        pandas.core.arrays.arrow.array pandas.core.arrays.base pandas.core.arrays.boolean pandas.core.arrays.categorical
        pandas.core.arrays.datetimelike pandas.core.arrays.masked pandas.core.arrays.numpy_
        pandas.core.arrays.sparse.accessor pandas.core.arrays.sparse.array pandas.core.arrays.string_
        pandas.core.arrays.string_arrow pandas.core.arrays.timedeltas pandas.core.base pandas.core.common
        pandas.core.computation.expr pandas.core.computation.ops pandas.core.computation.pytables
        pandas.core.computation.scope pandas.core.dtypes.base pandas.core.dtypes.common pandas.core.dtypes.dtypes
        pandas.core.dtypes.generic pandas.core.flags pandas.core.frame pandas.core.generic pandas.core.groupby.generic
        pandas.core.groupby.groupby pandas.core.groupby.grouper pandas.core.groupby.ops pandas.core.indexes.accessors
        pandas.core.indexes.base pandas.core.indexes.extension pandas.core.indexes.interval pandas.core.indexing
        pandas.core.interchange.from_dataframe pandas.core.interchange.utils pandas.core.internals.array_manager
        pandas.core.internals.managers pandas.core.methods.selectn pandas.core.nanops pandas.core.resample
        pandas.core.reshape.merge pandas.core.reshape.pivot pandas.core.strings.accessor pandas.core.util.numba_
        pandas.core.window.rolling pandas.io.common pandas.io.excel._openpyxl pandas.io.formats.style pandas.io.html
        pandas.io.pytables pandas.plotting._matplotlib.converter patsy patsy.design_info patsy.eval plotly.basedatatypes
        plotly.express._core plotly.express.trendline_functions plotly.matplotlylib.mplexporter.utils plotly.tools
        plotly.validator_cache pydantic pydantic._internal._config pydantic._internal._core_utils
        pydantic._internal._decorators pydantic._internal._fields pydantic._internal._generics
        pydantic._internal._known_annotated_metadata pydantic._internal._mock_val_ser pydantic._internal._repr
        pydantic._internal._typing_extra pydantic._internal._validators pydantic.aliases pydantic.dataclasses
        pydantic.deprecated.config pydantic.fields pydantic.json_schema pydantic.main pydantic.networks
        pydantic.plugin._schema_validator pydantic.type_adapter pydantic.v1.config pydantic.v1.dataclasses
        pydantic.v1.fields pydantic.v1.main pydantic.v1.networks pydantic.v1.schema pydantic.v1.utils
        pydantic.v1.validators pyparsing.testing pyparsing.util pypdf._text_extraction._layout_mode._font
        pypdf._text_extraction._layout_mode._text_state_params pypdf._writer pypdf.generic._base pytz.lazy
        requests.adapters requests.models requests.sessions scipy._lib._docscrape scipy._lib._uarray._backend
        scipy._lib.decorator scipy._lib.deprecation scipy._lib.doccer scipy.fft._backend scipy.fft._basic_backend
        scipy.interpolate._rbf scipy.io._fast_matrix_market scipy.linalg.blas
        scipy.ndimage._support_alternative_backends scipy.optimize._differentialevolution scipy.optimize._optimize
        scipy.optimize._root_scalar scipy.signal.spline scipy.sparse._base scipy.sparse._bsr scipy.sparse._compressed
        scipy.sparse._matrix_io scipy.sparse.linalg._dsolve.linsolve scipy.spatial.distance
        scipy.special._support_alternative_backends scipy.stats._continuous_distns scipy.stats._discrete_distns
        scipy.stats._distn_infrastructure scipy.stats._distribution_infrastructure scipy.stats._hypotests
        scipy.stats._morestats scipy.stats._sampling scipy.stats._stats_py seaborn._base seaborn._compat
        seaborn._core.plot seaborn._core.scales seaborn._marks.base seaborn._stats.base seaborn._stats.density
        seaborn.algorithms seaborn.axisgrid seaborn.categorical seaborn.external.appdirs seaborn.external.docscrape
        seaborn.regression seaborn.utils sklearn.base sklearn.ensemble._base sklearn.ensemble._forest
        sklearn.ensemble._stacking sklearn.feature_selection._from_model sklearn.feature_selection._rfe
        sklearn.gaussian_process.kernels sklearn.inspection._plot.decision_boundary sklearn.kernel_approximation
        sklearn.model_selection._search sklearn.model_selection._split sklearn.model_selection._validation
        sklearn.multiclass sklearn.pipeline sklearn.semi_supervised._self_training sklearn.utils._array_api
        sklearn.utils._metadata_requests sklearn.utils._param_validation sklearn.utils.metaestimators
        sklearn.utils.validation soupsieve.css_types statsmodels.base.covtype statsmodels.base.data
        statsmodels.base.elastic_net statsmodels.base.model statsmodels.base.wrapper
        statsmodels.gam.generalized_additive_model statsmodels.genmod.generalized_estimating_equations
        statsmodels.graphics.regressionplots statsmodels.iolib.openfile statsmodels.iolib.summary
        statsmodels.regression.linear_model statsmodels.sandbox.distributions.mv_normal statsmodels.stats._lilliefors
        statsmodels.stats.base statsmodels.stats.contrast statsmodels.stats.outliers_influence
        statsmodels.tools.decorators statsmodels.tools.print_version statsmodels.tools.testing
        statsmodels.tsa.innovations.arma_innovations statsmodels.tsa.statespace.dynamic_factor_mq
        statsmodels.tsa.statespace.kalman_filter statsmodels.tsa.statespace.kalman_smoother
        statsmodels.tsa.statespace.mlemodel statsmodels.tsa.statespace.representation statsmodels.tsa.statespace.sarimax
        statsmodels.tsa.statespace.structural statsmodels.tsa.stattools statsmodels.tsa.vector_ar.var_model tabulate
        tenacity tqdm.cli tqdm.std tqdm.utils typing_extensions urllib3.util.ssl_ yaml.constructor yaml.events
        yaml.tokens
        """.split()
    ),
    "setattr": tuple(
        """
        bs4._deprecation bs4.builder dateutil.parser._parser dateutil.rrule dateutil.tz.tz fontTools.cffLib
        fontTools.cffLib.transforms fontTools.colorLib.table_builder fontTools.designspaceLib fontTools.otlLib.builder
        fontTools.subset fontTools.subset.util fontTools.ttLib.tables.C_O_L_R_ fontTools.ttLib.tables.C_P_A_L_
        fontTools.ttLib.tables.F_F_T_M_ fontTools.ttLib.tables.G_M_A_P_ fontTools.ttLib.tables.G_P_K_G_
        fontTools.ttLib.tables.G__l_a_t fontTools.ttLib.tables.M_E_T_A_ fontTools.ttLib.tables.O_S_2f_2
        fontTools.ttLib.tables.S_I_N_G_ fontTools.ttLib.tables.S__i_l_f fontTools.ttLib.tables.V_O_R_G_
        fontTools.ttLib.tables._f_v_a_r fontTools.ttLib.tables._g_l_y_f fontTools.ttLib.tables._h_e_a_d
        fontTools.ttLib.tables._h_h_e_a fontTools.ttLib.tables._h_m_t_x fontTools.ttLib.tables._l_t_a_g
        fontTools.ttLib.tables._m_a_x_p fontTools.ttLib.tables._p_o_s_t fontTools.ttLib.tables._s_b_i_x
        fontTools.ttLib.tables._t_r_a_k fontTools.ttLib.tables._v_h_e_a fontTools.ttLib.tables.otBase
        fontTools.ttLib.tables.otConverters fontTools.ttLib.tables.otTables fontTools.ttLib.tables.sbixStrike
        fontTools.ttLib.woff2 fontTools.varLib fontTools.varLib.featureVars fontTools.varLib.merger
        fontTools.varLib.varStore html5lib.serializer jinja2.compiler jinja2.environment jinja2.nodes jinja2.visitor
        matplotlib._api matplotlib._api.deprecation matplotlib.artist matplotlib.axes._base matplotlib.axis
        matplotlib.backends.backend_pdf matplotlib.cbook matplotlib.colorbar matplotlib.figure matplotlib.gridspec
        matplotlib.inset matplotlib.lines mpl_toolkits.axisartist.grid_finder numpy.dtypes numpy.testing._private.utils
        openpyxl.chart.plotarea openpyxl.descriptors.base openpyxl.descriptors.serialisable openpyxl.packaging.custom
        openpyxl.styles.colors openpyxl.styles.proxy openpyxl.styles.styleable openpyxl.utils.bound_dictionary
        openpyxl.worksheet._reader pandas.core.accessor pandas.core.arrays.categorical pandas.core.common
        pandas.core.computation.expr pandas.core.computation.pytables pandas.core.flags pandas.core.frame
        pandas.core.generic pandas.core.indexers.objects pandas.core.indexes.extension pandas.core.resample
        pandas.io.clipboard pandas.io.excel._openpyxl pandas.io.formats.style pandas.io.json._json pandas.io.pytables
        plotly.io._orca plotly.io._renderers pydantic._internal._fields pydantic._internal._generate_schema
        pydantic._internal._model_construction pydantic.dataclasses pydantic.fields pydantic.v1.config
        pydantic.v1.dataclasses pydantic.v1.fields pyparsing.util pytz.lazy requests.adapters requests.models
        requests.sessions scipy._lib.decorator scipy.interpolate._rbf scipy.io._mmio
        scipy.optimize._highspy._highs_wrapper scipy.optimize._nonlin scipy.stats._distribution_infrastructure
        seaborn.regression sklearn.base sklearn.gaussian_process.kernels sklearn.utils._array_api
        sklearn.utils._metadata_requests sklearn.utils._testing sklearn.utils.metaestimators statsmodels.base.model
        statsmodels.base.wrapper statsmodels.discrete.discrete_model statsmodels.regression.linear_model
        statsmodels.tools.decorators statsmodels.tsa.statespace.kalman_filter statsmodels.tsa.statespace.kalman_smoother
        statsmodels.tsa.statespace.mlemodel statsmodels.tsa.statespace.representation statsmodels.tsa.statespace.sarimax
        statsmodels.tsa.x13 tqdm.utils typing_extensions yaml.constructor
        """.split()
    ),
    "delattr": tuple(
        """
        fontTools.cffLib.CFF2ToCFF fontTools.cffLib.CFFToCFF2 jinja2.visitor matplotlib.cbook matplotlib.colorbar
        pandas.io.formats.style pydantic._internal._fields pytz.lazy statsmodels.tsa.statespace.kalman_filter
        """.split()
    ),
    "vars": tuple(
        """
        fontTools.misc.sstruct fontTools.misc.visitor fontTools.ttLib.tables.BitmapGlyphMetrics
        fontTools.ttLib.tables.E_B_D_T_ fontTools.ttLib.tables.E_B_L_C_ fontTools.ttLib.tables.otBase
        fontTools.ttLib.tables.otTables fontTools.ttLib.woff2 fontTools.varLib.merger matplotlib._api
        matplotlib._mathtext matplotlib.backend_bases matplotlib.cbook matplotlib.colors matplotlib.figure
        matplotlib.font_manager matplotlib.pyplot matplotlib.transforms patsy.compat_ordereddict
        pydantic._internal._decorators pydantic._internal._known_annotated_metadata pydantic._internal._namespace_utils
        pydantic._internal._typing_extra pyparsing.core scipy._lib.decorator sklearn.utils._array_api
        sklearn.utils._metadata_requests sklearn.utils.validation statsmodels.tools.testing typing_extensions
        """.split()
    ),
    "__dict__": tuple(
        """
        PIL.ImageFile bs4 bs4.element charset_normalizer.models dateutil.tz.tz email_validator.exceptions_types
        fontTools.cffLib.transforms fontTools.colorLib.builder fontTools.designspaceLib fontTools.misc.sstruct
        fontTools.otlLib.builder fontTools.subset fontTools.ttLib.sfnt fontTools.ttLib.tables.D_S_I_G_
        fontTools.ttLib.tables.DefaultTable fontTools.ttLib.tables.O_S_2f_2 fontTools.ttLib.tables.S_I_N_G_
        fontTools.ttLib.tables._c_m_a_p fontTools.ttLib.tables._g_l_y_f fontTools.ttLib.tables._m_a_x_p
        fontTools.ttLib.tables.otBase fontTools.ttLib.tables.otConverters fontTools.ttLib.tables.otTables
        fontTools.ttLib.tables.ttProgram fontTools.varLib.merger fontTools.varLib.varStore html5lib._utils
        jinja2.compiler jinja2.environment jinja2.ext jinja2.idtracking jinja2.loaders jinja2.nodes jinja2.utils
        matplotlib.artist matplotlib.axes._base matplotlib.backend_bases matplotlib.backends.backend_pdf
        matplotlib.colors matplotlib.contour matplotlib.dates matplotlib.figure matplotlib.font_manager
        matplotlib.markers matplotlib.transforms networkx.classes.digraph networkx.classes.graph networkx.utils.backends
        networkx.utils.decorators numpy._core._machar numpy._core.getlimits numpy.lib._polynomial_impl
        numpy.lib._utils_impl numpy.ma.core numpy.ma.mrecords numpy.polynomial._polybase numpy.testing._private.utils
        numpy.testing.overrides openpyxl.descriptors.base openpyxl.descriptors.sequence
        openpyxl.descriptors.serialisable openpyxl.worksheet.dimensions pandas.core.arrays.arrow.array
        pandas.core.arrays.sparse.array pandas.core.window.rolling pandas.io.formats.style pandas.io.pytables
        pandas.io.spss plotly.io._base_renderers pydantic._internal._decorators pydantic._internal._fields
        pydantic._internal._generics pydantic._internal._known_annotated_metadata pydantic._internal._model_construction
        pydantic._internal._namespace_utils pydantic._internal._repr pydantic._internal._typing_extra
        pydantic._migration pydantic.deprecated.copy_internals pydantic.main pydantic.root_model pydantic.type_adapter
        pydantic.v1.class_validators pydantic.v1.dataclasses pydantic.v1.error_wrappers pydantic.v1.errors
        pydantic.v1.main pydantic.v1.typing pyparsing.core requests.cookies requests.models requests.structures
        scipy._lib._bunch scipy._lib.decorator scipy.integrate._quad_vec scipy.interpolate._fitpack_repro
        scipy.io._netcdf scipy.io.matlab._mio5 scipy.odr._odrpack scipy.optimize._shgo_lib._vertex scipy.signal._ltisys
        scipy.sparse._coo scipy.sparse._dok scipy.sparse._matrix scipy.stats._distn_infrastructure sklearn.base
        sklearn.ensemble._hist_gradient_boosting.predictor statsmodels.base._constraints
        statsmodels.base._prediction_inference statsmodels.base.data statsmodels.base.model statsmodels.base.wrapper
        statsmodels.datasets.utils statsmodels.discrete.discrete_model
        statsmodels.genmod.generalized_estimating_equations statsmodels.graphics.functional
        statsmodels.sandbox.regression.gmm statsmodels.stats.contingency_tables statsmodels.stats.contrast
        statsmodels.stats.inter_rater statsmodels.stats.meta_analysis statsmodels.stats.power
        statsmodels.tools.decorators statsmodels.tools.testing statsmodels.tools.tools
        statsmodels.treatment.treatment_effects statsmodels.tsa.x13 typing_extensions yaml.constructor yaml.representer
        yaml.tokens
        """.split()
    ),
}
"""The modules that need a checked form of each builtin, and of the look-up of ``__dict__``."""
