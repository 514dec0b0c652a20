import numpy as np
import pandas as pd
from scipy.optimize import linprog, milp, LinearConstraint, Bounds

foods = pd.DataFrame({
    "food": ["bread", "milk", "cheese", "potato", "fish"],
    "cost": [2.0, 3.5, 8.0, 1.5, 11.0],
    "energy": [250, 60, 400, 80, 100],
    "protein": [9, 3, 25, 2, 22],
    "calcium": [30, 120, 700, 10, 20],
}).set_index("food")
need = pd.Series({"energy": 2000, "protein": 55, "calcium": 800})

res = linprog(foods["cost"], A_ub=-foods[need.index].T, b_ub=-need, bounds=[(0, 10)] * len(foods), method="highs")
plan = pd.Series(res.x, index=foods.index)
print(plan[plan > 1e-9].round(3).to_string())
print(f"cost {res.fun:.2f}, status {res.status}, {res.message.split('.')[0]}")
supply = foods[need.index].mul(plan, axis=0).sum()
print(pd.DataFrame({"need": need, "supply": supply.round(1)}))
print("shadow prices:", (-res.ineqlin.marginals).round(5))

values, weights = np.array([10, 13, 7, 8, 12]), np.array([3, 4, 2, 3, 5])
knap = milp(-values, constraints=LinearConstraint(weights, ub=9), integrality=np.ones(5), bounds=Bounds(0, 1))
print("knapsack:", knap.x.round().astype(int), -knap.fun)
bad = linprog([1], A_ub=[[1], [-1]], b_ub=[1, -2])
print("infeasible:", bad.status == 2, bad.success)
