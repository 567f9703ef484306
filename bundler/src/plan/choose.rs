//! Chooses the binary or example to bundle.

use crate::api::error::Error;
use crate::api::options::{Kind, Options};
use cargo_metadata::{Metadata, Package, Target};

type Found<'m> = (&'m Package, &'m Target);

fn is_bin(target: &Target) -> bool {
    target.is_bin() || (target.is_example() && target.crate_types.iter().any(|c| c.to_string() == "bin"))
}

/// The target that the options name, or the only one.
pub fn choose<'m>(metadata: &'m Metadata, options: &Options) -> Result<Found<'m>, Error> {
    let mut all = targets(metadata, options)?;
    all.sort_by_key(|(p, t)| (t.is_example(), t.name.as_str(), p.name.to_string()));
    match options.bin.as_deref() {
        None => only(&all, metadata, options),
        Some(wanted) => named(&all, metadata, options, wanted),
    }
}

/// The binaries and examples of the selected packages.
fn targets<'m>(metadata: &'m Metadata, options: &Options) -> Result<Vec<Found<'m>>, Error> {
    let mut packages = metadata.workspace_packages();
    if let Some(wanted) = &options.cargo.package {
        let is = |p: &Package| *wanted == *p.name || *wanted == format!("{}@{}", p.name, p.version);
        if !packages.iter().any(|p| is(p)) {
            let names = packages.iter().map(|p| p.name.as_str());
            let list: String = packages.iter().map(|p| format!("\n    {}", p.name)).collect();
            return Err(Error::Binary(format!(
                "the workspace has no package `{wanted}`.{}\n  There are:{list}",
                near(names, wanted)
            )));
        }
        packages.retain(|p| is(p));
    }
    let of_kind = |t: &&Target| match options.kind {
        None => is_bin(t),
        Some(Kind::Bin) => t.is_bin(),
        Some(Kind::Example) => is_bin(t) && t.is_example(),
    };
    Ok(packages.into_iter().flat_map(|p| p.targets.iter().filter(of_kind).map(move |t| (p, t))).collect())
}

/// The target that `cargo run` would run.
fn only<'m>(all: &[Found<'m>], metadata: &Metadata, options: &Options) -> Result<Found<'m>, Error> {
    let example = options.kind == Some(Kind::Example);
    let bins: Vec<_> = all.iter().copied().filter(|(_, t)| t.is_example() == example).collect();
    let mut near = narrowed(&bins, metadata);
    if near.len() > 1 && !example {
        let default: Vec<_> =
            near.iter().copied().filter(|(p, t)| p.default_run.as_ref() == Some(&t.name)).collect();
        if default.len() == 1 {
            near = default;
        }
    }
    match near[..] {
        [one] => Ok(one),
        [] if example => Err(Error::Binary("the workspace has no example to bundle.".into())),
        [] => {
            let examples = if all.is_empty() { String::new() } else { format!("\n  It has:{}", list(all)) };
            Err(Error::Binary(format!(
                "the workspace has no binary to bundle.\n  Add src/main.rs, or a [[bin]] to a Cargo.toml.{examples}"
            )))
        }
        _ => Err(Error::Binary(format!(
            "the workspace has {} {}; say which one:{}",
            bins.len(),
            if example { "examples" } else { "binaries" },
            list(&bins)
        ))),
    }
}

fn named<'m>(
    all: &[Found<'m>],
    metadata: &Metadata,
    options: &Options,
    wanted: &str,
) -> Result<Found<'m>, Error> {
    let found: Vec<_> = all.iter().copied().filter(|(_, t)| t.name == wanted).collect();
    let kind = if options.kind == Some(Kind::Example) { "example" } else { "binary" };
    match narrowed(&found, metadata)[..] {
        [one] => Ok(one),
        [] => {
            let rest = if all.is_empty() {
                format!("\n  There is no {kind} at all.")
            } else {
                format!("\n  There are:{}", list(all))
            };
            let near = near(all.iter().map(|(_, t)| t.name.as_str()), wanted);
            Err(Error::Binary(format!("no {kind} is called `{wanted}`.{near}{rest}")))
        }
        _ => Err(Error::Binary(format!(
            "several binaries are called `{wanted}`:{}\n  Choose with --package, --bin or --example, or rename one; \
             --manifest-path of its package will do too.",
            list(&found)
        ))),
    }
}

fn list(some: &[Found<'_>]) -> String {
    let line = |(p, t): &Found<'_>| {
        let kind = if t.is_example() { "example of" } else { "in" };
        format!("\n    {:<16} {kind} package {}", t.name, p.name)
    };
    some.iter().map(line).collect()
}

/// A suggestion for a misspelt name.
fn near<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> String {
    let best = names.map(|n| (distance(n, wanted), n)).min();
    let best = best.filter(|(d, _)| *d <= 1 + wanted.len() / 3);
    best.map_or(String::new(), |(_, n)| format!(" Did you mean `{n}`?"))
}

/// Checks that the features required by the target are enabled.
pub fn features_are_on(target: &Target, on: &[String]) -> Result<(), Error> {
    let off: Vec<&str> =
        target.required_features.iter().map(String::as_str).filter(|f| !on.iter().any(|o| o == f)).collect();
    if off.is_empty() {
        return Ok(());
    }
    Err(Error::Binary(format!(
        "`{}` requires the features `{}`, which are not enabled.\n  Add --features {}, or --all-features.",
        target.name,
        off.join("`, `"),
        off.join(",")
    )))
}

/// Narrows several targets to the user's current or named package, else to the workspace's default members, if any
/// match.
fn narrowed<'m>(some: &[Found<'m>], metadata: &Metadata) -> Vec<Found<'m>> {
    let of = |wanted: &dyn Fn(&Package) -> bool| -> Vec<Found<'m>> {
        some.iter().copied().filter(|(p, _)| wanted(p)).collect()
    };
    let here = of(&|p| Some(&p.id) == metadata.root_package().map(|r| &r.id));
    if !here.is_empty() {
        return here;
    }
    let members = &metadata.workspace_default_members;
    let default = if members.is_available() { of(&|p| members.contains(&p.id)) } else { Vec::new() };
    if default.is_empty() {
        some.to_vec()
    } else {
        default
    }
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distance_counts_changes() {
        assert_eq!(distance("reversi", "reversi"), 0);
        assert_eq!(distance("reversi", "revesri"), 2);
        assert_eq!(distance("uttt", "utt"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
