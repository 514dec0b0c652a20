state = {"count": 0}
def bump():
    state["count"] += 1
    return state["count"]
bump(); bump()
x = 5
x += 3; x -= 1; x *= 2; x //= 3; x **= 2; x %= 7; x |= 8; x &= 12; x ^= 1; x <<= 2; x >>= 1
print(state, x)
d = {"a": [1, 2]}
d["a"] += [3]; d["a"][0] *= 10
lst = list(range(10))
lst[2:5] = ["x"]; del lst[0]; lst[-1] += 1
print(d, lst, lst[::-1], lst[1:8:3])
del d["a"]
print(d, "a" in d)
s = {1, 2, 3}; s |= {4}; s -= {1}; print(s & {2, 4}, s ^ {2, 9}, s <= {2, 3, 4, 5})
a = b = c = 0
a, (b, c) = 1, (2, 3)
first, *middle, last = "hello"
print(a, b, c, first, middle, last)
