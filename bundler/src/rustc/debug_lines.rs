//! The lines of a program's functions, from the debug information of its generated code.

use std::collections::BTreeSet;

/// The lines of functions of `bundle.rs` in LLVM assembly.
pub fn lines(llvm: &str) -> Vec<usize> {
    let files: BTreeSet<&str> = llvm
        .lines()
        .filter(|l| l.contains("!DIFile(filename: \"bundle.rs\""))
        .filter_map(|l| l.split(' ').next())
        .collect();
    let field = |l: &'_ str, name: &str| {
        let rest = &l[l.find(name)? + name.len()..];
        Some(rest[..rest.find([',', ')'])?].to_owned())
    };
    let mut lines: Vec<usize> = llvm
        .lines()
        .filter(|l| l.contains("!DISubprogram("))
        .filter(|l| field(l, ", file: ").is_some_and(|f| files.contains(f.as_str())))
        .filter_map(|l| field(l, ", line: ")?.parse().ok())
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}
