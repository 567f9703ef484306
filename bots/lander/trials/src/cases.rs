//! Selects the cases of a command line: official cases, files, random terrains.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use bots::lander::physics::flight::Observation;
use bots::lander::physics::ground::Point;
use bots::lander::tools::cases::case::{Case, CaseError};
use bots::lander::tools::cases::known::official;
use bots::lander::tools::cases::terrain::Terrain;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Deserialize;

use coppice_arena::{derived_seed, Failure};

/// Which cases are wanted.
#[derive(Debug, Clone, clap::Args)]
pub struct CaseArgs {
    /// An official case, 1.1 to 3.2, or all; may be given several times. All, if nothing else is asked for
    #[arg(long = "case", value_name = "CASE")]
    pub cases: Vec<String>,
    /// The cases of a file; may be given several times
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Number of random terrains: terrain K of seed S is that of game K of `arena play lander --seed S`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub random: Option<u32>,
    /// Makes the random terrains
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// The kind of the random terrains. random: mountains, starts at up to 100 m/s; gentle: low hills, the flat in the middle,
    /// starts at rest with any lean, more fuel; peaks: many peaks; caves: the flat under a roof that overhangs; walls: starts
    /// at 100 m/s towards a wall
    #[arg(long, requires = "random", value_name = "KIND", default_value = "random", value_parser = terrain())]
    pub terrain: Terrain,
}

impl CaseArgs {
    /// The cases in the order of the options.
    ///
    /// # Errors
    /// If a case is unknown, or a file holds no case.
    pub fn cases(&self) -> Result<Vec<Case>, Failure> {
        let mut all = Vec::new();
        let is_nothing = self.cases.is_empty() && self.files.is_empty() && self.random.is_none();
        if is_nothing || self.cases.iter().any(|name| name == "all") {
            all = official();
        }
        for name in self.cases.iter().filter(|&name| name != "all") {
            all.push(official_case(name)?);
        }
        for path in &self.files {
            all.extend(read(path)?);
        }
        for index in 0..self.random.unwrap_or(0) {
            let name = format!("{}-{}", self.seed, index + 1);
            all.push(Case { name, ..self.terrain.case(derived_seed(self.seed, index)) });
        }
        Ok(all)
    }
}

fn terrain() -> impl TypedValueParser<Value = Terrain> {
    let names = PossibleValuesParser::new(Terrain::ALL.map(Terrain::name));
    names.map(|name| Terrain::named(&name).unwrap_or(Terrain::Hard))
}

fn official_case(name: &str) -> Result<Case, Failure> {
    let all = official();
    let names = all.iter().map(|case| case.name.clone()).collect::<Vec<_>>().join(", ");
    let found = all.into_iter().find(|case| case.name == name);
    found.ok_or_else(|| Failure::usage(format!("no official case {name}; available: {names}, and all")))
}

/// A case as a file of several has it.
#[derive(Debug, Deserialize)]
struct Listed {
    case: String,
    #[serde(default)]
    name: String,
    surface: Vec<(i32, i32)>,
    x: i32,
    y: i32,
    h_speed: i32,
    v_speed: i32,
    fuel: i32,
    rotate: i32,
    power: i32,
    #[serde(default)]
    best_known_fuel_left: Option<i32>,
    #[serde(default)]
    physical_limit_fuel_left: Option<i32>,
}

/// Reads a file: what a bot would be sent up to its first turn, or a JSON list of cases.
///
/// # Errors
/// If it is neither.
fn read(path: &Path) -> Result<Vec<Case>, Failure> {
    let wrong = |reason: &dyn Display| Failure::usage(format!("{}: {reason}", path.display()));
    let text = contest::utf8::read_to_string(path)
        .map_err(|error| wrong(&format_args!("can't read it: {error}")))?;
    if text.trim_start().starts_with('[') {
        let listed = serde_json::from_str::<Vec<Listed>>(&text);
        let listed = listed.map_err(|error| wrong(&format_args!("not a list of cases in JSON: {error}")))?;
        if listed.is_empty() {
            return Err(wrong(&"it has no case"));
        }
        let of = |listed: Listed| {
            let name = listed.case.clone();
            let sent = |error| wrong(&format_args!("case {name}, as a bot would be sent it: {error}"));
            listed.case().map_err(sent)
        };
        return listed.into_iter().map(of).collect();
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(vec![Case::read(&name, &text).map_err(|error| wrong(&error))?])
}

impl Listed {
    /// Through the protocol, which knows the ranges.
    fn case(self) -> Result<Case, CaseError> {
        let Self { case: short, name: title, x, y, h_speed, v_speed, fuel, rotate, power, .. } = self;
        let points = self.surface.iter().map(|&(x, y)| Point { x, y }).collect::<Vec<_>>();
        let told = Observation { x, y, h_speed, v_speed, fuel, rotate, power };
        let text = bots::lander::bot::protocol::write_init(&points)
            + &bots::lander::bot::protocol::write_turn(&told);
        let case = Case::read(&short, &text)?;
        let (best_known, limit) = (self.best_known_fuel_left, self.physical_limit_fuel_left);
        Ok(Case { title, best_known, limit, ..case })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn names(wanted: &CaseArgs) -> Vec<String> {
        wanted.cases().unwrap().iter().map(|case| case.name.clone()).collect()
    }

    #[test]
    fn cases_come_from_everywhere() {
        let folder = tempfile::tempdir().unwrap();
        let (one, many) = (folder.path().join("mine.txt"), folder.path().join("many.json"));
        fs::write(&one, "2\n0 100\n6999 100\n2500 2700 0 0 550 0 0\n").unwrap();
        let listed = r#"[{"case": "a", "surface": [[0, 100], [6999, 100]], "x": 2500, "y": 2700, "h_speed": 0,
            "v_speed": 0, "fuel": 550, "rotate": 0, "power": 0, "best_known_fuel_left": 300}]"#;
        fs::write(&many, listed).unwrap();
        let wanted = CaseArgs {
            cases: vec!["2.4".to_owned()],
            files: vec![one.clone(), many.clone()],
            random: Some(2),
            seed: 7,
            terrain: Terrain::Hard,
        };
        assert_eq!(names(&wanted), ["2.4", "mine", "a", "7-1", "7-2"]);
        let cases = wanted.cases().unwrap();
        // Equal on every machine and for good: recorded seeds stand for it.
        let random = cases[3].text();
        assert!(random.starts_with("20\n0 702\n223 1173\n316 947\n351 1521\n"), "{random}");
        assert_eq!((cases[1].text(), cases[2].best_known), (cases[2].text(), Some(300)));
        assert_eq!(
            names(&CaseArgs { cases: Vec::new(), files: Vec::new(), random: None, ..wanted }).len(),
            8
        );
        fs::write(&many, listed.replace("2700", "50")).unwrap();
        let error = wanted.cases().unwrap_err();
        assert!(
            error.to_string().contains("many.json: case a, as a bot would be sent it: a start at"),
            "{error}"
        );
        assert_eq!(error.status(), 2);
        fs::write(&many, "[").unwrap();
        assert!(wanted.cases().unwrap_err().to_string().contains("not a list of cases"));
        fs::remove_file(&one).unwrap();
        assert!(wanted.cases().unwrap_err().to_string().contains("can't read it"));
    }

    #[test]
    fn there_are_eight_official_cases() {
        let wanted = CaseArgs {
            cases: vec!["2.6".to_owned()],
            files: Vec::new(),
            random: None,
            seed: 1,
            terrain: Terrain::Hard,
        };
        assert!(wanted.cases().unwrap_err().to_string().starts_with("no official case 2.6; available: 1.1,"));
    }
}
