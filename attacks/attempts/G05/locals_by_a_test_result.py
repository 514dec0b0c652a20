"""numpy.testing hands out unittest's objects: a test's result tells what the variables of all frames hold."""
import numpy as np

case = np.testing.assert_raises(ValueError).test_case
print("ESCAPED:locals_by_a_test_result", case.defaultTestResult())
