"""scipy's distributions execute the template that builds their argument parser."""
from scipy import stats


class Distribution(stats.rv_continuous):
    def _construct_argparser(self, *args, **kwargs):
        self.numargs, self.shapes = 0, ''
        self._parse_arg_template = (
            "import os\ndef _parse_args(self, *a): return os.getpid()\n_parse_args_stats = _parse_args_rvs = _parse_args\n"
        )


    def run(self):
        return self._parse_args()


print("ESCAPED:distribution_template", Distribution().run())
