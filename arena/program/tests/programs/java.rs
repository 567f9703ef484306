//! Tests referees in Java: the flags that make them start faster, and kept machines (`--keep-jvm`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

use crate::outside::{arena, digest, err, out, outside};

/// A referee like real ones: static state that would change what bots are sent, threads that it leaves, bots that it
/// waits for, `System.exit` at its end. The word after its options is the failure to play: `-once` is in the sixth game,
/// the first that is played in a kept machine alone. `//PARTS` is replaced by a call into each of its other classes.
const REFEREE: &str = r#"import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
public class Ref {
    static int games = 0;
    public static void main(String[] words) throws Exception {
        games++;
        List<String> bots = new ArrayList<>();
        long seed = 0;
        for (int i = 0; i < words.length; i++) {
            if (words[i].startsWith("-p")) bots.add(words[++i]);
            else if (words[i].equals("-d")) seed = Long.parseLong(words[++i].replace("seed=", ""));
        }
        String mode = words[words.length - 1];
        boolean isSixth = false;
        if (mode.endsWith("once")) {
            Path marker = Paths.get("marker");
            isSixth = Files.exists(marker) && Files.size(marker) == 5;
            Files.write(marker, new byte[1], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        if (isSixth && mode.equals("hang-once")) Thread.sleep(1000000);
        if (isSixth && mode.equals("halt-once")) Runtime.getRuntime().halt(7);
        if (mode.equals("always")) Runtime.getRuntime().exit(9);
        if (System.in.read() != -1) throw new IllegalStateException("its input isn't empty");
        if (System.getProperty("left") != null) throw new IllegalStateException("a property was left");
        System.setProperty("left", "behind");
        Locale.setDefault(Locale.ROOT.equals(Locale.getDefault()) ? Locale.FRANCE : Locale.ROOT);
        Executors.newCachedThreadPool().submit(() -> games);
        new Timer("timer").schedule(new TimerTask() { public void run() { } }, 1000000);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.err.println("hook")));
        long mixed = seed;
        //PARTS
        StringBuilder order = new StringBuilder();
        if (mode.equals("identity")) {
            Map<Object, Integer> units = new HashMap<>();
            for (int i = 0; i < 20; i++) units.put(new Object(), i);
            for (int unit : units.values()) order.append(unit).append(' ');
            order.append("\n");
        }
        // Security properties are the JDK's: the kept machine doesn't restore them.
        String left = java.security.Security.getProperty("left");
        if (mode.equals("first-seed")) {
            if (left == null) java.security.Security.setProperty("left", left = "" + seed);
            order.append(left).append("\n");
        }
        if (mode.equals("count")) {
            int count = left == null ? 1 : Integer.parseInt(left) + 1;
            java.security.Security.setProperty("left", "" + count);
            if (count > 6) order.append("too many games\n");
        }
        if (mode.equals("time")) order.append(System.nanoTime()).append("\n");
        for (String bot : bots) {
            Process process = new ProcessBuilder(bot.split(" ")).start();
            String sent = seed * games + "\n" + order + mixed + " " + games + "\n";
            Thread writer = new Thread(() -> {
                try (OutputStream out = process.getOutputStream()) { out.write(sent.getBytes()); } catch (IOException e) { }
            });
            writer.start();
            BufferedReader answers = new BufferedReader(new InputStreamReader(process.getInputStream()));
            String[] answer = new String[1];
            Thread reader = new Thread(() -> { try { answer[0] = answers.readLine(); } catch (IOException e) { } });
            reader.start();
            reader.join(20000);
            System.out.println(answer[0] == null ? "-1" : answer[0]);
        }
        System.out.println("seed=" + seed);
        if (isSixth && mode.equals("main-returns-once")) return;
        new Thread(() -> { for (;;) { try { Thread.sleep(1000000); } catch (InterruptedException e) { return; } } }).start();
        try { System.exit(0); } finally { System.out.println("after the end"); }
    }
}
"#;

