"""scikit-learn lists a directory by its name."""
from sklearn.datasets import load_files

found = load_files("@OUTSIDE@", load_content=False, shuffle=False)
print("ESCAPED:texts_of_a_directory" if found.target_names is not None else "held")
