import networkx as nx, io
G = nx.gnp_random_graph(6, 0.5, seed=3)
nx.set_edge_attributes(G, 1.5, "w")
nx.write_edgelist(G, "g.edges"); print(nx.read_edgelist("g.edges", nodetype=int).number_of_edges())
nx.write_graphml(G, "g.graphml"); print(nx.read_graphml("g.graphml", node_type=int).edges(data=True))
nx.write_gml(G, "g.gml"); print(nx.read_gml("g.gml").number_of_nodes())
nx.write_gexf(G, "g.gexf"); print(nx.read_gexf("g.gexf").number_of_nodes())
nx.write_adjlist(G, "g.adj"); print(nx.read_adjlist("g.adj").nodes)
print(list(nx.generate_edgelist(G, data=False))[:3], nx.parse_edgelist(["1 2", "2 3"]).edges)
b = io.BytesIO(); nx.write_edgelist(G, b); print(len(b.getvalue()))
import json
print(json.dumps(nx.readwrite.json_graph.node_link_data(G))[:60]); print(nx.cytoscape_data(G).keys())
from networkx.readwrite import json_graph
from networkx.algorithms import community, bipartite
print(json_graph.adjacency_data(G)["nodes"][:2], len(list(community.label_propagation_communities(G))))
print(nx.to_latex(G)[:30])
