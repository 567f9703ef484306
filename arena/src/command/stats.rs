//! `arena stats`: statistics of finished games, as `match`, `sprt` and `rate` print them.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::command::judge::Judge;
use crate::command::matches;
use crate::command::rate;
use crate::command::run_notes::RunNotes;
use crate::command::select::{SelectArgs, Selection};
use crate::command::sprt::{Advice, SprtReport, TestOptions};
use crate::failure::Failure;
use crate::game_files;
use crate::game_files::sample::{Identity, Samples};
use crate::program::Outcome;
use coppice_referee::external::BestKnown;
use coppice_referee::record::games::{self, GamesError};
use coppice_referee::report::standings::Standings;
use coppice_referee::text::note;
use coppice_stats::{Compare, Scoring};

/// The arguments of `arena stats`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of finished games, of any program: JSON lines or a JSON list (docs/any-program.md has the fields); or folders of
    /// runs; - is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Test the games of two bots as `arena sprt` does, with the options below
    #[arg(long)]
    sprt: bool,
    #[command(flatten)]
    test: TestOptions,
    /// Skip and count lines that aren't finished games
    #[arg(long)]
    skip_bad: bool,
    /// Property that identifies a bot
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Identity::Name)]
    bots_by: Identity,
    /// How bots that play alone are compared on a seed, instead of as the games say
    #[arg(long, value_enum, value_name = "WHAT")]
    compare: Option<Compare>,
    /// Fewer points are better
    #[arg(long)]
    lower_is_better: bool,
    #[command(flatten)]
    select: SelectArgs,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    /// How a game's scores are read: as the game says, unless an option says otherwise.
    fn scoring(&self, of_game: Scoring) -> Scoring {
        Scoring {
            compare: self.compare.unwrap_or(of_game.compare),
            lower_is_better: of_game.lower_is_better || self.lower_is_better,
        }
    }
}

/// Reads the games and prints the result.
///
/// # Errors
/// If a file can't be read, a line is not a game, or no game is left.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let test = args.test.test()?;
    let mut samples = Samples::new(args.bots_by);
    let mut selection: Option<Selection<'_>> = None;
    let (mut bad, mut read, mut best) = (0, 0_u64, None);
    for (number, file) in (0..).zip(&args.files) {
        let path = if file.is_dir() { file.join(games::FILE_NAME) } else { file.clone() };
        bad += game_files::read::<Failure>(&path, args.skip_bad, &mut |mut item, at| {
            read += 1;
            item.record.run.scoring = args.scoring(item.record.run.scoring);
            if best.is_none() {
                best = Some(BestKnown::of(&item.record)?);
            }
            best.iter().for_each(|best| best.rescore(&mut item.record));
            samples.name(&mut item.record).map_err(|error| game_files::GameFilesError::Bad {
                path: path.clone(),
                at: at.to_owned(),
                reason: error.to_string(),
                found: "two bots of one name".to_owned(),
            })?;
            let focus =
                || args.select.bot.clone().unwrap_or_else(|| game_files::sample::first_name(&item.record));
            let selection = selection.get_or_insert_with(|| Selection::new(&args.select, focus()));
            let group = samples.group_of(number, &item);
            if selection.add(&item.record, group) {
                samples.add(&item.record, group);
            }
            Ok(())
        })?;
    }
    if bad > 0 {
        let what = if bad == 1 {
            "line or element isn't a finished game and is"
        } else {
            "lines or elements aren't finished games and are"
        };
        note(format_args!("{bad} {what} left out"));
    }
    if samples.games() == 0 {
        if read > 0 {
            return Err(SelectArgs::none_of(read));
        }
        return Err(GamesError::Empty { paths: args.files.clone() }.into());
    }
    if let Some(selection) = selection.filter(Selection::has_table) {
        selection.print(args.json, out)?;
        return Ok(Outcome::Done);
    }
    // Conditions may leave parts of groups.
    if !args.select.conditions.is_empty() {
        samples.is_selected();
    }
    if let [file] = &args.files[..] {
        let folder = if file.is_dir() { Some(file.as_path()) } else { file.parent() };
        samples.order_as(&RunNotes::read(folder.unwrap_or(Path::new("."))).bots)?;
    }
    if args.select.bot.is_some() || args.files.len() > 1 {
        samples.order(args.select.bot.as_deref())?;
    }
    if samples.grouping().size == 1 {
        note("the games have no groups (no group or seed in common), so each is judged singly");
    }
    print(args, test, &samples, out)
}

fn print(
    args: &Args,
    test: coppice_stats::Sprt,
    samples: &Samples,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let summary = samples.summary();
    if args.sprt {
        if samples.bots().len() != 2 {
            return Err(Failure::usage(format!(
                "a test is between two bots, and the games are of {}: select some with --where opponent=NAME --bot NAME",
                samples.bots().len()
            )));
        }
        let mut judge = Judge::new(Some(test), samples.grouping());
        for (sample, moves) in samples.in_order() {
            judge.push(sample, moves.as_ref().map(|(opening, games)| (*opening, games.as_slice())));
        }
        let advice = Advice::general("play on, and give this command all games");
        let report = SprtReport::new(test, &judge, summary, advice)?;
        report.print(args.json, out)?;
        return Ok(report.outcome());
    }
    let standings = || Standings::of(samples.bots(), &samples.meetings());
    if args.select.markdown {
        write!(out, "{}", standings().markdown())?;
    } else if args.select.csv {
        write!(out, "{}", standings().csv())?;
    } else if samples.bots().len() > 2 {
        rate::Report::of_games(standings(), summary).print(args.json, out)?;
    } else {
        matches::print(&summary, args.json, out)?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}
