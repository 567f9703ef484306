use petgraph::algo::{dijkstra, is_cyclic_directed, kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::unionfind::UnionFind;
use petgraph::visit::{Bfs, EdgeRef};

fn main() {
    let mut graph = DiGraph::<&str, u32>::new();
    let nodes: Vec<NodeIndex> = ["a", "b", "c", "d", "e"].iter().map(|n| graph.add_node(n)).collect();
    for (from, to, cost) in [(0, 1, 4), (0, 2, 1), (2, 1, 2), (1, 3, 5), (3, 4, 3)] {
        graph.add_edge(nodes[from], nodes[to], cost);
    }
    let far = dijkstra(&graph, nodes[0], None, |e| *e.weight());
    println!("{:?}", nodes.iter().map(|n| far.get(n).copied()).collect::<Vec<_>>());
    println!("{:?} {}", toposort(&graph, None).map(|o| o.len()), is_cyclic_directed(&graph));
    graph.add_edge(nodes[4], nodes[2], 1);
    println!("{:?}", kosaraju_scc(&graph).iter().map(Vec::len).collect::<Vec<_>>());
    println!("{:?}", graph.edges(nodes[0]).map(|e| graph[e.target()]).collect::<Vec<_>>());
    let around = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
    let mut bfs = Bfs::new(&around, NodeIndex::new(0));
    let mut order = Vec::new();
    while let Some(n) = bfs.next(&around) {
        order.push(n.index());
    }
    let mut sets = UnionFind::<usize>::new(6);
    sets.union(1, 4);
    println!("{order:?} {} {}", sets.equiv(1, 4), sets.equiv(0, 5));
}
