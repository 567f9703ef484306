//! A drawing in a terminal: half blocks in two colours a character, with its texts between them.

use contest::drawing::{Drawing, Shape};
use contest::paint::{Paint, Rgb};

use super::palette::{readable, Palette};

/// The narrowest picture in characters: in a narrower one texts overlap.
const NARROWEST: usize = 40;
/// Samples along each side of a pixel.
const SAMPLES: usize = 3;
/// The width of a ring, in its radius, as pages draw it: 0.26 around 0.87.
const RING: f32 = 0.26;

/// A picture: pixels, two to a character, and texts.
struct Picture {
    width: usize,
    height: usize,
    /// The colour of each pixel; `None` where nothing is drawn.
    pixels: Vec<Option<Rgb>>,
    /// Characters over two pixels.
    letters: Vec<Option<(char, Paint)>>,
}

/// A drawing as large as `columns` and `rows` of characters allow; `None` if that is too small to see something. Bots are
/// named by their seats.
pub(super) fn picture(drawing: &Drawing, palette: Palette, [columns, rows]: [usize; 2]) -> Option<String> {
    let (width, height) = (drawing.width + drawing.edge, drawing.height + drawing.edge);
    let scale = (columns as f32 / width).min(2.0 * rows as f32 / height);
    // Cells of a board get as many pixels each.
    let scale = if drawing.board.is_some() { scale.floor() } else { scale };
    if !scale.is_finite() || width * scale < NARROWEST as f32 {
        return None;
    }
    let mut picture = Picture::new((width * scale) as usize, (height * scale).ceil() as usize);
    picture.paint(drawing, scale, palette);
    for shape in &drawing.shapes {
        let (middle, text) = match shape {
            Shape::Text(middle, _, text, _) => (middle, text.clone()),
            Shape::Name(middle, _, player) => (middle, player.index().to_string()),
            _ => continue,
        };
        picture.write(
            middle.map(|at| (at + drawing.edge) * scale),
            &text,
            shape.paint().unwrap_or(Paint::Text),
        );
    }
    Some(picture.text(palette))
}

/// The colours of a drawing that are explained, in one line.
pub(super) fn legend(drawing: &Drawing, palette: Palette) -> Option<String> {
    let key = |paint: Paint, text: &str| {
        format!("{}\u{2588}\u{2588}\x1b[0m {text}", palette.command(Some(palette.over(None, paint)), None))
    };
    let keys =
        drawing.keys.iter().filter_map(|known| Some(key(known.paint?, &known.text))).collect::<Vec<_>>();
    (!keys.is_empty()).then(|| keys.join("  "))
}

impl Picture {
    /// An empty picture, whose height is made even.
    fn new(width: usize, height: usize) -> Picture {
        let height = height.next_multiple_of(2);
        Picture { width, height, pixels: vec![None; width * height], letters: vec![None; width * height / 2] }
    }

    /// Draws the shapes: a pixel has the mean of its samples, and is empty if most of them are.
    fn paint(&mut self, drawing: &Drawing, scale: f32, palette: Palette) {
        let fine = SAMPLES as f32 * scale;
        let (across, down) = (self.width * SAMPLES, self.height * SAMPLES);
        let mut samples: Vec<Option<Rgb>> = vec![None; across * down];
        for shape in &drawing.shapes {
            let (Some(paint), Some([low, high])) = (shape.paint(), shape.bounds()) else { continue };
            // A thin line is a sample wide, other than a board's a pixel.
            let thinnest = if paint == Paint::Grid { 1.0 / fine } else { 1.0 / scale };
            let range = |axis: usize, most: usize| {
                let [from, to] = [low[axis] - thinnest, high[axis] + thinnest];
                let sample = |at: f32| ((at + drawing.edge) * fine).clamp(0.0, most as f32) as usize;
                sample(from)..(sample(to) + 1).min(most)
            };
            for y in range(1, down) {
                for x in range(0, across) {
                    let point = [x, y].map(|at| (at as f32 + 0.5) / fine - drawing.edge);
                    if covers(shape, point, thinnest) {
                        let sample = &mut samples[y * across + x];
                        *sample = Some(palette.over(*sample, paint));
                    }
                }
            }
        }
        for (at, pixel) in self.pixels.iter_mut().enumerate() {
            let (x, y) = (at % self.width * SAMPLES, at / self.width * SAMPLES);
            let rows = (y..y + SAMPLES).map(|y| &samples[y * across + x..y * across + x + SAMPLES]);
            *pixel = mean(&rows.flatten().copied().collect::<Vec<_>>());
        }
    }

