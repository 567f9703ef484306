use strum::{Display, EnumIter, EnumString, IntoEnumIterator};

#[derive(Clone, Copy, Debug, Display, EnumIter, EnumString, PartialEq)]
#[strum(serialize_all = "UPPERCASE")]
enum Order {
    Move,
    Wait,
    #[strum(serialize = "BOMB", serialize = "BANG")]
    Bomb,
}

fn main() {
    println!("{:?}", Order::iter().collect::<Vec<_>>());
    println!("{} {}", Order::Move, Order::Wait);
    println!("{:?} {:?}", "BANG".parse::<Order>(), "FLY".parse::<Order>());
}
