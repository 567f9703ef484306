//! The colours of charts and pages, by what they mean: in light, in dark, and in files.

use std::fmt::Write;

use super::Medium;

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Text.
    Text,
    /// Text of less importance.
    Faint,
    /// Lines between things.
    Edge,
    /// Better, or reached.
    Good,
    /// Worse, or failed.
    Bad,
    /// A player or a bot, by its number.
    Player(usize),
}

/// Name, colour on a light page, colour on a dark one.
const COLOURS: &[(&str, &str, &str)] = &[
    ("back", "#ffffff", "#14171c"),
    ("panel", "#f6f8fa", "#1d222a"),
    ("text", "#1b1f24", "#e6e9ee"),
    ("faint", "#57606a", "#a5adb8"),
    ("edge", "#d0d7de", "#3b424d"),
    ("link", "#0757b8", "#7cb4ff"),
    ("good", "#15703a", "#5fd38a"),
    ("bad", "#b42318", "#ff8f85"),
    ("p0", "#1f5fae", "#6ea8fe"),
    ("p1", "#c2410c", "#ff9a5c"),
    ("p2", "#15803d", "#5fd38a"),
    ("p3", "#7e22ce", "#c79bff"),
    ("p4", "#0e7490", "#5ccfe6"),
    ("p5", "#97600a", "#e3b341"),
    ("p6", "#be185d", "#ff8bc0"),
    ("p7", "#475569", "#a9b4c2"),
    // Boards.
    ("board", "#e6dcc6", "#30333b"),
    ("shade", "#d3c5a6", "#464a54"),
    ("grid", "#8a7f68", "#858b96"),
    ("last", "#f3c64b", "#7a5f14"),
    ("hint", "#7fae73", "#3f6b45"),
    ("ground", "#8b6f5a", "#6e5747"),
    ("black", "#22262b", "#0c0e11"),
    ("white", "#fbfaf5", "#f1efe6"),
    ("felt", "#3f8f5f", "#2c6a46"),
    ("sky", "#dceaf7", "#1b2738"),
    ("flame", "#e8590c", "#ff8b3d"),
    ("shadow", "#000000", "#000000"),
];

/// The number of players with a colour of their own.
const PLAYERS: usize = 8;

impl Ink {
    /// Class name in the style sheet.
    pub fn name(self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Faint => "faint".to_owned(),
            Self::Edge => "edge".to_owned(),
            Self::Good => "good".to_owned(),
            Self::Bad => "bad".to_owned(),
            Self::Player(player) => format!("p{}", player % PLAYERS),
        }
    }

    /// The value of an attribute `fill` or `stroke`.
    pub fn colour(self, medium: Medium) -> String {
        let name = self.name();
        match medium {
            Medium::Page => format!("var(--{name})"),
            // Programs that know no variables take the colour on white.
            Medium::File => {
                let known = COLOURS.iter().find(|(known, ..)| *known == name);
                format!("var(--{name},{})", known.map_or("#000000", |(_, light, _)| light))
            }
        }
    }
}

/// The rules of a style sheet that define all colours as `--NAME`.
pub fn css() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (name, on_light, on_dark) in COLOURS {
        let _ = write!(light, "--{name}:{on_light};");
        let _ = write!(dark, "--{name}:{on_dark};");
    }
    format!(
        ":root{{color-scheme:light dark;{light}}}\n@media(prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour, as WCAG 2.1 defines it.
    fn luminance(hex: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.03928 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_every_ground() {
        let find = |name: &str| COLOURS.iter().find(|(known, ..)| *known == name).unwrap();
        assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9);
        for name in ["text", "faint", "link", "good", "bad", "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"] {
            for ground in ["back", "panel"] {
                let ((_, light, dark), (_, on_light, on_dark)) = (find(name), find(ground));
                for (ink, ground) in [(light, on_light), (dark, on_dark)] {
                    let contrast = contrast(ink, ground);
                    assert!(contrast >= 4.5, "{name} {ink} on {ground}: {contrast:.2}");
                }
            }
        }
    }

    #[test]
    fn every_ink_has_a_colour() {
        let all = [Ink::Text, Ink::Faint, Ink::Edge, Ink::Good, Ink::Bad, Ink::Player(0), Ink::Player(15)];
        for ink in all {
            let colour = ink.colour(Medium::File).replace("var(", "").replace(',', ":").replace(')', ";");
            assert!(css().contains(&colour), "{ink:?}: {colour}");
        }
    }
}
