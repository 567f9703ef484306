//! The examples at the end of each subcommand's help.

/// Examples of `arena completions`.
pub(super) const COMPLETIONS: &str = "\
Examples:
  arena completions bash > ~/.local/share/bash-completion/completions/arena
  arena completions zsh > ~/.zfunc/_arena             with fpath=(~/.zfunc $fpath) in .zshrc
  arena completions fish > ~/.config/fish/completions/arena.fish";

/// Examples of `arena init`.
pub(super) const INIT: &str = "\
Examples:
  arena init reversi                                  the package of this folder plays reversi
  arena init -r 'java -jar referee.jar'               through a published referee
  arena init uttt --bundle ut                         the program `ut` of this workspace is submitted
  arena init reversi --bot 'python3 bot.py'           a bot in another language

Then `arena sprt` is: bundle the program `new`, compile it as the site does, test it against what was submitted last.";

/// Examples of `arena submit`.
pub(super) const SUBMIT: &str = "\
Examples:
  arena submit v7                                     check the bot `new`, keep it in the pool, copy its text
  arena submit v7 --replay saved/                     refuse it if it crashes or is late in recorded games
  arena submit v7 --stdout > main.rs                  print the text instead
  arena pool submitted v7 --rank 57                   note later how it did";

/// Examples of `arena play`.
pub(super) const PLAY: &str = "\
Examples:
  arena play reversi ./mine ./theirs                       one game at the contest's limits
  arena play reversi ./mine './theirs --nodes 5000' --games 100 --openings 8
  arena play reversi ./mine ./theirs --games 20 --openings 8 --log-dir games --json > games.jsonl
  arena play -r 'java -jar referee.jar' ./mine ./theirs --seed 7 --log-dir games     a published referee
  arena play reversi human 'in:bot --ms 200'               a game against a search of this program
  arena play reversi human human --log-dir games           two people take turns

A person types moves, and `help` lists what else: undo, hint, moves, ... Against a process, `undo` starts it again.";

/// Examples of `arena match`.
pub(super) const MATCH: &str = "\
Examples:
  arena match reversi ./new ./old -n 200              100 openings, each from both sides
  arena match reversi './new --nodes 5000' './old --nodes 5000' -n 400 -j 2 --json
  arena match uttt -p1 ./new -p2 ./old -n 100 -t 2 -s -i 7 -l logs       with cg-brutaltester's options
  arena match podracing ./mine 'in:rules' -n 200      your program against a search of this program
  arena match -r 'java -jar referee.jar' ./new ./old -n 200           through a published referee
  arena match reversi ./new ./old -n 200 --report run.html        a page with charts, and one for each game
  arena match -r 'java -jar referee.jar' --keep-jvm ./new ./old -n 2000     several times as many games a minute
  arena match -r './score.py {P1} {SEED}' --players 1 --compare difference ./new ./old -n 200

Each finished game is appended to games.jsonl in the run's folder. Repeating the same command resumes an interrupted
run; a larger -n adds games to it.";

/// Examples of `arena sprt`.
pub(super) const SPRT: &str = "\
Examples:
  arena sprt reversi ./new ./old                      is it at least 10 normalised Elo better, or not better?
  arena sprt reversi ./new ./old --elo0 -5 --elo1 0   is it no worse?
  arena sprt uttt './new --nodes 2000' './old --nodes 2000' --openings 6 -n 4000
  arena sprt mancala 'in:bot --ms 100' 'in:minimax --ms 100'          searches of this program, at equal time
  arena sprt -r 'java -jar referee.jar' --league 4 ./new ./old        through a published referee
  arena sprt reversi ./new ./old --cluster slurm:64 --dir /shared/run      by 64 workers of a cluster (docs/cluster.md)

Pairs are judged in the order of the plan, so the verdict doesn't depend on which game finishes first. Repeating the same
command resumes the run.";

/// Examples of `arena rate`.
pub(super) const RATE: &str = "\
Examples:
  arena rate reversi ./v1 ./v2 ./v3 -n 100               round robin, 50 openings for each pair of bots
  arena rate reversi ./new ./v1 ./v2 ./v3 --gauntlet -n 200 --json
  arena rate uttt './bot --nodes 500' './bot --nodes 2000' './bot --nodes 8000' --stop-threshold 50
  arena rate -r 'java -jar referee.jar' --players 4 ./v1 ./v2 ./v3 ./v4 ./v5 -n 40
  arena rate --pool league --for 8h                      a league that goes on (arena pool --help)

