total = 0
def add(n):
    global total
    total += n
add(2); add(3)
print(total)
