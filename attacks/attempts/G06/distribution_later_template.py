"""The template of a distribution, when it is copied: code that nobody has looked at."""
import copy

from scipy import stats


class Distribution(stats.rv_continuous):
    def _construct_argparser(self, *args, **kwargs):
        super()._construct_argparser(*args, **kwargs)
        self._parse_arg_template = self._parse_arg_template + "\nprint('ESCAPED:distribution_later_template', ().__class__.__base__.__subclasses__()[0])\n"


Distribution()
