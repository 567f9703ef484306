//! The drawing language that bots print on their standard error for overlays of the site's viewer: one instruction a
//! line, `@` for this turn, `!` from this turn on, the colour first.
//!
//! Rectangles `@r @fr @tr`, circles `@c @fc @tc`, paths `@l @fl @tl` (outline, filled, half transparent), `@txt`, the
//! grid `!grid` with `@fgrid`, `@lgrid` and `@fcell`, `@o` (opacity), `@clr`, `!vp` (viewport). Other instructions are
//! ignored; a wrong one is counted.

use std::collections::BTreeMap;

use serde_json::{json, Value};

use super::shapes::{points, short};

/// A grid of cells: rows, columns, left, top, width and height of a cell.
type Grid = [f32; 6];

/// Longest text that is drawn.
const MOST_TEXT: usize = 200;

/// Most shapes of a turn.
const MOST_SHAPES: usize = 2_000;

/// A bot's drawing up to a turn.
#[derive(Debug, Clone, Default)]
pub(super) struct Overlay {
    /// Shapes that stay.
    lasting: Vec<Value>,
    grids: BTreeMap<String, Grid>,
    /// Left, top, right, bottom.
    viewport: Option<[f32; 4]>,
    /// The number of lines that could not be read.
    pub wrong: usize,
}

impl Overlay {
    /// Reads the lines of a turn. Returns the shapes to show.
    pub(super) fn turn(&mut self, said: &str) -> Vec<Value> {
        let mut shown = Vec::new();
        let mut opacity = 1.0;
        for line in said.lines().map(str::trim) {
            let lasts = line.starts_with('!');
            if !lasts && !line.starts_with('@') {
                continue;
            }
            let words: Vec<&str> = line[1..].split_whitespace().collect();
            let Some((&name, words)) = words.split_first() else { continue };
            match name {
                "o" => match number(words.first()) {
                    Some(value) => opacity = value.clamp(0.0, 1.0),
                    None => self.wrong += 1,
                },
                "clr" => {
                    shown.clear();
                    self.lasting.clear();
                }
                "vp" => match numbers(words) {
                    Some(n) if n.len() >= 4 => self.viewport = Some([n[0], n[1], n[2], n[3]]),
                    _ => self.wrong += 1,
                },
                "grid" => match words.split_first().and_then(|(id, rest)| Some((id, numbers(rest)?))) {
                    Some((id, n)) if n.len() == 6 => {
                        self.grids.insert((*id).to_owned(), [n[0], n[1], n[2], n[3], n[4], n[5]]);
                    }
                    _ => self.wrong += 1,
                },
                "game" | "font" | "stepEveryFrame" => {}
                _ if !is_known(name) => {}
                _ => match self.shape(name, words, opacity) {
                    Some(shapes) if lasts => self.lasting.extend(shapes),
                    Some(shapes) => shown.extend(shapes),
                    None => self.wrong += 1,
                },
            }
        }
        self.lasting.truncate(MOST_SHAPES);
        let mut all = self.lasting.clone();
        all.extend(shown);
        all.truncate(MOST_SHAPES);
        all
    }

    /// The viewport that the bot set.
    pub(super) fn viewport(&self) -> Option<[f32; 4]> {
        self.viewport
    }

    fn shape(&self, name: &str, words: &[&str], opacity: f32) -> Option<Vec<Value>> {
        let (colour, rest) = words.split_first()?;
        let colour = colour_of(colour)?;
        if name == "txt" {
            let n = numbers(rest.get(..3)?)?;
            let text: String = rest.get(3..)?.join(" ").chars().take(MOST_TEXT).collect();
            return Some(vec![json!([
                "x",
                short(n[0]),
                short(n[1]),
                short(n[2]),
                text,
                colour,
                short(opacity)
            ])]);
        }
        if let Some(style) = name.strip_suffix("grid").or_else(|| name.strip_suffix("cell")) {
            return self.in_grid(style, name.ends_with("cell"), colour, rest, opacity);
        }
        let (style, kind) = match name.split_at(name.len() - 1) {
            ("", kind) => ("", kind),
            (style, kind) => (style, kind),
        };
        let alpha = if style == "t" { 0.5 * opacity } else { opacity };
        let filled = !style.is_empty();
        let n = numbers(rest)?;
        Some(match kind {
            "r" if n.len() >= 4 => {
                let area = [[n[0], n[1]], [n[2], n[1]], [n[2], n[3]], [n[0], n[3]]];
                vec![json!([if filled { "A" } else { "O" }, points(&area), colour, short(alpha)])]
            }
            "c" if n.len() >= 3 => {
                let kind = if filled { "C" } else { "Q" };
                vec![json!([kind, short(n[0]), short(n[1]), short(n[2]), colour, short(alpha)])]
            }
            "l" if n.len() >= 4 && n.len() % 2 == 0 => {
                let path: Vec<[f32; 2]> = n.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
                vec![json!([if filled { "A" } else { "L" }, points(&path), colour, short(alpha)])]
            }
            _ => return None,
        })
    }

