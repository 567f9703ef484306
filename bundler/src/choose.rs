//! Which binary is meant.

use crate::error::Error;
use cargo_metadata::{Metadata, Package, Target};

fn is_bin(target: &Target) -> bool {
    target.is_bin() || (target.is_example() && target.crate_types.iter().any(|c| c.to_string() == "bin"))
}

/// The target called `wanted`, or the only one.
pub fn choose<'m>(metadata: &'m Metadata, wanted: Option<&str>) -> Result<(&'m Package, &'m Target), Error> {
    let mut all: Vec<(&Package, &Target)> = metadata
        .workspace_packages()
        .into_iter()
        .flat_map(|p| p.targets.iter().filter(|t| is_bin(t)).map(move |t| (p, t)))
        .collect();
    all.sort_by(|a, b| {
        (a.1.is_example(), &a.1.name, &a.0.name).cmp(&(b.1.is_example(), &b.1.name, &b.0.name))
    });
    let list = |some: &[(&Package, &Target)]| {
        some.iter()
            .map(|(p, t)| {
                let kind = if t.is_example() { "example of" } else { "in" };
                format!("\n    {:<16} {kind} package {}", t.name, p.name)
            })
            .collect::<String>()
    };
    let Some(wanted) = wanted else {
        let bins: Vec<_> = all.iter().copied().filter(|(_, t)| !t.is_example()).collect();
        return match narrowed(&bins, metadata)[..] {
            [one] => Ok(one),
            [] => Err(Error::Binary(
                "the workspace has no binary to bundle.\n  Add src/main.rs, or a [[bin]] to a Cargo.toml."
                    .into(),
            )),
            _ => Err(Error::Binary(format!(
                "the workspace has {} binaries; say which one:{}",
                bins.len(),
                list(&bins)
            ))),
        };
    };
    let found: Vec<_> = all.iter().copied().filter(|(_, t)| t.name == wanted).collect();
    match narrowed(&found, metadata)[..] {
        [one] => Ok(one),
        [] => {
            let near = all
                .iter()
                .map(|(_, t)| (distance(&t.name, wanted), t.name.as_str()))
                .min()
                .filter(|(d, _)| *d <= 1 + wanted.len() / 3)
                .map_or(String::new(), |(_, n)| format!(" Did you mean `{n}`?"));
            let rest = if all.is_empty() {
                "\n  The workspace has no binary at all.".into()
            } else {
                format!("\n  There are:{}", list(&all))
            };
            Err(Error::Binary(format!(
                "no binary is called `{wanted}`.{near}{rest}"
            )))
        }
        _ => Err(Error::Binary(format!(
            "several binaries are called `{wanted}`:{}\n  Name the package's manifest with --manifest-path, or rename one.",
            list(&found)
        ))),
    }
}

/// Of several, those of the package that the user stands in or names, if there are any.
fn narrowed<'m>(some: &[(&'m Package, &'m Target)], metadata: &Metadata) -> Vec<(&'m Package, &'m Target)> {
    let here = metadata.root_package().map(|p| &p.id);
    let near: Vec<_> = some.iter().copied().filter(|(p, _)| Some(&p.id) == here).collect();
    if near.is_empty() {
        some.to_vec()
    } else {
        near
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
