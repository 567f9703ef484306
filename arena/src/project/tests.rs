use std::fs;

use clap::{Arg, ArgAction};

use super::*;

fn commands() -> Command {
    let value = |id: &'static str| Arg::new(id).long(id);
    let number = |id: &'static str| value(id).value_parser(clap::value_parser!(u32).range(1..));
    let playing = |name: &'static str| {
        Command::new(name)
            .arg(Arg::new("contest"))
            .arg(Arg::new("bots").num_args(0..))
            .arg(value("referee").short('r'))
            .arg(number("games").short('n').conflicts_with("for"))
            .arg(value("for"))
            .arg(number("jobs").short('j'))
            .arg(value("referee-arg").action(ArgAction::Append))
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue))
    };
    let mut all = Command::new("arena")
        .subcommand(playing("sprt").arg(value("elo1").value_parser(clap::value_parser!(f64))))
        .subcommand(playing("match"))
        .subcommand(playing("check"))
        .subcommand(playing("rate").arg(value("pool")))
        .subcommand(Command::new("debug").arg(Arg::new("contest")).arg(value("search")))
        .subcommand(Command::new("view").arg(Arg::new("files").num_args(0..)).arg(value("out").short('o')))
        .subcommand(
            Command::new("pool").subcommand(Command::new("add").arg(Arg::new("name")).arg(value("pool"))),
        )
        .subcommand(Command::new("echo").hide(true).arg(Arg::new("contest")));
    all.build();
    all
}

fn read(text: &str) -> Result<Project, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    fs::write(&path, text).unwrap();
    let project = read::read(&path, &commands(), bots_searches::contests());
    let shown = path.to_string_lossy().into_owned();
    project
        .map(|project| Project { path: FILE_NAME.into(), ..project })
        .map_err(|error| error.to_string().replace(&shown, "F"))
}

fn planned(project: &Project, line: &str) -> Result<String, String> {
    let words = line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let plan =
        project.plan(&words, &commands(), bots_searches::contests()).map_err(|error| error.to_string())?;
    Ok(plan.with_names().join(" "))
}

const FILE: &str = r#"
contest = "reversi"
[bots]
new = { bundle = "mine" }
old = "./old --nodes 100"
[run]
jobs = 2
games = 40
[sprt]
elo1 = 5.5
jobs = 1
"#;

#[test]
fn a_command_line_is_completed() {
    let project = read(FILE).unwrap();
    let plan = |line: &str| planned(&project, line).unwrap();
    assert_eq!(plan("arena sprt"), "arena sprt --games=40 --elo1=5.5 --jobs=1 reversi new site");
    assert_eq!(plan("arena match new old"), "arena match --jobs=2 --games=40 reversi new old");
    assert_eq!(plan("arena match -n 8 old site"), "arena match --jobs=2 -n 8 reversi old site");
    assert_eq!(plan("arena check"), "arena check --jobs=2 --games=40 reversi new");
    assert_eq!(plan("arena debug --search mcts"), "arena debug --search mcts reversi");
    // What is given stays, and what it excludes is left out.
    assert_eq!(plan("arena match uttt new in:mcts"), "arena match --jobs=2 --games=40 uttt new in:mcts");
    assert_eq!(
        plan("arena match mnk:5,5,4 new x=./y"),
        "arena match --jobs=2 --games=40 mnk:5,5,4 new x=./y"
    );
    assert_eq!(plan("arena match --for 3m -j4 new old"), "arena match --for 3m -j4 reversi new old");
    assert_eq!(plan("arena match -r ./ref new old"), "arena match --jobs=2 --games=40 -r ./ref new old");
    assert_eq!(plan("arena view a.json"), "arena view a.json");
    assert_eq!(plan("arena pool add v1"), "arena pool add --pool=pool v1");
    for line in ["arena", "arena sprt --help", "arena sprt -h", "arena echo", "arena nothing"] {
        assert_eq!(plan(line), line);
    }
}

#[test]
fn a_word_that_can_only_be_a_bot_is_asked_about() {
    let project = read(FILE).unwrap();
    assert_eq!(
        planned(&project, "arena match nwe old").unwrap_err(),
        "`nwe` is no bot of arena.toml (new, old, site), no contest, and no program that can be started; did you mean `new`?"
    );
    assert!(planned(&project, "arena match otello old").unwrap_err().ends_with("did you mean `othello`?"));
    assert_eq!(planned(&project, "arena match --gmes 4").unwrap(), "arena match --gmes 4");
    assert!(planned(&project, "arena match revesi old").unwrap_err().ends_with("did you mean `reversi`?"));
    assert!(planned(&project, "arena match ./no/such old").is_ok());
}

