//! The colours of drawings as a terminal's commands (ECMA-48, SGR): in 24 bits, or the nearest of 256.

use std::env;

use contest::paint::{contrast, over, Paint, Rgb};

/// The least contrast of a character to its ground, of large text by WCAG 2.1.
const LEAST_CONTRAST: f64 = 3.0;

/// Colours of the cube of 256-colour terminals along each side, 0 to 255 (xterm's 256colres.h).
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The colours of a terminal with more than eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Palette {
    has_24_bits: bool,
    is_light: bool,
}

impl Palette {
    /// The palette of this process's terminal; `None` if it has only eight colours.
    pub(super) fn of_terminal() -> Option<Palette> {
        Palette::new(|name| env::var(name).unwrap_or_default())
    }

    pub(super) fn new(variable: impl Fn(&str) -> String) -> Option<Palette> {
        let has_24_bits = ["truecolor", "24bit"].contains(&variable("COLORTERM").as_str());
        // Some terminals name their colours as `text;ground`: 7 and 15 are white.
        let is_light = matches!(variable("COLORFGBG").rsplit(';').next(), Some("7" | "15"));
        (has_24_bits || variable("TERM").contains("256color")).then_some(Palette { has_24_bits, is_light })
    }

    /// A colour.
    pub(super) fn rgb(self, paint: Paint) -> Rgb {
        paint.rgb(self.is_light)
    }

    /// A colour over another, or over the terminal's ground.
    pub(super) fn over(self, below: Option<Rgb>, paint: Paint) -> Rgb {
        let ground = if self.is_light { [1.0; 3] } else { [0.0; 3] };
        over(below.unwrap_or(ground), self.rgb(paint), paint.opacity())
    }

    /// The command that sets the colours of characters and of their ground; `None` is the terminal's own.
    pub(super) fn command(self, ink: Option<Rgb>, ground: Option<Rgb>) -> String {
        let part = |layer: u8, rgb: Option<Rgb>| rgb.map_or(String::new(), |rgb| self.code(layer, rgb));
        format!("\x1b[0{}{}m", part(38, ink), part(48, ground))
    }

    fn code(self, layer: u8, rgb: Rgb) -> String {
        let [red, green, blue] = rgb.map(|channel| (255.0 * channel).round() as u8);
        match self.has_24_bits {
            true => format!(";{layer};2;{red};{green};{blue}"),
            false => format!(";{layer};5;{}", nearest([red, green, blue])),
        }
    }
}

/// A colour that can be read on a ground: this one, or else black or white.
pub(super) fn readable(ink: Rgb, ground: Rgb) -> Rgb {
    match contrast(ink, ground) < LEAST_CONTRAST {
        true if contrast([0.0; 3], ground) > contrast([1.0; 3], ground) => [0.0; 3],
        true => [1.0; 3],
        false => ink,
    }
}

/// The number of the nearest of 256 colours: of the cube, from 16, or of the greys, from 232.
fn nearest(rgb: [u8; 3]) -> u8 {
    let distance =
        |other: [u8; 3]| (0..3).map(|at| u32::from(rgb[at].abs_diff(other[at])).pow(2)).sum::<u32>();
    let sides = rgb.map(|channel| (0..6).min_by_key(|&at| CUBE[at as usize].abs_diff(channel)).unwrap_or(0));
    let cube =
        (distance(sides.map(|at: u8| CUBE[at as usize])), 16 + 36 * sides[0] + 6 * sides[1] + sides[2]);
    let greys = (0..24u8).map(|at| (distance([8 + 10 * at; 3]), 232 + at));
    greys.chain([cube]).min().map_or(0, |(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(variables: &[(&str, &str)]) -> Option<Palette> {
        let found = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Palette::new(|name| found(name).map_or(String::new(), |(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_terminal_says_its_colours() {
        assert_eq!(palette(&[("TERM", "xterm")]), None);
        let command = |variables| {
            let palette: Palette = palette(variables).expect("more than eight colours");
            palette.command(Some([1.0, 0.0, 0.0]), Some([0.5; 3]))
        };
        assert_eq!(
            command(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]),
            "\x1b[0;38;2;255;0;0;48;2;128;128;128m"
        );
        assert_eq!(command(&[("TERM", "tmux-256color")]), "\x1b[0;38;5;196;48;5;244m");
        let dark = palette(&[("COLORTERM", "24bit")]).unwrap();
        let light = palette(&[("COLORTERM", "24bit"), ("COLORFGBG", "0;15")]).unwrap();
        assert_eq!([dark, light].map(|palette| palette.is_light), [false, true]);
        assert!(dark.rgb(Paint::Board) != light.rgb(Paint::Board));
    }

    #[test]
    fn colours_of_the_palette_are_nearest_to_themselves() {
        for number in 16..=231u8 {
            let at = number - 16;
            assert_eq!(nearest([at / 36, at / 6 % 6, at % 6].map(|at| CUBE[at as usize])), number);
        }
        assert_eq!((nearest([8; 3]), nearest([238; 3])), (232, 255));
    }

    #[test]
    fn text_is_readable() {
        assert_eq!(readable([0.1; 3], [0.0; 3]), [1.0; 3]);
        assert_eq!(readable([0.9; 3], [1.0; 3]), [0.0; 3]);
        assert_eq!(readable([0.9, 0.9, 0.0], [0.0; 3]), [0.9, 0.9, 0.0]);
    }
}
