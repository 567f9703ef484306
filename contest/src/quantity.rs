//! Numbers of a position that charts follow over a game.

/// A number of a position: discs, fuel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quantity {
    /// The heading of its chart. A game's quantities differ in it.
    pub name: &'static str,
    /// The unit; may be empty.
    pub unit: &'static str,
    /// A value for each seat, or a single one for all.
    pub values: Vec<f64>,
}

impl Quantity {
    /// A quantity without a unit.
    pub fn new(name: &'static str, values: impl IntoIterator<Item = impl Into<f64>>) -> Quantity {
        Quantity { name, unit: "", values: values.into_iter().map(Into::into).collect() }
    }

    /// The quantity in a unit.
    #[must_use]
    pub fn in_unit(self, unit: &'static str) -> Quantity {
        Quantity { unit, ..self }
    }

    /// A seat's value, which may be that of all.
    pub fn of(&self, seat: usize) -> Option<f64> {
        match self.values[..] {
            [all] => Some(all),
            _ => self.values.get(seat).copied(),
        }
    }
}