    /// Writes a text around a pixel, unless there is another.
    fn write(&mut self, [x, y]: [f32; 2], text: &str, paint: Paint) {
        let count = text.chars().count();
        if y < 0.0 || y >= self.height as f32 || count > self.width {
            return;
        }
        let start = (x - count as f32 / 2.0).round().clamp(0.0, (self.width - count) as f32) as usize;
        let line = y as usize / 2 * self.width;
        let beside = line + start.saturating_sub(1)..line + (start + count + 1).min(self.width);
        if self.letters[beside].iter().all(Option::is_none) {
            for (at, c) in text.chars().enumerate() {
                self.letters[line + start + at] = Some((c, paint));
            }
        }
    }

    fn text(&self, palette: Palette) -> String {
        let lines = (0..self.height / 2).map(|line| {
            let (mut text, mut shown, mut style) = (String::new(), 0, String::new());
            for x in 0..self.width {
                let (c, next) = self.character(line, x, palette);
                if next != style {
                    text += &next;
                    style = next;
                }
                text.push(c);
                if c != ' ' || style != PLAIN {
                    shown = text.len();
                }
            }
            text.truncate(shown);
            text + PLAIN
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// A character and the command that sets its colours.
    fn character(&self, line: usize, x: usize, palette: Palette) -> (char, String) {
        let [above, below] = [0, 1].map(|more| self.pixels[(2 * line + more) * self.width + x]);
        if let Some((c, paint)) = self.letters[line * self.width + x] {
            let ground = mean(&[above, below]);
            // On the terminal's own ground its own text can be read.
            let ink = match (ground, paint) {
                (Some(ground), paint) => Some(readable(palette.rgb(paint), ground)),
                (None, Paint::Text | Paint::Faint) => None,
                (None, paint) => Some(palette.rgb(paint)),
            };
            return (c, palette.command(ink, ground));
        }
        match (above, below) {
            (above, below) if above == below => (' ', palette.command(None, above)),
            (None, below) => ('\u{2584}', palette.command(below, None)),
            (above, below) => ('\u{2580}', palette.command(above, below)),
        }
    }
}

/// The command for the terminal's own colours.
pub(super) const PLAIN: &str = "\x1b[0m";

/// The mean of those that are there, unless most are missing.
fn mean(samples: &[Option<Rgb>]) -> Option<Rgb> {
    let there = samples.iter().flatten().count();
    let sum = |channel: usize| samples.iter().flatten().map(|rgb| rgb[channel]).sum::<f64>();
    (2 * there >= samples.len()).then(|| [0, 1, 2].map(|channel| sum(channel) / there as f64))
}

/// Whether a shape, whose lines are at least this wide, fills a point.
fn covers(shape: &Shape, [x, y]: [f32; 2], thinnest: f32) -> bool {
    match shape {
        Shape::Rect([left, top, width, height], _) => {
            (*left..left + width).contains(&x) && (*top..top + height).contains(&y)
        }
        Shape::Disc([cx, cy, radius], _) => (x - cx).hypot(y - cy) < *radius,
        Shape::Ring([cx, cy, radius], _) => {
            let width = (RING * radius).max(thinnest);
            (radius - width..*radius).contains(&(x - cx).hypot(y - cy))
        }
        Shape::Line(points, width, _) => points.windows(2).any(|step| {
            let [[ax, ay], [bx, by]] = [step[0], step[1]];
            let (dx, dy) = (bx - ax, by - ay);
            let along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(f32::MIN_POSITIVE);
            let along = along.clamp(0.0, 1.0);
            (x - ax - along * dx).hypot(y - ay - along * dy) < width.max(thinnest) / 2.0
        }),
        Shape::Area(corners, _) => {
            let sides = corners.iter().zip(corners.iter().cycle().skip(1));
            let crossed = sides.filter(|([ax, ay], [bx, by])| {
                (*ay > y) != (*by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay)
            });
            crossed.count() % 2 == 1
        }
        Shape::Text(..) | Shape::Name(..) | Shape::Lines(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::Player;

    fn palette() -> Palette {
        Palette::new(|name| if name == "COLORTERM" { "truecolor".to_owned() } else { String::new() }).unwrap()
    }

    /// The picture of shapes in a square of 10 pixels.
    fn drawn(shapes: Vec<Shape>) -> Picture {
        let mut picture = Picture::new(10, 10);
        picture.paint(&Drawing { shapes, ..Drawing::new(10.0, 10.0) }, 1.0, palette());
        picture
    }

    #[test]
    fn a_shape_has_its_colour_inside_and_none_outside() {
        let paint = Paint::Flame;
        let corners = vec![[2.0, 2.0], [8.0, 2.0], [8.0, 8.0], [2.0, 8.0]];
        for (shape, has_middle) in [
            (Shape::Disc([5.0, 5.0, 3.0], paint), true),
            (Shape::Rect([2.0, 2.0, 6.0, 6.0], paint), true),
            (Shape::Area(corners, paint), true),
            (Shape::Line(vec![[3.0, 5.0], [7.0, 5.0]], 2.0, paint), true),
            (Shape::Ring([5.0, 5.0, 3.0], paint), false),
        ] {
            let picture = drawn(vec![shape.clone()]);
            let inked = |pixel: &Option<Rgb>| pixel.is_some();
            assert_eq!(picture.pixels[5 * 10 + 5].is_some(), has_middle, "{shape:?}");
            assert!(
                picture.pixels.iter().flatten().all(|rgb| close(*rgb, palette().rgb(paint))),
                "{shape:?}"
            );
            let outside =
                |(at, _): &(usize, &Option<Rgb>)| [at / 10, at % 10].iter().any(|at| !(2..8).contains(at));
            assert!(
                !picture.pixels.iter().enumerate().filter(outside).any(|(_, pixel)| inked(pixel)),
                "{shape:?}"
            );
            assert!(picture.pixels.iter().any(inked), "{shape:?}");
        }
    }

    fn close(a: Rgb, b: Rgb) -> bool {
        (0..3).all(|at| (a[at] - b[at]).abs() < 1e-9)
    }

    #[test]
    fn later_shapes_are_in_front_and_pale_ones_let_the_others_through() {
        let all = [0.0, 0.0, 10.0, 10.0];
        let pale = Paint::Reach(Player::FIRST);
        let picture =
            drawn(vec![Shape::Rect(all, Paint::Felt), Shape::Rect(all, Paint::Sky), Shape::Rect(all, pale)]);
        let expected = palette().over(Some(palette().rgb(Paint::Sky)), pale);
        assert!(picture.pixels.iter().all(|pixel| close(pixel.unwrap(), expected)));
    }

    #[test]
    fn shapes_beyond_the_picture_are_cut_off() {
        let picture =
            drawn(vec![Shape::Disc([0.0, -2.0, 6.0], Paint::Sky), Shape::Line(Vec::new(), 1.0, Paint::Text)]);
        assert!(picture.pixels[0].is_some() && picture.pixels[99].is_none());
    }

    #[test]
    fn texts_stand_apart() {
        let mut picture = Picture::new(10, 4);
        picture.write([2.0, 1.0], "ab", Paint::Text);
        picture.write([4.0, 0.0], "cd", Paint::Text);
        picture.write([9.9, 1.0], "ef", Paint::Text);
        picture.write([5.0, 3.0], "twelve chars", Paint::Text);
        picture.write([5.0, -1.0], "gh", Paint::Text);
        let plain = picture.text(palette()).replace(PLAIN, "");
        assert_eq!(plain, " ab     ef\n");
    }

    #[test]
    fn a_picture_fits_and_is_as_large_as_it_can_be() {
        let mut drawing = Drawing::new(20.0, 10.0);
        drawing.shapes.push(Shape::Rect([0.0, 0.0, 20.0, 10.0], Paint::Board));
        let size = |columns, rows| {
            let text = picture(&drawing, palette(), [columns, rows])?;
            let widest = text.lines().map(|line| line.matches(' ').count()).max()?;
            Some((widest, text.lines().count()))
        };
        assert_eq!(size(100, 40), Some((100, 25)));
        assert_eq!(size(100, 20), Some((80, 20)));
        assert_eq!(size(39, 40), None);
        assert_eq!(picture(&Drawing::default(), palette(), [100, 40]), None);
        drawing.key(Paint::Hint, "a target");
        drawing.word("a rule");
        assert!(legend(&drawing, palette()).is_some_and(|line| line.ends_with("\u{2588}\x1b[0m a target")));
    }
}