/// Builds the referee with other classes as `ref.jar`; `false` without a JDK. The compiler takes seconds: the referee with
/// one other class is built once for all tests, and copied.
fn build(folder: &Path, parts: usize) -> bool {
    static IS_BUILT: OnceLock<bool> = OnceLock::new();
    if parts != 1 {
        return compile(folder, parts);
    }
    let small = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java");
    let is_built = *IS_BUILT.get_or_init(|| {
        let _ = fs::remove_dir_all(&small);
        fs::create_dir_all(&small).unwrap();
        compile(&small, parts)
    });
    if is_built {
        fs::copy(small.join("ref.jar"), folder.join("ref.jar")).unwrap();
        fs::create_dir(folder.join("classes")).unwrap();
        for class in fs::read_dir(small.join("classes")).unwrap().map(Result::unwrap) {
            fs::copy(class.path(), folder.join("classes").join(class.file_name())).unwrap();
        }
    }
    is_built
}

/// Compiles the referee into an empty folder.
fn compile(folder: &Path, parts: usize) -> bool {
    let mut calls = String::new();
    let mut classes = String::new();
    for part in 0..parts {
        let _ = writeln!(calls, "mixed = Part{part}.mixed(mixed);");
        let _ = writeln!(
            classes,
            "class Part{part} {{ static int used = {part}; private final java.util.List<Long> values = new \
             java.util.ArrayList<>(); static long mixed(long x) {{ return new Part{part}().add(x * 31 + ++used); }} long \
             add(long x) {{ for (int i = 0; i < 3; i++) values.add(x ^ i); return values.get((int) (x & 1)); }} }}"
        );
    }
    fs::write(folder.join("Ref.java"), REFEREE.replace("//PARTS", &calls)).unwrap();
    fs::write(folder.join("Parts.java"), classes).unwrap();
    fs::write(folder.join("manifest"), "Main-Class: Ref\nAdd-Opens: java.base/java.util\n").unwrap();
    fs::create_dir(folder.join("classes")).unwrap();
    let run = |program: &str, words: &[&str]| {
        let output = Command::new(program).args(words).current_dir(folder).output();
        output.is_ok_and(|output| output.status.success())
    };
    let is_built = run("javac", &["-J-XX:TieredStopAtLevel=1", "-d", "classes", "Ref.java", "Parts.java"])
        && run("jar", &["cfm", "ref.jar", "manifest", "-C", "classes", "."]);
    if !is_built {
        eprintln!("there is no JDK: Java referees are not tried");
    }
    is_built
}

/// Plays a match and returns its output and its games.
fn play(folder: &Path, dir: &str, games: &str, more: &[&str]) -> (Output, Vec<[Value; 6]>) {
    let bots = [5, 6].map(|number| outside(&format!("bot {number} by-seed --record record-{dir}")));
    fs::create_dir_all(folder.join(format!("record-{dir}"))).unwrap();
    let words = ["match", "-r", "java -Xmx200m -jar ref.jar", &bots[0], &bots[1], "-n", games, "--dir", dir];
    let output = arena(folder, &[&words[..], more].concat());
    let text = out(&output);
    assert!(text.contains(&format!("endings: {games} of {games} normal")), "{output:?}");
    let games = digest(&folder.join(dir));
    (
        output,
        games
            .into_iter()
            .map(|mut game| {
                game[3] = Value::Null;
                game
            })
            .collect(),
    )
}

/// What the bots of a match were sent, by bot and seed: the different games, of two lines each. A seed is played more than
/// once.
fn sent(folder: &Path, dir: &str) -> BTreeMap<String, BTreeSet<String>> {
    let files = fs::read_dir(folder.join(format!("record-{dir}"))).unwrap().map(Result::unwrap);
    let games = |text: String| {
        let lines = text.lines().collect::<Vec<_>>();
        lines.chunks(2).map(|game| game.join("\n")).collect()
    };
    files
        .map(|file| {
            (file.file_name().into_string().unwrap(), games(fs::read_to_string(file.path()).unwrap()))
        })
        .collect()
}

