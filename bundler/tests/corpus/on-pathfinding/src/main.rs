use pathfinding::prelude::{astar, bfs, dijkstra, kuhn_munkres, Matrix};

fn next(&(x, y): &(i32, i32)) -> Vec<((i32, i32), u32)> {
    [(1, 2), (2, 1), (-1, 2), (2, -1)].iter().map(|(a, b)| ((x + a, y + b), 1)).collect()
}

fn main() {
    let goal = (4, 5);
    let far = |&(x, y): &(i32, i32)| (x.abs_diff(goal.0) + y.abs_diff(goal.1)) / 3;
    println!("{:?}", astar(&(0, 0), next, far, |p| *p == goal).map(|(_, cost)| cost));
    println!("{:?}", dijkstra(&1u32, |n| [(n * 2, 3), (n + 3, 5)], |n| *n == 17).map(|p| p.1));
    println!("{:?}", bfs(&0u8, |n| [n + 1, n + 7].into_iter().filter(|n| *n < 40), |n| *n == 22).map(|p| p.len()));
    let weights = Matrix::from_rows([[3, 8, 1], [7, 2, 4], [5, 6, 9]]).unwrap();
    println!("{:?}", kuhn_munkres(&weights));
}
