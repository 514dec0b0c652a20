import networkx as nx
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt
G = nx.cycle_graph(5)
fig, ax = plt.subplots()
pos = nx.circular_layout(G)
nx.draw(G, pos, ax=ax, with_labels=True, node_color="lightblue", node_size=300, edge_color="gray")
nx.draw_networkx_edge_labels(G, pos, edge_labels={(0, 1): "x"})
plt.savefig("g.png"); plt.close(fig)
D = nx.DiGraph([(0, 1), (1, 2)])
plt.figure(); nx.draw_networkx(D, nx.kamada_kawai_layout(D), arrows=True, arrowstyle="->"); plt.savefig("d.png"); plt.close("all")
nx.draw_spring(G, seed=1) if False else nx.draw_shell(G); plt.axis("off"); plt.savefig("e.png"); plt.close("all")
import os; print(sorted(os.listdir(".")) != [], os.path.getsize("g.png") > 1000)
