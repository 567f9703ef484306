//! Positions for the page's script, each as its difference from the one before: most shapes stay from turn to turn.

use std::collections::HashMap;

use serde_json::{json, Value};

/// Positions as `{"shapes": [...], "positions": [...]}`: the different shapes, and for each position `null` or a list of
/// parts. A part is the number of a shape, or `[from, count]`: shapes of the position before it.
pub(super) fn packed(positions: &[Option<Vec<Value>>]) -> Value {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut shapes = Vec::new();
    let mut before: Vec<usize> = Vec::new();
    let mut packed = Vec::new();
    for position in positions {
        let Some(position) = position else {
            packed.push(Value::Null);
            continue;
        };
        let number = |shape: &Value| {
            *numbers.entry(shape.to_string()).or_insert_with(|| {
                shapes.push(shape.clone());
                shapes.len() - 1
            })
        };
        let now = position.iter().map(number).collect::<Vec<_>>();
        packed.push(difference(&before, &now));
        before = now;
    }
    json!({"shapes": shapes, "positions": packed})
}

fn difference(before: &[usize], now: &[usize]) -> Value {
    // The first place of each shape.
    let places: HashMap<usize, usize> =
        before.iter().enumerate().rev().map(|(place, &shape)| (shape, place)).collect();
    let mut parts: Vec<Value> = Vec::new();
    let mut at = 0;
    while at < now.len() {
        let from = places.get(&now[at]).copied();
        let same = |from: usize| before[from..].iter().zip(&now[at..]).take_while(|(a, b)| a == b).count();
        match from.map(|from| (from, same(from))) {
            // A run of one is shorter as a shape.
            Some((from, count)) if count > 1 => {
                parts.push(json!([from, count]));
                at += count;
            }
            _ => {
                parts.push(json!(now[at]));
                at += 1;
            }
        }
    }
    Value::Array(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unpacks as the page's script does.
    fn unpacked(packed: &Value) -> Vec<Option<Vec<Value>>> {
        let shapes = packed["shapes"].as_array().unwrap();
        let mut before: Vec<Value> = Vec::new();
        let position = |parts: &Value| {
            let mut now = Vec::new();
            for part in parts.as_array()? {
                match part.as_u64() {
                    Some(number) => now.push(shapes[number as usize].clone()),
                    None => {
                        let [from, count] = [0, 1].map(|i| part[i].as_u64().unwrap() as usize);
                        now.extend_from_slice(&before[from..from + count]);
                    }
                }
            }
            before.clone_from(&now);
            Some(now)
        };
        packed["positions"].as_array().unwrap().iter().map(position).collect()
    }

    #[test]
    fn positions_are_their_differences() {
        let position =
            |text: &str| Some(text.chars().map(|shape| json!(shape.to_string())).collect::<Vec<_>>());
        let positions = [
            position("board"),
            None,
            position("boxard"),
            position(""),
            position("aa"),
            position("aabboard"),
            position("xboxboard"),
        ];
        let packed = packed(&positions);
        assert_eq!(unpacked(&packed), positions);
        assert_eq!(packed["positions"][2], json!([[0, 2], 5, [2, 3]]), "bo, x, ard");
        assert_eq!(packed["shapes"].as_array().unwrap().len(), 6);
    }

    #[test]
    fn trails_that_grow_are_short() {
        // Two trails of 300 cells, growing by one cell in each turn.
        let shape = |player: usize, at: usize| json!(["r", at % 30, at / 30, 1, 1, format!("s{player}")]);
        let position = |turn: usize| {
            let trail = |player: usize| (0..turn).map(move |at| shape(player, at));
            Some(trail(0).chain([json!("head")]).chain(trail(1)).collect::<Vec<_>>())
        };
        let positions = (0..300).map(position).collect::<Vec<_>>();
        let packed = packed(&positions);
        assert_eq!(unpacked(&packed), positions);
        assert!(packed.to_string().len() < 30_000, "{}", packed.to_string().len());
    }
}
