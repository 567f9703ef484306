//! A drawing as compact JSON for the page's script: an array for each shape, its kind first.

use contest::drawing::{Drawing, Paint, Shape};
use serde_json::{json, Value};

/// The shapes of a drawing.
pub(super) fn shapes(drawing: &Drawing) -> Vec<Value> {
    drawing.shapes.iter().map(shape).collect()
}

/// A coordinate with three decimals.
pub(super) fn short(x: f32) -> Value {
    let rounded = (f64::from(x) * 1000.0).round() / 1000.0;
    match rounded {
        whole if whole.fract() == 0.0 && whole.abs() < 1e9 => json!(whole as i64),
        other => json!(other),
    }
}

/// Coordinates one after the other.
pub(super) fn points(points: &[[f32; 2]]) -> Value {
    points.iter().flatten().map(|&x| short(x)).collect()
}

/// A shape.
pub(super) fn shape(shape: &Shape) -> Value {
    let numbers = |kind: &str, numbers: &[f32], paint: Paint| {
        let mut array = vec![json!(kind)];
        array.extend(numbers.iter().map(|&x| short(x)));
        array.push(json!(paint.name()));
        Value::Array(array)
    };
    match shape {
        Shape::Rect(at, paint) => numbers("r", at, *paint),
        Shape::Disc(at, paint) => numbers("d", at, *paint),
        Shape::Ring(at, paint) => numbers("o", at, *paint),
        Shape::Line(line, width, paint) => json!(["l", points(line), short(*width), paint.name()]),
        Shape::Area(area, paint) => json!(["a", points(area), paint.name()]),
        Shape::Text([x, y], height, text, paint) => {
            json!(["t", short(*x), short(*y), short(*height), text, paint.name()])
        }
        Shape::Name([x, y], height, player) => {
            json!(["n", short(*x), short(*y), short(*height), player.index()])
        }
        Shape::Lines(text) => json!(["p", text]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Player;

    #[test]
    fn shapes_are_short() {
        let mut drawing = Drawing::new(3.0, 3.0);
        drawing.shapes.push(Shape::Disc([1.0, 2.5, 1.0 / 3.0], Paint::Player(Player::SECOND)));
        drawing.line(&[[0.0, 1.0], [2.0, 0.25]], 0.1, Paint::Grid);
        drawing.text([1.0, 1.0], 0.5, "</script>", Paint::Text);
        drawing.shapes.push(Shape::Name([1.0, 2.0], 0.5, Player::SECOND));
        let expected = r#"[["d",1,2.5,0.333,"s1"],["l",[0,1,2,0.25],0.1,"grid"],["t",1,1,0.5,"</script>","text"],["n",1,2,0.5,1]]"#;
        assert_eq!(Value::Array(shapes(&drawing)).to_string(), expected);
    }
}