Ratings are Elo above the mean of all bots, from the Bradley-Terry model with draws and seats; the order of the games
doesn't matter. LOS is the likelihood that a bot is stronger than the one below it. --stop-threshold is tested after each
round, in which every line-up has played one opening; its bound holds at all times simultaneously, so testing often is
sound. Repeating the same command resumes the run. To rate a sharded run (--shard), join its parts with
`arena merge -o DIR/games.jsonl` and give the same command with --dir DIR.";

/// Examples of `arena as-bot`.
pub(super) const AS_BOT: &str = "\
Examples:
  arena as-bot podracing in:rules                        reads turns, writes answers, until the input ends
  arena as-bot reversi in:bot --ms 100
  arena match -r 'java -jar referee.jar' ./mine 'arena as-bot podracing in:bot --ms 70'      with a published referee

Without --nodes or --ms a turn has 2,000 nodes. With --ms a turn takes that long, whatever the contest allows. arena match
starts it by itself where a program meets an in: search.";

/// Examples of `arena pool`.
pub(super) const POOL: &str = "\
Examples:
  arena pool new league reversi --seed 7                  or: arena pool new league -r 'java -jar referee.jar' --players 4
  arena pool add v1 target/release/reversi --source submit.rs --pool league
  arena pool add v2 submit.rs --note 'deeper search' --pool league        compiled into the pool
  arena pool add v3 ./bot --build 'g++ -O2 -o bot main.cpp' --pool league
  arena rate --pool league -n 200                         games where they teach most; again and again, or --for 8h
  arena pool remove v2 --undo --pool league               lets a bot play again that was removed or parked
  arena pool submitted v2 --rank 57 --score 28.4 --pool league
  arena pool list --pool league                           the bots, and which one is on the site
  arena pool table --pool league --where seat=0           ratings by some of the games
  arena pool table --pool league --by map --bot v2        scores by an attribute

The files of a bot are copied: what is built afterwards changes nothing. A bot whose copy has changed plays no games.";

/// Examples of `arena stats`.
pub(super) const STATS: &str = "\
Examples:
  arena stats games.jsonl                                two bots: as match prints it; more: as rate does
  arena stats games.jsonl --sprt --elo0 0 --elo1 10      two bots: as sprt prints it
  arena stats run --by seat --bot A                      scores by seat
  arena stats theirs.json --where map=small --by opponent --markdown

