import cmath
import math
import statistics as st
from decimal import ROUND_HALF_UP, Decimal, getcontext, localcontext
from fractions import Fraction

values = [float(v) for v in visits["sbp"].dropna().head(50)]
print(round(st.mean(values), 3), round(st.median(values), 3), round(st.stdev(values), 3), st.mode([1, 2, 2]))
print([round(q, 2) for q in st.quantiles(values, n=4)], round(st.fmean(values, weights=range(1, 51)), 3))
print(round(st.correlation(values[:-1], values[1:]), 4), st.linear_regression([1, 2, 3], [2, 4, 6]), st.NormalDist(120, 15).cdf(140))
print(math.isclose(0.1 + 0.2, 0.3), math.comb(5, 2), math.prod([1, 2, 3]), math.log10(1000), math.hypot(3, 4), math.inf > 1, math.isnan(math.nan), math.fsum([0.1] * 10), math.gcd(12, 18), math.factorial(10))
getcontext().prec = 10
print(Decimal(1) / Decimal(7), Decimal("2.675").quantize(Decimal("0.01"), rounding=ROUND_HALF_UP), Fraction(3, 12) + Fraction("0.5"), Fraction(0.75).limit_denominator(10))
with localcontext() as context:
    context.prec = 3
    print(Decimal(2).sqrt())
print(cmath.sqrt(-1), cmath.phase(1j), complex("1+2j").imag)
try:
    st.mean([])
except st.StatisticsError as error:
    print(error)
