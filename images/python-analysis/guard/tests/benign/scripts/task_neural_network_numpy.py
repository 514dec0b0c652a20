import numpy as np

np.random.seed(0)


class Layer:
    def __init__(self, n_in, n_out):
        self.W = np.random.randn(n_in, n_out) * np.sqrt(2 / n_in)
        self.b = np.zeros(n_out)

    def forward(self, x):
        self.x = x
        return x @ self.W + self.b

    def backward(self, grad, lr):
        dx = grad @ self.W.T
        self.W -= lr * self.x.T @ grad
        self.b -= lr * grad.sum(axis=0)
        return dx


class Tanh:
    def forward(self, x):
        self.out = np.tanh(x)
        return self.out

    def backward(self, grad, lr):
        return grad * (1 - self.out**2)


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
y = np.array([[0], [1], [1], [0]], dtype=float)
net = [Layer(2, 8), Tanh(), Layer(8, 1)]
for epoch in range(2001):
    out = X
    for layer in net:
        out = layer.forward(out)
    p = sigmoid(out)
    loss = -np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))
    grad = (p - y) / len(X)
    for layer in reversed(net):
        grad = layer.backward(grad, lr=0.5)
    if epoch % 500 == 0:
        print(f"epoch {epoch:>4} loss {loss:.4f}")
print("predictions:", (p > 0.5).astype(int).ravel(), "accuracy:", float(((p > 0.5) == y).mean()))
print("parameters:", sum(l.W.size + l.b.size for l in net if isinstance(l, Layer)))
