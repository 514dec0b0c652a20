import sys

total = 0
for line in sys.stdin:
    total += int(line)
print("total", total)
print("to stderr", file=sys.stderr)
sys.stdout.write("written\n")
sys.stdout.flush()