#[test]
fn a_referee_stands_in_place_of_a_contest() {
    let text = "referee = \"java -jar r.jar\"\n[bots]\nnew='./n'\n[match]\nbots = ['new', 'new']\nreferee-arg = ['a', 'b']\njson = true";
    let project = read(text).unwrap();
    assert_eq!(
        planned(&project, "arena match").unwrap(),
        "arena match --referee-arg=a --referee-arg=b --json --referee=java -jar r.jar new new"
    );
    assert_eq!(
        planned(&project, "arena match reversi new new").unwrap(),
        "arena match --referee-arg=a --referee-arg=b --json reversi new new"
    );
    assert_eq!(planned(&project, "arena debug").unwrap(), "arena debug");
}

#[test]
fn a_pool_is_a_league_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let project = Project { pool: folder.path().to_string_lossy().into_owned(), ..read(FILE).unwrap() };
    let pool = format!("arena rate --jobs=2 --pool={}", project.pool);
    assert_eq!(planned(&project, "arena rate").unwrap(), pool);
    assert_eq!(planned(&project, "arena rate --pool p -n 9").unwrap(), "arena rate --jobs=2 --pool p -n 9");
    assert_eq!(
        planned(&project, "arena rate new old").unwrap(),
        "arena rate --jobs=2 --games=40 reversi new old"
    );
}

#[test]
fn mistakes_name_their_line_and_what_was_meant() {
    let cases = [
        ("contst = 'reversi'", "F, line 1: unknown key `contst`; did you mean `contest`?"),
        ("\ncontest = 'revresi'", "F, line 2: unknown contest `revresi`; did you mean `reversi`?"),
        ("contest = 'reversi'\nreferee = 'x'", "F, line 2: contest, referee and [heuristic] exclude each other: leave one"),
        ("[run]\njbs = 1", "F, line 2: unknown option `jbs`; did you mean `jobs`?"),
        ("[run]\nelo2 = 1", "F, line 2: unknown option `elo2`; did you mean `elo1`?"),
        ("[match]\nelo1 = 1", "F, line 2: unknown option of match `elo1`; known: for, games, help, jobs, json, referee, referee-arg"),
        ("[run]\n\njobs = 0", "F, line 3: invalid value '0' for '--jobs <jobs>': 0 is not in 1..=4294967295"),
        ("[run]\njson = 1", "F, line 2: json is true or false"),
        ("[bots]\n'a b' = 'x'", "F, line 2: `a b`: a bot's name begins with a letter or digit and has letters, digits, - _ + and ."),
        ("[bots]\ntron = 'x'", "F, line 2: `tron`: that is a contest; give the bot another name"),
        ("[bots]\nsite = 'x'", "F, line 2: `site`: that is what was submitted last; give the bot another name"),
        ("[bots]\nnew = { bundel = 'x' }", "F, line 2: unknown key of a bot `bundel`; did you mean `bundle`?"),
        ("[bots]\nnew = { pool = 'x', bundle = 'y' }", "F, line 2: a bot is a command line, or { bundle = NAME, args = ARGS }, { pool = NAME }, { command = CMD, build = CMD, source = FILE }"),
        ("[sprt]\nbots = 'new'", "F, line 2: bots are a list of names, such as [\"new\", \"site\"]"),
        ("contest = ", "F, line 1: "),
        ("pool = ' '", "F, line 1: expected a text in quotes"),
        ("bots = 3", "F, line 1: expected a table"),
        ("[board]\nturns = ['x y']", "F, line 2: unknown key of board `turns`; did you mean `turn`?"),
        ("[board]\nturn = 'x y'", "F, line 2: board.turn: expected a list of lines, such as [\"n\", \"n * x y\"]"),
        ("[board]\nturn = [\n'n',\n'm * x y']", "F, line 4: board.turn: `m * x y`: `m` is neither a number nor a name read before"),
        ("[board]\nsize = [19]", "F, line 2: board.size: expected the numbers of columns and rows, such as [19, 10]"),
        ("[board.paint]\n'#' = 'wal'", "F, line 2: board.paint: `#`: expected empty, wall, ground, hint, text, me, other, or player 0 to player 7, found `wal`"),
    ];
    for (text, expected) in cases {
        let error = read(text).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn a_file_with_its_defaults_can_be_read() {
    let project = read("\u{feff}# nothing\n").unwrap();
    assert_eq!((project.host.as_ref(), project.pool.as_str(), project.bots.len()), (None, "pool", 0));
    assert_eq!(planned(&project, "arena sprt reversi ./a ./b").unwrap(), "arena sprt reversi ./a ./b");
    let project =
        read("contest='uttt'\n[bots]\na={command='./a', build='make', source='a.cpp'}\nb={pool='v3'}\nc={bundle='mine', args='--seed 1'}")
            .unwrap();
    let shown = project.bots.iter().map(|(name, source)| format!("{name}: {source}")).collect::<Vec<_>>();
    assert_eq!(
        shown,
        ["a: ./a, after `make`, source a.cpp", "b: v3 of the pool", "c: bundle of mine, with --seed 1"]
    );
}
