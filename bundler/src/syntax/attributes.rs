//! Attributes of syn's items and expressions.

use syn::{Attribute, Expr, Item};

/// The attributes of an enum value whose variants store them in a field `attrs`.
macro_rules! attributes {
    ($value:expr, $enum:ident: $($variant:ident)*) => {
        match $value {
            $($enum::$variant(x) => &x.attrs[..],)*
            _ => &[],
        }
    };
}
pub(crate) use attributes;

/// The attributes of an item.
pub fn item_attrs(item: &Item) -> &[Attribute] {
    attributes!(item, Item: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type Union Use)
}

/// The attributes of an expression.
pub fn expr_attrs(expr: &Expr) -> &[Attribute] {
    attributes!(expr, Expr: Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
        If Index Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat Return Struct Try Tuple Unary
        Unsafe While)
}
