"""Text that patsy evaluates formats a text that it holds itself."""
import matplotlib.pyplot as plt
import patsy

figure = plt.figure
env = patsy.EvalEnvironment.capture(0)
print("ESCAPED:format_in_a_formula", env.eval("'{0.__glob' 'als__[sys].version}'.format(figure)")[:20])