/// Plays the same games in three ways.
fn three_ways(parts: usize, games: &str) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if !build(folder, parts) {
        return;
    }
    let seed = ["--seed", "7", "-j", "2", "--seed-as", "d"];
    let (_, plain) = play(folder, "plain", games, &[&seed[..], &["--plain-jvm"]].concat());
    let (_, fast) = play(folder, "fast", games, &seed);
    let (output, kept) = play(folder, "kept", games, &[&seed[..], &["--keep-jvm"]].concat());
    assert!(!err(&output).contains("--keep-jvm isn't possible"), "{output:?}");
    assert!(!err(&output).contains("played again"), "{output:?}");
    assert_eq!(plain, fast);
    assert_eq!(plain, kept);
    let all = sent(folder, "plain");
    let is_right =
        |games: &BTreeSet<String>| games.len() == 1 && games.iter().all(|game| game.ends_with(" 1"));
    assert!(all.values().all(is_right) && all.len() > 6, "{all:?}");
    assert_eq!(all, sent(folder, "fast"));
    assert_eq!(all, sent(folder, "kept"));
}

#[test]
fn the_same_games_are_played_in_each_way() {
    three_ways(40, "12");
}

#[test]
fn a_referee_that_always_dies_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if !build(folder, 1) {
        return;
    }
    let bot = outside("bot 5");
    let words = ["match", "-r", "java -jar ref.jar", &bot, &bot, "-n", "4", "--referee-arg", "always"];
    let output = arena(folder, &[&words[..], &["--keep-jvm", "--seed-as", "d"]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(err(&output).contains("no result for game 1") && err(&output).contains("code 9"), "{output:?}");
}

/// A bot that answers 1 at once if the process of `pid` still lives a while after its game, and does something else
/// otherwise.
#[cfg(target_os = "linux")]
fn bot_after_another(folder: &Path, name: &str, otherwise: &str) -> String {
    let script = format!(
        "for turn in 1 2 3 4 5 6 7 8 9 10 11; do
    case $(cat /proc/$(cat pid 2>/dev/null || echo none)/stat 2>/dev/null) in '' | *') Z '*) break ;; esac
    [ $turn = 11 ] && {{ echo 1; exit; }}
    sleep 0.02
done
{otherwise}
"
    );
    fs::write(folder.join(name), script).unwrap();
    format!("sh {name}")
}

#[test]
#[ignore = "180 games of a referee with 1,600 classes: .ci/deep runs it"]
fn a_referee_of_1600_classes_plays_the_same_games_in_each_way() {
    three_ways(1600, "60");
}

mod slow {
    use super::*;

