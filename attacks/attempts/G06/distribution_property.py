"""A property is the template that scipy runs."""
from scipy import stats


class Mine(stats.rv_continuous):
    @property
    def _parse_arg_template(self):
        return "print('ESCAPED:distribution_property', ().__class__.__base__.__subclasses__()[0])"

    @_parse_arg_template.setter
    def _parse_arg_template(self, value):
        pass


try:
    Mine()
except KeyError:
    pass
