//! The colours of drawings, by what they mean: on a light page or terminal and on a dark one.

use coppice::Player;

/// The number of players with a colour of their own.
pub const PLAYERS: usize = 8;

/// Name, colour on a light page, colour on a dark one.
pub const COLOURS: &[(&str, &str, &str)] = &[
    ("back", "#ffffff", "#14171c"),
    ("text", "#1b1f24", "#e6e9ee"),
    ("faint", "#57606a", "#a5adb8"),
    ("p0", "#1f5fae", "#6ea8fe"),
    ("p1", "#c2410c", "#ff9a5c"),
    ("p2", "#15803d", "#5fd38a"),
    ("p3", "#7e22ce", "#c79bff"),
    ("p4", "#0e7490", "#5ccfe6"),
    ("p5", "#97600a", "#e3b341"),
    ("p6", "#be185d", "#ff8bc0"),
    ("p7", "#475569", "#a9b4c2"),
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

/// A colour, by what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Paint {
    /// The board.
    Board,
    /// Every second cell, or a part of the board that stands out.
    Shade,
    /// Lines between cells.
    Grid,
    /// The pieces of a player.
    Player(Player),
    /// Text on a player's piece.
    On,
    /// The first player's pieces where the game calls them black.
    Black,
    /// The second player's pieces where the game calls them white.
    White,
    /// A table of green cloth.
    Felt,
    /// The sky.
    Sky,
    /// Fire.
    Flame,
    /// A shadow, which what is behind it shines through.
    Shadow,
    /// A cell that a player reaches or holds without a piece: the player's colour, pale.
    Reach(Player),
    /// The last move.
    Last,
    /// A possibility: legal moves, targets.
    Hint,
    /// The ground.
    Ground,
    /// Text.
    Text,
    /// Text and lines of less importance.
    Faint,
}

impl Paint {
    /// The pieces of a player in a game of black and white.
    pub fn stone(player: Player) -> Paint {
        if player == Player::FIRST {
            Paint::Black
        } else {
            Paint::White
        }
    }

    /// The player whose pieces have this colour.
    pub fn owner(self) -> Option<Player> {
        match self {
            Paint::Player(player) => Some(player),
            Paint::Black => Some(Player::FIRST),
            Paint::White => Some(Player::SECOND),
            _ => None,
        }
    }

    /// The name on a page, as in [`COLOURS`] but for players: `s` and a seat, pale `r` and a seat.
    pub fn name(self) -> String {
        let name = match self {
            Paint::Player(player) => return format!("s{}", player.index() % PLAYERS),
            Paint::Reach(player) => return format!("r{}", player.index() % PLAYERS),
            Paint::Board => "board",
            Paint::Shade => "shade",
            Paint::Grid => "grid",
            Paint::On => "back",
            Paint::Black => "black",
            Paint::White => "white",
            Paint::Felt => "felt",
            Paint::Sky => "sky",
            Paint::Flame => "flame",
            Paint::Shadow => "shadow",
            Paint::Last => "last",
            Paint::Hint => "hint",
            Paint::Ground => "ground",
            Paint::Text => "text",
            Paint::Faint => "faint",
        };
        name.to_owned()
    }

    /// The share of the colour where it covers another; the page's script has the same.
    pub fn opacity(self) -> f64 {
        match self {
            Paint::Reach(_) => 0.3,
            Paint::Shadow => 0.15,
            _ => 1.0,
        }
    }

    /// The colour on a light ground or on a dark one, where a player's is that of the seat.
    pub fn rgb(self, is_light: bool) -> Rgb {
        let name = match self {
            Paint::Player(player) | Paint::Reach(player) => format!("p{}", player.index() % PLAYERS),
            other => other.name(),
        };
        let found = COLOURS.iter().find(|(known, ..)| *known == name);
        found.map_or([0.0; 3], |(_, light, dark)| rgb(if is_light { light } else { dark }))
    }
}

/// Red, green and blue, 0 to 1.
pub type Rgb = [f64; 3];

/// A colour written as `#rrggbb`.
pub fn rgb(hex: &str) -> Rgb {
    [1, 3, 5].map(|at| {
        let channel = hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        f64::from(channel.unwrap_or_default()) / 255.0
    })
}

/// A colour that covers another with this share.
pub fn over(below: Rgb, colour: Rgb, opacity: f64) -> Rgb {
    [0, 1, 2].map(|at| opacity * colour[at] + (1.0 - opacity) * below[at])
}

/// The contrast of two colours, 1 to 21, as WCAG 2.1 defines it.
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let linear = |value: f64| match value {
        dark if dark <= 0.03928 => dark / 12.92,
        value => ((value + 0.055) / 1.055).powf(2.4),
    };
    let luminance = |rgb: Rgb| {
        let [red, green, blue] = rgb.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paint_has_a_colour() {
        use Paint::*;
        let fixed =
            [Board, Shade, Grid, On, Black, White, Felt, Sky, Flame, Shadow, Last, Hint, Ground, Text, Faint];
        let name = |paint: Paint| paint.name().replace("s0", "p0").replace("r1", "p1");
        for paint in fixed.into_iter().chain([Player(coppice::Player::FIRST), Reach(coppice::Player::SECOND)])
        {
            let (_, light, dark) = COLOURS.iter().find(|(known, ..)| *known == name(paint)).expect("a row");
            assert_eq!([paint.rgb(true), paint.rgb(false)], [rgb(light), rgb(dark)], "{paint:?}");
        }
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast(rgb("#ffffff"), rgb("#000000")) - 21.0).abs() < 1e-9);
        assert!((contrast(rgb("#767676"), rgb("#ffffff")) - 4.54).abs() < 0.01);
    }
}