    /// A difference that shows only after many games is found by the games that are compared at random.
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_referee_that_differs_later_stops_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !build(folder, 1) {
            return;
        }
        let bots = [outside("bot 5 by-seed"), outside("bot 6")];
        let words =
            ["match", "-r", "java -jar ref.jar", &bots[0], &bots[1], "-n", "40", "-j", "1", "--seed", "7"];
        let more = ["--keep-jvm", "--seed-as", "d", "--referee-arg", "count"];
        let output = arena(folder, &[&words[..], &more].concat());
        let text = err(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            text.contains("isn't the same in a kept virtual machine") && text.contains("too many games"),
            "{text}"
        );
        assert!(text.contains("without --keep-jvm"), "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_bot_that_stays_without_an_answer_is_ended_before_the_next_game() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !build(folder, 1) {
            return;
        }
        let bad = bot_after_another(folder, "stay.sh", "echo $$ > pid; exec sleep 600 >&-");
        let words =
            ["play", "-r", "java -jar ref.jar", &outside("bot 5"), &bad, "--games", "4", "--keep-jvm"];
        let output = arena(folder, &[&words[..], &["--seed-as", "d"]].concat());
        assert_eq!(out(&output).matches("failed by stay").count(), 4, "{output:?}");
        assert!(!err(&output).contains("--keep-jvm isn't possible"), "{output:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_process_whose_parent_has_ended_is_ended_before_the_next_game() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !build(folder, 1) {
            return;
        }
        let orphan = "sleep 600 </dev/null >/dev/null 2>&1 &\necho $! > pid\necho 4";
        let bot = bot_after_another(folder, "bot.sh", orphan);
        let words =
            ["play", "-r", "java -jar ref.jar", &bot, &outside("bot 5"), "--games", "4", "--keep-jvm"];
        let output = arena(folder, &[&words[..], &["--seed-as", "d"]].concat());
        let text = out(&output);
        assert_eq!(
            (text.matches("scores 4-5").count(), text.matches("scores 5-4").count()),
            (2, 2),
            "{output:?}"
        );
        assert!(!err(&output).contains("--keep-jvm isn't possible"), "{output:?}");
    }

    /// The first game is the same in a kept machine; the next one, of another seed, is not.
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_referee_that_remembers_an_earlier_game_gets_a_machine_for_each_game() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !build(folder, 1) {
            return;
        }
        let more = ["--keep-jvm", "--seed-as", "d", "--referee-arg", "first-seed"];
        let (output, kept) = play(folder, "kept", "4", &more);
        let text = err(&output);
        assert_eq!(
            text.matches("--keep-jvm isn't possible: the referee plays other games in it").count(),
            1,
            "{text}"
        );
        let (_, plain) =
            play(folder, "plain", "4", &["--plain-jvm", "--seed-as", "d", "--referee-arg", "first-seed"]);
        assert_eq!(kept, plain);
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_referee_whose_games_cannot_be_repeated_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !build(folder, 1) {
            return;
        }
        let more = ["--keep-jvm", "--seed-as", "d", "--referee-arg", "time"];
        let (output, _) = play(folder, "kept", "4", &more);
        let text = err(&output);
        assert!(
            text.contains(
                "game 1, played twice in machines of its own, isn't the same: line 2 to the bot on seat 0"
            ),
            "{text}"
        );
        assert!(!text.contains("--keep-jvm isn't possible"), "{text}");
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_kept_machine_that_hangs_or_dies_is_replaced_and_its_game_played_again() {
        for (mode, said) in [
            ("hang-once", "did not end within 4 s"),
            ("halt-once", "exited with code 7"),
            // Its pool and its timer live on: the limit ends the game, in a kept machine as in any other.
            ("main-returns-once", "did not end within 4 s"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let folder = folder.path();
            if !build(folder, 1) {
                return;
            }
            let more = ["--referee-limit", "4", "--keep-jvm", "--seed-as", "d", "--referee-arg", mode];
            let (output, _) = play(folder, "run", "8", &more);
            let text = err(&output);
            assert!(text.contains(said), "{mode}: {text}");
            assert_eq!(text.matches("it is played again").count(), 1, "{mode}: {text}");
            assert!(!text.contains("--keep-jvm isn't possible"), "{mode}: {text}");
        }
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn what_stands_in_the_way_of_a_kept_machine_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !build(folder, 1) {
            return;
        }
        fs::write(folder.join("empty"), "X: y\n").unwrap();
        let jar = Command::new("jar")
            .args(["cfm", "none.jar", "empty", "-C", "classes", "."])
            .current_dir(folder)
            .status();
        assert!(jar.unwrap().success());
        let bot = outside("bot 5");
        for (referee, code, said) in [
            ("java -XX:+UseSerialGC -javaagent:none.jar -cp classes Ref", 1, "-javaagent:none.jar"),
            ("java -cp classes Reff", 1, "Reff"),
            ("java -jar none.jar", 1, "no Main-Class"),
            (
                "java --class-path=classes --enable-preview -Dx={SEED} Ref -d {SEED} -p1 {P1} -p2 {P2} x",
                0,
                "differ from game",
            ),
        ] {
            let words = ["play", "-r", referee, &bot, &bot, "--keep-jvm", "--seed-as", "d"];
            let output = arena(folder, &words);
            let text = err(&output);
            assert_eq!(output.status.code(), Some(code), "{referee}: {text}");
            assert!(text.contains("--keep-jvm isn't possible") && text.contains(said), "{referee}: {text}");
        }
        let words = ["play", "-r", &outside("d"), &bot, &bot, "--keep-jvm"];
        assert!(err(&arena(folder, &words)).contains("--keep-jvm is for referees whose command is `java`"));
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_referee_that_depends_on_identities_gets_a_machine_for_each_game() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        if !build(folder, 1) {
            return;
        }
        let more = ["--keep-jvm", "--seed-as", "d", "--referee-arg", "identity"];
        let (output, games) = play(folder, "kept", "4", &more);
        let text = err(&output);
        assert!(
            text.contains("the referee plays other games in it. In game 1 with seed ")
                && text.contains(", line 2 to the bot on seat 0 is \""),
            "{text}"
        );
        assert!(text.contains("in a machine of its own. This happens when") && games.len() == 4, "{text}");
        assert_eq!(text.matches("--keep-jvm isn't possible").count(), 1, "{text}");
    }
}
