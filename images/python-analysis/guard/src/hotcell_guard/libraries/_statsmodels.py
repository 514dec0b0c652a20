"""statsmodels, and patsy, which reads its formulas."""

from __future__ import annotations

from hotcell_guard.libraries._scipy import check_distribution_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    return {
        "statsmodels.stats.contrast": check_distribution_names,
        "statsmodels.stats._lilliefors": check_distribution_names,
        "patsy.eval": means.evaluation.formulas,
    }