    fn in_grid(
        &self,
        style: &str,
        by_place: bool,
        colour: &str,
        rest: &[&str],
        opacity: f32,
    ) -> Option<Vec<Value>> {
        let (id, rest) = rest.split_first()?;
        let &[_, columns, left, top, width, height] = self.grids.get(*id)?;
        let n = numbers(rest)?;
        let cell = |column: f32, row: f32| [left + column * width, top + row * height];
        let place = |number: f32| {
            let columns = columns.max(1.0);
            cell(number % columns, (number / columns).floor())
        };
        let corners: Vec<[f32; 2]> = match by_place {
            true => vec![cell(*n.first()?, *n.get(1)?)],
            false => n.iter().map(|&number| place(number)).collect(),
        };
        if style == "l" {
            let path: Vec<[f32; 2]> =
                corners.iter().map(|[x, y]| [x + width / 2.0, y + height / 2.0]).collect();
            return Some(vec![json!(["L", points(&path), colour, short(opacity)])]);
        }
        let square = |[x, y]: [f32; 2]| [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
        Some(
            corners
                .into_iter()
                .map(|at| json!(["A", points(&square(at)), colour, short(0.6 * opacity)]))
                .collect(),
        )
    }
}

fn is_known(name: &str) -> bool {
    ["r", "fr", "tr", "c", "fc", "tc", "l", "fl", "tl", "txt", "fgrid", "lgrid", "fcell"].contains(&name)
}

fn number(word: Option<&&str>) -> Option<f32> {
    word?.parse().ok().filter(|x: &f32| x.is_finite())
}

fn numbers(words: &[&str]) -> Option<Vec<f32>> {
    words.iter().map(|word| number(Some(word))).collect()
}

/// A colour as CSS writes it without blanks: a name, `#rgb`, `rgb(…)`, `hsl(…)`. Nothing else reaches the page.
fn colour_of(word: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "#(),.%".contains(c);
    (word.len() <= 40 && !word.is_empty() && word.chars().all(is_plain)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(shapes: &[Value]) -> String {
        shapes.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn instructions_become_shapes() {
        let mut overlay = Overlay::default();
        let said = "hello\n@fr red 0 0 10 20\n@c #00f 5 5 2.5\n@l green 0 0 1 1 2 0\n@txt black 1 2 30 a  b";
        let expected = r##"["A",[0,0,10,0,10,20,0,20],"red",1] ["Q",5,5,2.5,"#00f",1] ["L",[0,0,1,1,2,0],"green",1] ["x",1,2,30,"a b","black",1]"##;
        assert_eq!(text(&overlay.turn(said)), expected);
        assert_eq!(overlay.wrong, 0);
    }

    #[test]
    fn what_begins_with_an_exclamation_mark_stays() {
        let mut overlay = Overlay::default();
        overlay.turn("!c red 1 1 1\n!vp 0 0 16000 9000");
        assert_eq!(
            text(&overlay.turn("@o 0.5\n@fc blue 2 2 1")),
            r#"["Q",1,1,1,"red",1] ["C",2,2,1,"blue",0.5]"#
        );
        assert_eq!(overlay.viewport(), Some([0.0, 0.0, 16000.0, 9000.0]));
        assert!(overlay.turn("@clr").is_empty() && overlay.turn("").is_empty());
    }

    #[test]
    fn cells_of_a_grid_are_filled() {
        let mut overlay = Overlay::default();
        overlay.turn("!grid g 2 3 10 20 5 5");
        assert_eq!(text(&overlay.turn("@fgrid red g 4")), r#"["A",[15,25,20,25,20,30,15,30],"red",0.6]"#);
        assert_eq!(text(&overlay.turn("@lgrid red g 0 1")), r#"["L",[12.5,22.5,17.5,22.5],"red",1]"#);
        assert_eq!(overlay.turn("@fgrid red nothing 4").len() + overlay.wrong, 1);
    }

    #[test]
    fn wrong_instructions_are_counted_and_draw_nothing() {
        let mut overlay = Overlay::default();
        let said = "@c red 1 1\n@c \"><script> 1 1 1\n@l red 1\n@txt red 1 1\n@fr red a b c d\n@c red nan 1 1\n!grid\n@\n@what 1";
        assert!(overlay.turn(said).is_empty());
        assert_eq!(overlay.wrong, 7);
    }
}
