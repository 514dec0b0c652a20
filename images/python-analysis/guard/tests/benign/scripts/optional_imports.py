"""Packages that may be there: each is tried, and the analysis goes on without it."""

import contextlib

import matplotlib.pyplot as plt

try:
    import seaborn_of_tomorrow as sns

    HAS_SEABORN = True
except ImportError:
    HAS_SEABORN = False

try:
    from lifelines_of_tomorrow import KaplanMeierFitter
except (ImportError, AttributeError):
    KaplanMeierFitter = None

tqdm = None
with contextlib.suppress(ImportError):
    from tqdm_of_tomorrow import tqdm


def progress(items):
    return tqdm(items) if tqdm else items


def survival_package():
    try:
        import survival_of_tomorrow.api as package
    except ModuleNotFoundError:
        return "none"
    else:
        return package.__name__


fig, ax = plt.subplots()
total = 0
for group, part in progress(list(visits.groupby("visit"))):
    total += len(part)
    if HAS_SEABORN:
        sns.kdeplot(part, ax=ax)
    else:
        ax.plot(range(len(part)), label=str(group))
print(HAS_SEABORN, KaplanMeierFitter, survival_package(), total == len(visits))
