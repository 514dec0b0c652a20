import os
import numpy as np

arr = np.linspace(0, 1, 11)
matrix = np.arange(6).reshape(2, 3)

np.save("arr.npy", arr)
np.savez("both.npz", arr=arr, matrix=matrix)
np.savez_compressed("small.npz", zeros=np.zeros(1000))
np.savetxt("matrix.txt", matrix, header="a b c", fmt="%.2f")

print(np.array_equal(np.load("arr.npy"), arr))
with np.load("both.npz") as data:
    print(sorted(data.files), data["matrix"].tolist())
print(np.load("small.npz")["zeros"].sum(), os.path.getsize("small.npz") < 8000)
print(np.loadtxt("matrix.txt").tolist())
with open("matrix.txt") as f:
    print(f.readline().strip())
for name in ("arr.npy", "both.npz", "small.npz"):
    os.remove(name)
print(sorted(os.listdir(".")))
