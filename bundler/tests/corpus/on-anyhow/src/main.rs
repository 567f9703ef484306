use anyhow::{bail, ensure, Context, Result};

fn action(line: &str) -> Result<u32> {
    let n: u32 = line.trim().parse().with_context(|| format!("not a number: {line}"))?;
    ensure!(n < 10, "too big: {n}");
    if n == 7 {
        bail!("unlucky");
    }
    Ok(n)
}

fn main() {
    for line in ["3", "12", "x", "7"] {
        match action(line) {
            Ok(n) => println!("{n}"),
            Err(e) => println!("{e:#}"),
        }
    }
}
