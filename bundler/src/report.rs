//! What a bundle says about itself: the header, the summary, its biggest parts.

use crate::items::Items;
use crate::options::Limit;
use crate::plan::{Plan, Unit};
use crate::tokens::Tokens;
use cargo_metadata::Edition;
use std::collections::BTreeMap;

/// A module and the bytes in it, modules within it left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its path, such as `bots::reversi`.
    pub module: String,
    /// Its bytes.
    pub bytes: usize,
}

/// The comment at the top of a bundle.
pub fn header(plan: &Plan, inlined: &[usize]) -> String {
    let kind = if plan.example { "example" } else { "binary" };
    let bin = &plan.bin;
    let mut out =
        format!("// The {kind} `{}` of package {} in one file, made by bundler.\n", plan.target, line(bin));
    if plan.flags.edition == Edition::E2024 {
        out.push_str("// compile it with: rustc -O --edition 2024\n");
    }
    let mut lines: Vec<String> =
        inlined.iter().map(|&i| &plan.libs[i]).map(|u| format!("// with crate {}\n", line(u))).collect();
    lines.sort();
    lines.dedup();
    out.extend(lines);
    out
}

fn line(unit: &Unit) -> String {
    format!("{} {} ({})", unit.package, unit.version, unit.license)
}

/// The parts of a bundle, biggest first.
pub fn parts(text: &str) -> Vec<Part> {
    let (Ok(file), Ok(tokens)) = (syn::parse_file(text), Tokens::read(text)) else {
        return Vec::new();
    };
    let items = Items::read(&file, &tokens);
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    sizes.insert(0, text.len());
    for node in &items.nodes {
        if let crate::items::Kind::Mod(m) = node.kind {
            *sizes.entry(m).or_default() += node.range.len();
            let around = sizes.entry(node.module).or_default();
            *around = around.saturating_sub(node.range.len());
        }
    }
    let mut parts: Vec<Part> = sizes
        .into_iter()
        .map(|(m, bytes)| Part {
            module: if m == 0 { "(the binary itself)".into() } else { items.modules.path(m) },
            bytes,
        })
        .collect();
    parts.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.module.cmp(&b.module)));
    parts
}

/// `12,345`
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

/// The message for a bundle over the limit.
pub fn over(size: usize, limit: Limit, parts: &[Part]) -> String {
    let list: String = parts
        .iter()
        .take(12)
        .map(|p| format!("\n    {:>9} bytes  {}", thousands(p.bytes), p.module))
        .collect();
    format!(
        "the bundle has {} {}, {} over the limit of {}.\n  The biggest parts:{list}",
        thousands(size),
        limit.unit.name(),
        thousands(size - limit.size),
        thousands(limit.size)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let text = "fn main() {}\nmod a { mod b { fn f() {} } fn g() {} }\n";
        let parts = parts(text);
        assert_eq!(parts.iter().map(|p| p.bytes).sum::<usize>(), text.len());
        assert_eq!(parts.iter().find(|p| p.module == "a::b").unwrap().bytes, 19);
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1234), "1,234");
        assert_eq!(thousands(100_000), "100,000");
    }
}