A line of games.jsonl needs bots and scores, or ranks; more bring pairs, times and attributes:
  {\"bots\": [\"new\", \"old\"], \"scores\": [3, 1], \"seed\": 7, \"map\": \"small\"}";

/// Examples of `arena merge`.
pub(super) const MERGE: &str = "\
Examples:
  arena merge machine1/games.jsonl machine2/games.jsonl       summary of both
  arena merge part1 part2 part3 -o all/games.jsonl            and one file, from which a run can be resumed
  arena merge part* --sprt --elo0 0 --elo1 10 --json

The parts come from --shard. To have one verdict from many machines, which stops all of them, see --cluster (match, sprt,
rate). With GNU parallel, on this machine or others (-S):
  parallel arena match reversi ./new ./old -n 1000 --shard {}/4 --dir part{} ::: 1 2 3 4
In a Slurm array (sbatch --array=1-4):
  arena match reversi ./new ./old -n 1000 --shard $SLURM_ARRAY_TASK_ID/4 --dir part$SLURM_ARRAY_TASK_ID
In an indexed job of Kubernetes (completions: 4, completionMode: Indexed; parts are counted from 1):
  arena match reversi ./new ./old -n 1000 --shard $((JOB_COMPLETION_INDEX + 1))/4 --dir /shared/part$JOB_COMPLETION_INDEX";

/// Examples of `arena perft`.
pub(super) const PERFT: &str = "\
Examples:
  arena perft reversi 9               counts for 1 to 9 plies, with leaves per second
  arena perft reversi 5 --divide      the last of them split by first move";

/// Examples of `arena solve`.
pub(super) const SOLVE: &str = "\
Examples:
  arena solve mancala 6 4             both capture rules; append 0 or 1 to select one
  arena solve mancala 6 4 0 --mb 4000 --json
  arena solve mnk 4 3 3 --time-limit 60
  arena solve tictactoe --moves '0,0 1,1 2,2'
  arena solve reversi --position 'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'

The value is exact: the margin for games with points, otherwise the number of plies to the end. Only small games can be \
solved. Ctrl-C stops the search, and so does a closed standard output.";

/// Examples of `arena bench`.
pub(super) const BENCH: &str = "\
Examples:
  arena bench                         every contest's searches, and one checksum
  arena bench reversi                 one contest's

The checksum changes if and only if a search's behaviour changes: quote it in each commit that may affect a search.";

/// Examples of `arena debug`.
pub(super) const DEBUG: &str = "\
Examples:
  arena debug reversi --search minimax --openings 8 --seed 3
  printf 'nodes 100000\\nlist 5\\nbest\\nlist\\n' | arena debug reversi --search mcts --json
  arena debug reversi --replay games/7.json --ply 24 --script look.txt
  arena debug mancala --position '0,3,0,0,0,0,9/0,0,0,0,1,1,34 0'

At a terminal there are a prompt and a history, and Ctrl-C stops the running search. When reading a pipe or a file, \
the first command that fails ends the script with its line number and exit code 1. `help` lists the commands.";

/// Examples of `arena serve`.
pub(super) const SERVE: &str = "\
Examples:
  arena serve reversi                                       listens on a free port of this machine
  arena serve mancala --web                                 a page to play on, in a browser of this machine
  arena serve uttt --listen 127.0.0.1:4711 --ponder --search mcts --pool-mb 256
  arena serve tictactoe --addr-file address & arena play tictactoe 'arena connect --addr-file address' ./mine

A client acts as the referee: it sends the lines of the contest's protocol and receives a bot's answers. Each client \
has its own game and search. Invalid input is answered with a line that begins with error, and the connection is \
closed. Ctrl-C stops the server with exit code 0 and aborts running games.";

/// Examples of `arena connect`.
pub(super) const CONNECT: &str = "\
Examples:
  arena connect 127.0.0.1:4711                                        by hand
  arena play uttt ./mine 'arena connect 127.0.0.1:4711' --games 10    as a bot
  arena match reversi ./mine 'arena connect --addr-file address' -n 100

Exits when the server closes the connection; end of file on standard input is passed on.";

/// Examples of `arena import`.
pub(super) const IMPORT: &str = "\
Examples:
  arena import 798123456.json -o games              a replay saved from the platform; the contest is recognised
  arena import reversi results/*.json -o games      results of the published runner for this contest
  arena import --contest mnk:3,3,3 game.json        a variant has to be named
  arena import battles.zip --as spring -o games     games of any other contest; then
  arena stats games/games.jsonl                     won and lost by opponent
  arena view games/812345678.json                   a page with the own standard error

The files contain only the bots' answers: the input of each bot is rebuilt from the rules, and the player who moved first \
is seat 0, p0 in the logs. Without rules (--as) the answers, scores and ranks are recorded as they stand. Exit status 1 \
if a file could not be imported.";

/// Examples of `arena new`.
pub(super) const NEW: &str = "\
Examples:
  arena new connect-four                            rules, bot, arena and tests, to be changed: two players in turn
  arena new snakes --joint --players 4              four players who move at the same time
  arena new lander --solo                           one player with a plan of moves
  arena new tour --heuristic                        one player, many seeds, a score
  arena new tower --stub stub.txt                   a bot that reads the input of a contest's stub
  arena new tron --dir ~/contests/tron --coppice ~/coppice

A new package depends on the engine, on the interface of contests and on the arena's library, in the checkout that built \
this program unless --coppice names another. Its Cargo.lock has the versions with which this program was built.";

/// Examples of `arena check`.
pub(super) const CHECK: &str = "\
Examples:
  arena check reversi ./mine                        start, times, full games on each seat, closed input, garbage
  arena check uttt 'python3 mine.py' --games 20     more games against random moves
  arena check mnk:3,3,3 ./mine --json               one object with all checks
  arena check -r 'java -jar referee.jar' ./mine      games against itself through a published referee

A FAULT loses games: exit status 1, with the last exchange printed byte for byte. A warning loses no game here.";

/// Examples of `arena verify`.
pub(super) const VERIFY: &str = "\
Examples:
  arena verify mygame -r 'java -jar referee.jar'           100 games of random answers: where do rules and referee differ?
  arena verify mygame -r 'java -jar referee.jar' -n 500 --seed 7
  arena verify mygame games                                the same for recorded games: dialogues, replays of the platform

In every second game one answer may be illegal: what the rules refuse the referee must refuse too. The first game that
differs is kept with its dialogues; put them into tests/logs and the tests hold the rules to them.";

/// Examples of `arena regress`.
pub(super) const REGRESS: &str = "\
Examples:
  arena regress run --bot ./new                     games that A lost in a run: the same seeds, seats and opponents
  arena regress run --of mine --bot ./new --from losing
  arena regress games --bot ./new -r 'java -jar referee.jar'    maps and seeds of a published referee
  arena regress games/games.jsonl --of me --bot ./new --against 'in:bot --ms 50'    imported games

Among lost games some turn by chance. So the recorded bot plays them once more too, if its program is still the one that \
played, and the difference is what counts.";

/// Examples of `arena replay`.
pub(super) const REPLAY: &str = "\
Examples:
  arena replay games/7.p0.log --show               each position; the other bot's log is read from the same folder
  arena replay games.jsonl                          check all games of a run against the rules
  arena replay 798123456.json --bot ./mine --all    turns in which a bot would move differently, or fails

Exit status 1 if a game contradicts the rules or is truncated, or if the bot moves differently or fails.";

/// Examples of `arena view`.
pub(super) const VIEW: &str = "\
Examples:
  arena view games/7.p0.log --open                  one game: positions, charts, what each bot was sent and said
  arena view games.jsonl --game 12 --game 31 -o lost.html
  arena view games --of B                               of several games, those that B lost come first
  arena view 798123456.json --contest uttt          a replay saved from the platform
  arena view games/7.json                           a game through an external referee (-r ... --log-dir games)
  arena view games/7.json --compare 'in:bot --ms 100'    marks the turns in which this search would play otherwise

The page is one file and needs no network. #turn=37 at the end of its address leads to a turn. What bots print on standard \
error is shown where --log-dir kept it: lines `depth 9, score 34, 20000 nodes` and `[TDATA] k = v` become charts, and the \
drawing language of the platform's overlays (`@c red 800 450 50`) a picture.";

/// Examples of `arena cases`.
pub(super) const CASES: &str = "\
Examples:
  arena cases                                       the 20 worst of the last run, of its first bot against the others
  arena cases run --of old -n 1000                  the other way, all of a run
  arena cases --by N                                by the size of the input";

/// Examples of `arena mistakes`.
pub(super) const MISTAKES: &str = "\
Examples:
  arena mistakes                                    the last run in arena-games, four phases, by the contest's first search
  arena mistakes run --judge 'in:bot --nodes 500000 --pool-mb 64' -j 2
  arena mistakes run --phase-plies 8 --large 300    moves 1 to 8, 9 to 16, ...; losses of 300 points or more are large
  arena mistakes run --of new --certain 1000        two runs are compared on one scale

A move loses the search's score after its own choice less that after the move played, and at least 0. Forced moves and those of \
openings are left out. Every judged position is searched anew, so that with --nodes the result doesn't depend on -j. For two \
players who move in turn.";

/// Examples of `arena report`.
pub(super) const REPORT: &str = "\
Examples:
  arena report                                      the page of the last run in arena-games, in its folder
  arena report run --open                           of a run, also while it goes on
  arena report league -o - > league.html            of a pool
  arena report run --csv > games.csv                a line a game: seed, opening, bots, scores, endings, times
  arena report run --markdown                       scores, seats, endings and times for notes

The page is one file and needs no network; each game's page is in a folder next to it, with the logs that the run has stored. \
run.json in the folder of a run has its dates, machine and commit; runs of earlier versions have none.";

/// Examples of `arena referee`.
pub(super) const REFEREE: &str = "\
Examples:
  arena referee reversi -p1 ./mine -p2 ./theirs -d seed=7
  arena referee reversi --openings 8 -p1 ./mine -p2 ./theirs -d seed=7 -l game.json
  java -jar cg-brutaltester.jar -r 'arena referee reversi --openings 8' -p1 ./mine -p2 ./theirs -n 100 -s -l logs

Prints one score per line, -1 for a bot that failed, then the data needed to repeat the game. Without --openings, \
deterministic bots always play the same game.";

/// Examples of `arena tune`.
pub(super) const TUNE: &str = "\
Examples:
  arena tune uttt in:playouts --nodes 1000                   a search of this program, without processes
  arena tune reversi ./mine --nodes 5000 --games 2000 -j 4   a bot in any language
  arena tune reversi ./mine --params window --start window=40 --range window=0..200 --later-ms 50
  arena tune reversi ./mine --print-spsa                     lines for OpenBench
  arena tune lander in:bot --nodes 500 --compare difference  a contest for one, by scores on equal seeds
  arena tune -r 'java -jar referee.jar' ./mine --games 400   through a published referee

Requirements for a bot: started with --tunables, it prints a line `NAME, int|float, VALUE, MIN, MAX` for each tunable \
parameter and exits with status 0; it accepts --param NAME=VALUE any number of times. Every finished pair \
of games is appended to the log, so repeating the same command resumes the run. `in:SEARCH` takes --nodes, --ms or --cpu-ms, \
--seed, --pool-mb or --pool-nodes, and --param, and works in match and sprt too; `arena debug CONTEST --list` lists the searches.";
