"""What ``from module import *`` stands for, of the libraries that scripts import so: see ``_stars``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["LIBRARIES", "NOT_OF_PYLAB", "PYLAB"]

LIBRARIES: Final[Mapping[str, str]] = {
    "matplotlib.pyplot": (
        "Annotation Arrow Artist AutoLocator AxLine Axes Button Circle Colorizer ColorizingArtist "
        "Colormap Figure FigureBase FigureCanvasBase FixedFormatter FixedLocator FormatStrFormatter Formatter "
        "FuncFormatter GridSpec IndexLocator Line2D LinearLocator Locator LogFormatter LogFormatterExponent "
        "LogFormatterMathtext LogLocator MaxNLocator MouseButton MultipleLocator Normalize NullFormatter NullLocator PolarAxes "
        "Polygon Rectangle ScalarFormatter Slider Subplot SubplotSpec Text TickHelper Widget acorr angle_spectrum "
        "annotate arrow autoscale autumn available_backends axes axhline axhspan axis axline axvline axvspan bar "
        "bar_label barbs barh bone box boxplot broken_barh cast cla clabel clf clim close cohere color_sequences colorbar "
        "colormaps connect contour contourf cool copper csd cycler delaxes disconnect draw draw_all draw_if_interactive ecdf "
        "errorbar eventplot figaspect figimage figlegend fignum_exists figtext figure fill fill_between fill_betweenx findobj "
        "flag gca gcf gci get get_backend get_cmap get_current_fig_manager get_figlabels get_fignums get_scale_names getp "
        "ginput gray grid hexbin hist hist2d hlines hot hsv imread imsave imshow inferno interactive ioff ion isinteractive jet "
        "legend locator_params loglog magma magnitude_spectrum margins matshow minorticks_off minorticks_on new_figure_manager "
        "nipy_spectral pause pcolor pcolormesh phase_spectrum pie pink plasma plot plot_date polar prism psd quiver "
        "quiverkey rc rcParams rcParamsDefault rcParamsOrig rc_context rcdefaults rgrids savefig sca scatter "
        "sci semilogx semilogy set_cmap set_loglevel setp show specgram spring spy stackplot stairs stem step streamplot "
        "subplot subplot2grid subplot_mosaic subplot_tool subplots subplots_adjust summer suptitle switch_backend table text "
        "thetagrids tick_params ticklabel_format tight_layout title tricontour tricontourf tripcolor triplot twinx twiny "
        "violinplot viridis vlines waitforbuttonpress winter xcorr xkcd xlabel xlim xscale xticks ylabel ylim yscale yticks"
    ),
    "matplotlib.patches": (
        "Affine2D Annulus Arc Arrow ArrowStyle BoxStyle CapStyle Circle CirclePolygon ConnectionPatch ConnectionStyle Ellipse "
        "FancyArrow FancyArrowPatch FancyBboxPatch JoinStyle Patch Path PathPatch Polygon "
        "Rectangle RegularPolygon Shadow StepPatch Wedge bbox_artist draw_bbox get_cos_sin get_intersection get_parallels "
        "inside_circle make_wedged_bezier2 split_bezier_intersecting_with_closedpath split_path_inout"
    ),
    "matplotlib.ticker": (
        "AsinhLocator AutoLocator AutoMinorLocator EngFormatter FixedFormatter FixedLocator FormatStrFormatter Formatter "
        "FuncFormatter IndexLocator LinearLocator Locator LogFormatter LogFormatterExponent LogFormatterMathtext "
        "LogFormatterSciNotation LogLocator LogitFormatter LogitLocator MaxNLocator MultipleLocator NullFormatter NullLocator "
        "PercentFormatter ScalarFormatter StrMethodFormatter SymmetricalLogLocator TickHelper"
    ),
    "matplotlib.colors": (
        "AsinhNorm BASE_COLORS BivarColormap BivarColormapFromImage BoundaryNorm CSS4_COLORS CenteredNorm ColorConverter "
        "ColorSequenceRegistry Colormap FuncNorm LightSource LinearSegmentedColormap ListedColormap LogNorm MultivarColormap "
        "NoNorm Normalize PowerNorm SegmentedBivarColormap SymLogNorm TABLEAU_COLORS TwoSlopeNorm XKCD_COLORS cnames "
        "colorConverter from_levels_and_colors get_named_colors_mapping hex2color hsv_to_rgb is_color_like make_norm_from_scale "
        "rgb2hex rgb_to_hsv same_color to_hex to_rgb to_rgba to_rgba_array"
    ),
    "matplotlib.dates": (
        "AutoDateFormatter AutoDateLocator ConciseDateConverter ConciseDateFormatter DAILY DateConverter DateFormatter "
        "DateLocator DayLocator FR HOURLY HourLocator MICROSECONDLY MINUTELY MO MONTHLY MicrosecondLocator MinuteLocator "
        "MonthLocator RRuleLocator SA SECONDLY SU SecondLocator TH TU WE WEEKLY WeekdayLocator YEARLY YearLocator date2num "
        "datestr2num drange get_epoch num2date num2timedelta relativedelta rrule rrulewrapper set_epoch"
    ),
    "numpy.fft": (
        "fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn"
    ),
    "numpy.linalg": (
        "LinAlgError cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power "
        "matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve "
        "trace vecdot vector_norm"
    ),
    "numpy.random": (
        "Generator MT19937 PCG64 PCG64DXSM Philox RandomState SFC64 SeedSequence beta binomial bytes chisquare choice "
        "default_rng dirichlet exponential f gamma geometric get_state gumbel hypergeometric laplace logistic lognormal "
        "logseries multinomial multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto "
        "permutation poisson power rand randint randn random random_integers random_sample ranf rayleigh sample seed set_state "
        "shuffle standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises "
        "wald weibull zipf"
    ),
    "numpy.ma": (
        "MAError MaskError MaskType MaskedArray abs absolute add all allclose allequal alltrue amax amin angle anom anomalies "
        "any append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin "
        "argsort around array asanyarray asarray atleast_1d atleast_2d atleast_3d average bitwise_and bitwise_or bitwise_xor "
        "bool_ ceil choose clip clump_masked clump_unmasked column_stack common_fill_value compress compress_cols compress_nd "
        "compress_rowcols compress_rows compressed concatenate conjugate convolve copy corrcoef correlate cos cosh count "
        "count_masked cov cumprod cumsum default_fill_value diag diagflat diagonal diff divide dot dstack ediff1d empty "
        "empty_like equal exp expand_dims fabs filled fix_invalid flatnotmasked_contiguous flatnotmasked_edges flatten_mask "
        "flatten_structured_array floor floor_divide fmod frombuffer fromflex fromfunction getdata getmask getmaskarray greater "
        "greater_equal harden_mask hsplit hstack hypot identity ids in1d indices inner innerproduct intersect1d isMA "
        "isMaskedArray is_mask is_masked isarray isin left_shift less less_equal log log10 log2 logical_and logical_not "
        "logical_or logical_xor make_mask make_mask_descr make_mask_none mask_cols mask_or mask_rowcols mask_rows masked "
        "masked_all masked_all_like masked_array masked_equal masked_greater masked_greater_equal masked_inside masked_invalid "
        "masked_less masked_less_equal masked_not_equal masked_object masked_outside masked_print_option masked_singleton "
        "masked_values masked_where max maximum maximum_fill_value mean median min minimum minimum_fill_value mod mr_ multiply "
        "mvoid ndenumerate ndim negative nomask nonzero not_equal notmasked_contiguous notmasked_edges ones ones_like outer "
        "outerproduct polyfit power prod product ptp put putmask ravel remainder repeat reshape resize right_shift round round_ "
        "row_stack set_fill_value setdiff1d setxor1d shape sin sinh size soften_mask sometrue sort sqrt squeeze stack std "
        "subtract sum swapaxes take tan tanh trace transpose true_divide union1d unique vander var vstack where zeros "
        "zeros_like"
    ),
    "numpy.polynomial": (
        "Chebyshev Hermite HermiteE Laguerre Legendre Polynomial set_default_printstyle"
    ),
    "scipy.stats": (
        "BootstrapMethod CensoredData ConstantInputWarning Covariance DegenerateDataWarning FitError Mixture MonteCarloMethod "
        "NearConstantInputWarning Normal PermutationMethod Uniform abs alexandergovern alpha anderson anderson_ksamp anglit "
        "ansari arcsine argus barnard_exact bartlett bayes_mvs bernoulli beta betabinom betanbinom betaprime binned_statistic "
        "binned_statistic_2d binned_statistic_dd binom binomtest boltzmann bootstrap boschloo_exact boxcox boxcox_llf "
        "boxcox_normmax boxcox_normplot bradford brunnermunzel burr burr12 bws_test cauchy chatterjeexi chi chi2 "
        "chi2_contingency chisquare circmean circstd circvar combine_pvalues cosine cramervonmises cramervonmises_2samp "
        "crystalball cumfreq describe dgamma differential_entropy directional_stats dirichlet dirichlet_multinomial dlaplace "
        "dpareto_lognorm dunnett dweibull ecdf energy_distance entropy epps_singleton_2samp erlang exp expectile expon "
        "exponnorm exponpow exponweib f f_oneway false_discovery_control fatiguelife find_repeats fisher_exact fisk fit fligner "
        "foldcauchy foldnorm friedmanchisquare gamma gausshyper gaussian_kde genexpon genextreme gengamma genhalflogistic "
        "genhyperbolic geninvgauss genlogistic gennorm genpareto geom gibrat gmean gompertz goodness_of_fit gstd gumbel_l "
        "gumbel_r gzscore halfcauchy halfgennorm halflogistic halfnorm hmean hypergeom hypsecant invgamma invgauss invweibull "
        "invwishart iqr irwinhall jarque_bera jf_skew_t johnsonsb johnsonsu kappa3 kappa4 kendalltau kruskal ks_1samp ks_2samp "
        "ksone kstat kstatvar kstest kstwo kstwobign kurtosis kurtosistest landau laplace laplace_asymmetric levene levy levy_l "
        "levy_stable linregress lmoment log loggamma logistic loglaplace lognorm logrank logser loguniform lomax "
        "make_distribution mannwhitneyu matrix_normal maxwell median_abs_deviation median_test mielke mode moment "
        "monte_carlo_test mood moyal multinomial multiscale_graphcorr multivariate_hypergeom multivariate_normal multivariate_t "
        "mvsdist nakagami nbinom ncf nchypergeom_fisher nchypergeom_wallenius nct ncx2 nhypergeom norm normal_inverse_gamma "
        "normaltest norminvgauss obrientransform order_statistic ortho_group page_trend_test pareto pearson3 pearsonr "
        "percentileofscore permutation_test planck pmean pointbiserialr poisson poisson_binom poisson_means_test power "
        "power_divergence powerlaw powerlognorm powernorm ppcc_max ppcc_plot probplot quantile_test randint random_correlation "
        "random_table rankdata ranksums rayleigh rdist recipinvgauss reciprocal rel_breitwigner relfreq rice rv_continuous "
        "rv_discrete rv_histogram scoreatpercentile sem semicircular shapiro siegelslopes sigmaclip skellam skew skewcauchy "
        "skewnorm skewtest sobol_indices somersd spearmanr special_ortho_group studentized_range t theilslopes tiecorrect tmax "
        "tmean tmin trapezoid trapz triang trim1 trim_mean trimboth truncate truncexpon truncnorm truncpareto truncweibull_min "
        "tsem tstd ttest_1samp ttest_ind ttest_ind_from_stats ttest_rel tukey_hsd tukeylambda tvar uniform uniform_direction "
        "unitary_group variation vonmises vonmises_fisher vonmises_line wald wasserstein_distance wasserstein_distance_nd "
        "weibull_max weibull_min weightedtau wilcoxon wishart wrapcauchy yeojohnson yeojohnson_llf yeojohnson_normmax "
        "yeojohnson_normplot yulesimon zipf zipfian zmap zscore"
    ),
    "scipy.special": (
        "SpecialFunctionError SpecialFunctionWarning agm ai_zeros airy airye assoc_laguerre assoc_legendre_p "
        "assoc_legendre_p_all bdtr bdtrc bdtri bdtrik bdtrin bei bei_zeros beip beip_zeros ber ber_zeros bernoulli berp "
        "berp_zeros besselpoly beta betainc betaincc betainccinv betaincinv betaln bi_zeros binom boxcox boxcox1p btdtria "
        "btdtrib c_roots cbrt cg_roots chdtr chdtrc chdtri chdtriv chebyc chebys chebyt chebyu chndtr chndtridf chndtrinc "
        "chndtrix clpmn comb cosdg cosm1 cotdg dawsn digamma diric ellip_harm ellip_harm_2 ellip_normal ellipe ellipeinc ellipj "
        "ellipk ellipkinc ellipkm1 elliprc elliprd elliprf elliprg elliprj entr erf erf_zeros erfc erfcinv erfcx erfi erfinv "
        "errstate euler eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre eval_hermite "
        "eval_hermitenorm eval_jacobi eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi eval_sh_legendre "
        "exp1 exp10 exp2 expi expit expm1 expn exprel factorial factorial2 factorialk fdtr fdtrc fdtri fdtridfd fresnel "
        "fresnel_zeros fresnelc_zeros fresnels_zeros gamma gammainc gammaincc gammainccinv gammaincinv gammaln gammasgn gdtr "
        "gdtrc gdtria gdtrib gdtrix gegenbauer genlaguerre geterr h1vp h2vp h_roots hankel1 hankel1e hankel2 hankel2e he_roots "
        "hermite hermitenorm huber hyp0f1 hyp1f1 hyp2f1 hyperu i0 i0e i1 i1e inv_boxcox inv_boxcox1p it2i0k0 it2j0y0 it2struve0 "
        "itairy iti0k0 itj0y0 itmodstruve0 itstruve0 iv ive ivp j0 j1 j_roots jacobi jn jn_zeros jnjnp_zeros jnp_zeros "
        "jnyn_zeros js_roots jv jve jvp k0 k0e k1 k1e kei kei_zeros keip keip_zeros kelvin kelvin_zeros ker ker_zeros kerp "
        "kerp_zeros kl_div kn kolmogi kolmogorov kv kve kvp l_roots la_roots laguerre lambertw legendre legendre_p "
        "legendre_p_all lmbda log1p log_expit log_ndtr log_softmax log_wright_bessel loggamma logit logsumexp lpmn lpmv lpn "
        "lqmn lqn mathieu_a mathieu_b mathieu_cem mathieu_even_coef mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 "
        "mathieu_modsem2 mathieu_odd_coef mathieu_sem modfresnelm modfresnelp modstruve multigammaln nbdtr nbdtrc nbdtri "
        "nbdtrik nbdtrin ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc nctdtr nctdtridf nctdtrinc nctdtrit ndtr ndtri "
        "ndtri_exp nrdtrimn nrdtrisd obl_ang1 obl_ang1_cv obl_cv obl_cv_seq obl_rad1 obl_rad1_cv obl_rad2 obl_rad2_cv owens_t "
        "p_roots pbdn_seq pbdv pbdv_seq pbvv pbvv_seq pbwa pdtr pdtrc pdtri pdtrik perm poch polygamma powm1 pro_ang1 "
        "pro_ang1_cv pro_cv pro_cv_seq pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv ps_roots pseudo_huber psi radian rel_entr "
        "rgamma riccati_jn riccati_yn roots_chebyc roots_chebys roots_chebyt roots_chebyu roots_gegenbauer roots_genlaguerre "
        "roots_hermite roots_hermitenorm roots_jacobi roots_laguerre roots_legendre roots_sh_chebyt roots_sh_chebyu "
        "roots_sh_jacobi roots_sh_legendre round s_roots seterr sh_chebyt sh_chebyu sh_jacobi sh_legendre shichi sici sinc "
        "sindg smirnov smirnovi softmax softplus spence sph_harm sph_harm_y sph_harm_y_all sph_legendre_p sph_legendre_p_all "
        "spherical_in spherical_jn spherical_kn spherical_yn stdtr stdtridf stdtrit stirling2 struve t_roots tandg tklmbda "
        "ts_roots u_roots us_roots voigt_profile wofz wright_bessel wrightomega xlog1py xlogy y0 y0_zeros y1 y1_zeros y1p_zeros "
        "yn yn_zeros ynp_zeros yv yve yvp zeta zetac"
    ),
    "scipy.optimize": (
        "BFGS Bounds BroydenFirst HessianUpdateStrategy InverseJacobian KrylovJacobian LbfgsInvHessProduct LinearConstraint "
        "NoConvergence NonlinearConstraint OptimizeResult OptimizeWarning RootResults SR1 anderson approx_fprime basinhopping "
        "bisect bracket brent brenth brentq broyden1 broyden2 brute check_grad curve_fit diagbroyden differential_evolution "
        "direct dual_annealing excitingmixing fixed_point fmin fmin_bfgs fmin_cg fmin_cobyla fmin_l_bfgs_b fmin_ncg fmin_powell "
        "fmin_slsqp fmin_tnc fminbound fsolve golden isotonic_regression least_squares leastsq line_search "
        "linear_sum_assignment linearmixing linprog linprog_verbose_callback lsq_linear milp minimize minimize_scalar newton "
        "newton_krylov nnls quadratic_assignment ridder root root_scalar rosen rosen_der rosen_hess rosen_hess_prod shgo "
        "show_options toms748"
    ),
    "scipy.signal": (
        "BadCoefficients CZT ShortTimeFFT StateSpace TransferFunction ZerosPolesGain ZoomFFT abcd_normalize argrelextrema "
        "argrelmax argrelmin band_stop_obj bessel besselap bilinear bilinear_zpk bode buttap butter buttord cheb1ap cheb1ord "
        "cheb2ap cheb2ord cheby1 cheby2 check_COLA check_NOLA chirp choose_conv_method coherence cont2discrete convolve "
        "convolve2d correlate correlate2d correlation_lags csd cspline1d cspline1d_eval cspline2d czt czt_points dbode decimate "
        "deconvolve detrend dfreqresp dimpulse dlsim dlti dstep ellip ellipap ellipord envelope fftconvolve filtfilt find_peaks "
        "find_peaks_cwt findfreqs firls firwin firwin2 freqresp freqs freqs_zpk freqz freqz_sos freqz_zpk gammatone "
        "gauss_spline gausspulse get_window group_delay hilbert hilbert2 iircomb iirdesign iirfilter iirnotch iirpeak impulse "
        "invres invresz istft kaiser_atten kaiser_beta kaiserord lfilter lfilter_zi lfiltic lombscargle lp2bp lp2bp_zpk lp2bs "
        "lp2bs_zpk lp2hp lp2hp_zpk lp2lp lp2lp_zpk lsim lti max_len_seq medfilt medfilt2d minimum_phase normalize oaconvolve "
        "order_filter peak_prominences peak_widths periodogram place_poles qspline1d qspline1d_eval qspline2d remez resample "
        "resample_poly residue residuez savgol_coeffs savgol_filter sawtooth sepfir2d sos2tf sos2zpk sosfilt sosfilt_zi "
        "sosfiltfilt sosfreqz spectrogram spline_filter square ss2tf ss2zpk step stft sweep_poly symiirorder1 symiirorder2 "
        "tf2sos tf2ss tf2zpk unique_roots unit_impulse upfirdn vectorstrength welch wiener zoom_fft zpk2sos zpk2ss zpk2tf"
    ),
    "scipy.linalg": (
        "LinAlgError LinAlgWarning bandwidth block_diag cdf2rdf cho_factor cho_solve cho_solve_banded cholesky cholesky_banded "
        "circulant clarkson_woodruff_transform companion convolution_matrix coshm cosm cossin det dft diagsvd eig eig_banded "
        "eigh eigh_tridiagonal eigvals eigvals_banded eigvalsh eigvalsh_tridiagonal expm expm_cond expm_frechet fiedler "
        "fiedler_companion find_best_blas_type fractional_matrix_power funm get_blas_funcs get_lapack_funcs hadamard hankel "
        "helmert hessenberg hilbert inv invhilbert invpascal ishermitian issymmetric khatri_rao kron ldl leslie logm lstsq lu "
        "lu_factor lu_solve matmul_toeplitz matrix_balance norm null_space ordqz orth orthogonal_procrustes pascal pinv pinvh "
        "polar qr qr_delete qr_insert qr_multiply qr_update qz rq rsf2csf schur signm sinhm sinm solve solve_banded "
        "solve_circulant solve_continuous_are solve_continuous_lyapunov solve_discrete_are solve_discrete_lyapunov "
        "solve_lyapunov solve_sylvester solve_toeplitz solve_triangular solveh_banded sqrtm subspace_angles svd svdvals tanhm "
        "tanm toeplitz"
    ),
    "scipy.integrate": (
        "BDF DOP853 DenseOutput IntegrationWarning LSODA ODEintWarning OdeSolution OdeSolver RK23 RK45 Radau complex_ode "
        "cubature cumulative_simpson cumulative_trapezoid dblquad fixed_quad lebedev_rule newton_cotes nquad nsum ode odeint "
        "qmc_quad quad quad_vec romb simpson solve_bvp solve_ivp tanhsinh tplquad trapezoid"
    ),
    "scipy.interpolate": (
        "AAA Akima1DInterpolator BPoly BSpline BarycentricInterpolator BivariateSpline CloughTocher2DInterpolator "
        "CubicHermiteSpline CubicSpline FloaterHormannInterpolator InterpolatedUnivariateSpline KroghInterpolator "
        "LSQBivariateSpline LSQSphereBivariateSpline LSQUnivariateSpline LinearNDInterpolator NdBSpline NdPPoly "
        "NearestNDInterpolator PPoly PchipInterpolator RBFInterpolator Rbf RectBivariateSpline RectSphereBivariateSpline "
        "RegularGridInterpolator SmoothBivariateSpline SmoothSphereBivariateSpline UnivariateSpline "
        "approximate_taylor_polynomial barycentric_interpolate bisplev bisplrep generate_knots griddata insert interp1d "
        "interp2d interpn krogh_interpolate lagrange make_interp_spline make_lsq_spline make_smoothing_spline make_splprep "
        "make_splrep pade pchip_interpolate spalde splantider splder splev splint splprep splrep sproot"
    ),
    "scipy.constants": (
        "Avogadro Boltzmann Btu Btu_IT Btu_th ConstantWarning G Julian_year N_A Planck R Rydberg Stefan_Boltzmann Wien acre "
        "alpha angstrom arcmin arcminute arcsec arcsecond astronomical_unit atm atmosphere atomic_mass atto au bar barrel bbl "
        "blob c calorie calorie_IT calorie_th carat centi convert_temperature day deci degree degree_Fahrenheit deka dyn dyne e "
        "eV electron_mass electron_volt elementary_charge epsilon_0 erg exa exbi femto fermi find fine_structure fluid_ounce "
        "fluid_ounce_US fluid_ounce_imp foot g gallon gallon_US gallon_imp gas_constant gibi giga golden golden_ratio grain "
        "gram gravitational_constant h hbar hectare hecto horsepower hour hp inch k kgf kibi kilo kilogram_force kmh knot "
        "lambda2nu lb lbf light_year liter litre long_ton m_e m_n m_p m_u mach mebi mega metric_ton micro micron mil mile milli "
        "minute mmHg mph mu_0 nano nautical_mile neutron_mass nu2lambda ounce oz parsec pebi peta physical_constants pi pico "
        "point pound pound_force precision proton_mass psi pt quecto quetta ronna ronto short_ton sigma slinch slug "
        "speed_of_light speed_of_sound stone survey_foot survey_mile tebi tera ton_TNT torr troy_ounce troy_pound u unit value "
        "week yard year yobi yocto yotta zebi zepto zero_Celsius zetta"
    ),
    "scipy.ndimage": (
        "affine_transform binary_closing binary_dilation binary_erosion binary_fill_holes binary_hit_or_miss binary_opening "
        "binary_propagation black_tophat center_of_mass convolve convolve1d correlate correlate1d distance_transform_bf "
        "distance_transform_cdt distance_transform_edt extrema find_objects fourier_ellipsoid fourier_gaussian fourier_shift "
        "fourier_uniform gaussian_filter gaussian_filter1d gaussian_gradient_magnitude gaussian_laplace "
        "generate_binary_structure generic_filter generic_filter1d generic_gradient_magnitude generic_laplace "
        "geometric_transform grey_closing grey_dilation grey_erosion grey_opening histogram iterate_structure label "
        "labeled_comprehension laplace map_coordinates maximum maximum_filter maximum_filter1d maximum_position mean median "
        "median_filter minimum minimum_filter minimum_filter1d minimum_position morphological_gradient morphological_laplace "
        "percentile_filter prewitt rank_filter rotate shift sobel spline_filter spline_filter1d standard_deviation sum "
        "sum_labels uniform_filter uniform_filter1d value_indices variance watershed_ift white_tophat zoom"
    ),
    "mpl_toolkits.mplot3d": (
        "Axes3D"
    ),
}
"""What each of these modules makes public, as far as a script is shown it, without the modules among it."""

PYLAB: Final = (
    "np plt ma mlab date2num num2date datestr2num drange DateFormatter DateLocator RRuleLocator YearLocator MonthLocator "
    "WeekdayLocator DayLocator HourLocator MinuteLocator SecondLocator rrule MO TU WE TH FR SA SU YEARLY MONTHLY WEEKLY DAILY "
    "HOURLY MINUTELY SECONDLY relativedelta detrend detrend_linear detrend_mean detrend_none window_hanning window_none"
)
"""What pylab has besides all of pyplot and numpy, its Fourier transforms, random numbers and linear algebra."""

NOT_OF_PYLAB: Final = "bytes abs bool max min pow round"
"""Names of numpy's that stand for Python's own there."""
