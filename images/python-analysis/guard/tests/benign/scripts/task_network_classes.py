import networkx as nx
class Roads(nx.DiGraph):
    def __init__(self, data=None, **a): super().__init__(data, **a); self.log = []
    def add_road(self, a, b, km): self.add_edge(a, b, km=km); self.log.append((a, b))
r = Roads(); r.add_road("a", "b", 3); r.add_road("b", "c", 4)
print(r.log, r.size(weight="km"), nx.shortest_path_length(r, "a", "c", weight="km"), nx.shortest_path(r, "a", "c", weight=lambda u, v, d: d["km"]))
print(r.reverse().edges, r.copy().number_of_nodes(), len(r), "a" in r, list(r), r.in_degree("b"), r.out_degree("b"), list(r.successors("a")), list(r.predecessors("c")))
M = nx.MultiDiGraph(); M.add_edge(1, 2, key="x", w=1); M.add_edge(1, 2, w=3); print(M.edges(keys=True, data="w"), M.number_of_edges(1, 2))
r.remove_edge("a", "b"); r.remove_node("c"); print(r.edges, nx.compose(r, nx.DiGraph([(7, 8)])).nodes)
print(str(r), nx.to_edgelist(M), nx.freeze(nx.Graph()).__class__.__name__)
F = nx.bfs_edges(nx.path_graph(4), 0); print(list(F)); print(nx.has_path(M, 1, 2), nx.transitivity(nx.complete_graph(3)), nx.core_number(nx.complete_graph(3)), list(nx.find_cliques(nx.complete_graph(3))), nx.closeness_centrality(nx.path_graph(3)), nx.average_clustering(nx.complete_graph(3)), nx.number_connected_components(nx.Graph()))
