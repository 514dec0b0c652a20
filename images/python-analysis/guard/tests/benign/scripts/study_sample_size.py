"""Sample sizes for common designs."""
import math
from scipy.stats import norm
from statsmodels.stats.power import TTestIndPower, NormalIndPower, FTestAnovaPower
from statsmodels.stats.proportion import proportion_effectsize, samplesize_proportions_2indep_onetail


def n_two_means(delta: float, sd: float, alpha: float = 0.05, power: float = 0.8, ratio: float = 1.0) -> int:
    z = norm.ppf(1 - alpha / 2) + norm.ppf(power)
    n1 = (1 + 1 / ratio) * (z * sd / delta) ** 2
    return math.ceil(n1)


def events_logrank(hr: float, alpha=0.05, power=0.9) -> int:
    """Schoenfeld's formula, 1:1 allocation."""
    return math.ceil(4 * (norm.ppf(1 - alpha / 2) + norm.ppf(power)) ** 2 / math.log(hr) ** 2)


def inflate(n, dropout=0.0, icc=0.0, cluster_size=1):
    return math.ceil(n * (1 + (cluster_size - 1) * icc) / (1 - dropout))


if __name__ == "__main__":
    n = n_two_means(delta=5, sd=14)
    print("per arm, t approx:", n, "| statsmodels:", math.ceil(TTestIndPower().solve_power(effect_size=5 / 14, alpha=0.05, power=0.8)))
    es = proportion_effectsize(0.30, 0.20)
    print("proportions:", math.ceil(NormalIndPower().solve_power(es, alpha=0.05, power=0.8)))
    print("ANOVA total:", math.ceil(FTestAnovaPower().solve_power(effect_size=0.25, k_groups=3, alpha=0.05, power=0.8)))
    for hr in (0.6, 0.7, 0.8):
        print(f"HR {hr}: {events_logrank(hr):>4d} events")
    print("cluster trial:", inflate(n, dropout=0.1, icc=0.02, cluster_size=20))
    curve = [(k, round(float(TTestIndPower().power(5 / 14, k, 0.05)), 3)) for k in range(60, 181, 40)]
    print("power curve:", curve)
