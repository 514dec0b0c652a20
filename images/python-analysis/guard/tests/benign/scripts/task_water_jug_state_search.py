from collections import deque


def solve(capacities, goal):
    start = (0,) * len(capacities)
    parent = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if goal in state:
            path = []
            while state is not None:
                path.append(state)
                state = parent[state]
            return path[::-1]
        for i in range(len(state)):
            for new in (
                state[:i] + (capacities[i],) + state[i + 1:],
                state[:i] + (0,) + state[i + 1:],
                *(pour(state, capacities, i, j) for j in range(len(state)) if j != i),
            ):
                if new not in parent:
                    parent[new] = state
                    queue.append(new)


def pour(state, cap, i, j):
    amount = min(state[i], cap[j] - state[j])
    new = list(state)
    new[i] -= amount
    new[j] += amount
    return tuple(new)


for step, state in enumerate(solve((3, 5), 4)):
    print(step, state)
print(solve((2, 4), 3))
print(len(solve((3, 5, 8), 7)) - 1, "steps with three jugs")
