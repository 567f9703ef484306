//! The page of a game that a person plays in a browser: the board, whose legal moves are links, and what to do next. Without
//! scripts: each move is a new page.

use std::fmt::Write;

use contest::drawing::{Drawing, Paint, Shape};
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

use crate::html;
use coppice_referee::text::xml;

/// A position of a game, as a person sees it.
pub struct Table {
    /// The title: contest and bot.
    pub title: String,
    /// Who is to move, or how the game has ended.
    pub state: String,
    /// The last message, such as a hint; may be empty.
    pub said: String,
    /// The position.
    pub drawing: Drawing,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The person's legal moves; empty when it isn't to move.
    pub moves: Vec<Link>,
    /// The other actions.
    pub actions: Vec<Link>,
    /// The moves so far.
    pub played: String,
}

/// A link, and the shapes on the board that follow it.
#[derive(Serialize)]
pub struct Link {
    /// The address.
    pub address: String,
    /// The text.
    pub text: String,
    /// The shapes of a move.
    #[serde(skip)]
    pub marks: Vec<Shape>,
}

/// The page.
///
/// # Errors
/// If the template can't be filled in, which no text should cause.
pub fn page(table: &Table) -> Result<String, minijinja::Error> {
    html::render(
        include_str!("page.html"),
        include_str!("page.css"),
        context! {
            title => table.title.as_str(),
            state => table.state.as_str(),
            said => table.said.as_str(),
            board => board(table),
            moves => minijinja::Value::from(Serde(&table.moves)),
            actions => minijinja::Value::from(Serde(&table.actions)),
            keys => table.drawing.keys.iter().map(|key| {
                context! { paint => key.paint.map(colour), text => key.text.as_str() }
            }).collect::<Vec<_>>(),
            played => table.played.as_str(),
        },
    )
}

/// The board, with a link on the shapes of each move.
fn board(table: &Table) -> String {
    let Drawing { width, height, edge, shapes, .. } = &table.drawing;
    let mut svg = format!(
        "<svg viewBox=\"{} {} {} {}\" role=\"img\" aria-label=\"the board\">",
        -edge,
        -edge,
        width + edge,
        height + edge
    );
    shapes.iter().for_each(|shape| draw(&mut svg, shape, &table.names));
    for Link { address, text, marks } in table.moves.iter().filter(|link| !link.marks.is_empty()) {
        let _ = write!(svg, "<a href=\"{}\" tabindex=\"-1\"><title>{}</title>", xml(address), xml(text));
        marks.iter().for_each(|shape| draw(&mut svg, shape, &table.names));
        svg += "</a>";
    }
    svg + "</svg>"
}

fn colour(paint: Paint) -> String {
    match paint.name() {
        name if matches!(paint, Paint::Player(_) | Paint::Reach(_)) => format!("var(--p{})", &name[1..]),
        name => format!("var(--{name})"),
    }
}

/// Adds a shape, as the script of a game's page draws it (`view/page.js`).
fn draw(svg: &mut String, shape: &Shape, names: &[String]) {
    let fill = |paint: &Paint| format!("fill=\"{}\" fill-opacity=\"{}\"", colour(*paint), paint.opacity());
    let stroke = |paint: &Paint| format!("fill=\"none\" stroke=\"{}\"", colour(*paint));
    let list = |points: &[[f32; 2]]| points.iter().map(|[x, y]| format!("{x},{y} ")).collect::<String>();
    let mut text = |x: f32, y: f32, size: f32, words: &str, paint: Paint| {
        let (fill, words) = (colour(paint), xml(words));
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"middle\" \
             dominant-baseline=\"central\">{words}</text>"
        );
    };
    let element = match shape {
        Shape::Text([x, y], size, words, paint) => return text(*x, *y, *size, words, *paint),
        Shape::Name([x, y], size, player) => {
            let name = names.get(player.index()).map_or("", String::as_str);
            return text(*x, *y, *size, name, Paint::Text);
        }
        Shape::Lines(lines) => {
            let line = |(i, line): (usize, &str)| {
                format!(
                    "<text x=\"0\" y=\"{}\" font-size=\"1.66\" fill=\"var(--text)\" font-family=\"ui-monospace,monospace\" \
                     xml:space=\"preserve\">{}</text>",
                    2.0 * i as f32 + 1.5,
                    xml(line)
                )
            };
            lines.lines().enumerate().map(line).collect()
        }
        Shape::Rect([x, y, width, height], paint) => {
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {}/>", fill(paint))
        }
        Shape::Disc([x, y, r], paint) => {
            let rim = match paint {
                Paint::Black | Paint::White => {
                    format!(" stroke=\"var(--grid)\" stroke-width=\"{}\"", 0.06 * r)
                }
                _ => String::new(),
            };
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {}{rim}/>", fill(paint))
        }
        Shape::Ring([x, y, r], paint) => format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" {} stroke-width=\"{}\"/>",
            0.87 * r,
            stroke(paint),
            0.26 * r
        ),
        Shape::Line(points, width, paint) => format!(
            "<polyline points=\"{}\" {} stroke-opacity=\"{}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>",
            list(points),
            stroke(paint),
            paint.opacity()
        ),
        Shape::Area(points, paint) => format!("<polygon points=\"{}\" {}/>", list(points), fill(paint)),
    };
    *svg += &element;
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Player;

    #[test]
    fn every_move_is_a_link_and_texts_are_escaped() {
        let mut drawing = Drawing::board(1, 2, |at| at.to_string(), |at| at.to_string());
        drawing.piece(0, 0, Player::SECOND);
        drawing.shapes.push(Shape::Name([1.0, 1.0], 0.5, Player::FIRST));
        let link = |address: &str, text: &str, marks| Link {
            address: address.to_owned(),
            text: text.to_owned(),
            marks,
        };
        let marks = vec![Shape::Rect([1.0, 1.0, 1.0, 1.0], Paint::Last)];
        let table = Table {
            title: "a <b>".to_owned(),
            state: "you move".to_owned(),
            said: String::new(),
            drawing,
            names: vec!["<you>".to_owned(), "bot".to_owned()],
            moves: vec![link("play?at=0&m=0", "0,1", marks), link("play?at=0&m=1", "x<y", Vec::new())],
            actions: vec![link("undo?at=0", "undo", Vec::new())],
            played: String::new(),
        };
        let page = page(&table).unwrap();
        assert!(page.contains("<title>a &lt;b&gt;</title>") && page.contains("&lt;you&gt;</text>"), "{page}");
        assert!(page.contains("var(--p1)") && !page.contains("<script"), "{page}");
        let on_board = "<a href=\"play?at=0&amp;m=0\" tabindex=\"-1\"><title>0,1</title><rect ";
        assert_eq!((page.matches(on_board).count(), page.matches("tabindex").count()), (1, 1), "{page}");
        assert!(page.contains(">x&lt;y</a>") && page.contains(">undo</a>"), "{page}");
    }
}
