//! The colours of charts and pages, by what they mean: in light, in dark, and in files.

use std::fmt::Write;

use contest::paint::{COLOURS, PLAYERS};

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

/// Colours that no drawing has: name, colour on a light page, colour on a dark one.
const PAGE: &[(&str, &str, &str)] = &[
    ("panel", "#f6f8fa", "#1d222a"),
    ("edge", "#d0d7de", "#3b424d"),
    ("link", "#0757b8", "#7cb4ff"),
    ("good", "#15703a", "#5fd38a"),
    ("bad", "#b42318", "#ff8f85"),
];

/// All colours of a page.
fn colours() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str)> {
    PAGE.iter().chain(COLOURS)
}

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
                let known = colours().find(|(known, ..)| *known == name);
                format!("var(--{name},{})", known.map_or("#000000", |(_, light, _)| light))
            }
        }
    }
}

/// The rules of a style sheet that define all colours as `--NAME`.
pub fn css() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (name, on_light, on_dark) in colours() {
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
    use contest::paint::{contrast, rgb};

    #[test]
    fn text_can_be_read_on_every_ground() {
        let find = |name: &str| colours().find(|(known, ..)| *known == name).unwrap();
        for name in ["text", "faint", "link", "good", "bad", "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"] {
            for ground in ["back", "panel"] {
                let ((_, light, dark), (_, on_light, on_dark)) = (find(name), find(ground));
                for (ink, ground) in [(light, on_light), (dark, on_dark)] {
                    let contrast = contrast(rgb(ink), rgb(ground));
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
