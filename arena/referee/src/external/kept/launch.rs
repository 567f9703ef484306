//! Splits the command line of a Java referee into the machine's options and the program.

/// The Java program that a command line starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Launch {
    /// The machine's options, without the class path.
    pub options: Vec<String>,
    /// The program, as the host takes it: `-jar FILE` or `-cp PATH CLASS`.
    pub program: Vec<String>,
    /// The number of words up to the program's arguments.
    pub words: usize,
}

/// Options whose value is the next word.
const WITH_VALUE: [&str; 6] = [
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--add-modules",
    "--limit-modules",
    "--enable-native-access",
];

/// Beginnings of options that concern the machine as a whole and play no part in how the program is found.
const KNOWN: [&str; 13] = [
    "-D",
    "-X",
    "-ea",
    "-enableassertions",
    "-da",
    "-disableassertions",
    "-esa",
    "-dsa",
    "-server",
    "-client",
    "--add-",
    "--enable-",
    "--illegal-",
];

/// Options among those that change how classes are found, or what the host's reading of its input relies on.
const REFUSED: [&str; 6] = [
    "-Djava.system.class.loader",
    "-Djava.security.manager",
    "-Xbootclasspath",
    "-Xdebug",
    "-Xrunjdwp",
    "-XX:ArchiveClassesAtExit",
];

/// Why each game needs a machine of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct OwnMachine(pub(super) String);

impl From<std::io::Error> for OwnMachine {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl Launch {
    /// Reads the words after `java`. `class_path` is the one of the environment.
    ///
    /// # Errors
    /// The word that only a machine of its own can take.
    pub(super) fn parse(words: &[String], class_path: Option<String>) -> Result<Self, OwnMachine> {
        let mut options = Vec::new();
        let mut path = class_path.unwrap_or_else(|| ".".to_owned());
        let mut at = 0;
        let missing = || OwnMachine("its command line names no program".to_owned());
        loop {
            let word = words.get(at).ok_or_else(missing)?;
            at += 1;
            if word == "-jar" {
                let jar = words.get(at).ok_or_else(missing)?;
                return Ok(Self { options, program: vec![word.clone(), jar.clone()], words: at + 1 });
            }
            if !word.starts_with(['-', '@']) {
                return Ok(Self { options, program: vec!["-cp".to_owned(), path, word.clone()], words: at });
            }
            if ["-cp", "-classpath", "--class-path"].contains(&word.as_str()) {
                path.clone_from(words.get(at).ok_or_else(missing)?);
                at += 1;
            } else if let Some(value) = word.strip_prefix("--class-path=") {
                value.clone_into(&mut path);
            } else if WITH_VALUE.contains(&word.as_str()) {
                options.extend([word.clone(), words.get(at).ok_or_else(missing)?.clone()]);
                at += 1;
            } else if KNOWN.iter().any(|known| word.starts_with(known))
                && !REFUSED.iter().any(|refused| word.starts_with(refused))
            {
                options.push(word.clone());
            } else {
                return Err(OwnMachine(format!("its option {word} is for one program alone")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<(String, String, usize), OwnMachine> {
        let words = shell_words::split(line).unwrap();
        let launch = Launch::parse(&words, None)?;
        Ok((launch.options.join(" "), launch.program.join(" "), launch.words))
    }

    #[test]
    fn jars_and_classes_are_found_behind_the_options() {
        let ok = |options: &str, program: &str, words| Ok((options.to_owned(), program.to_owned(), words));
        assert_eq!(parse("-Xmx1g -jar r.jar -p1 x"), ok("-Xmx1g", "-jar r.jar", 3));
        assert_eq!(
            parse("--add-opens java.base/java.lang=ALL-UNNAMED -ea -jar r.jar"),
            ok("--add-opens java.base/java.lang=ALL-UNNAMED -ea", "-jar r.jar", 5)
        );
        assert_eq!(parse("-cp 'a.jar:lib/*' a.Main -d 3"), ok("", "-cp a.jar:lib/* a.Main", 3));
        assert_eq!(parse("--class-path=x Main"), ok("", "-cp x Main", 2));
        assert_eq!(parse("Main").unwrap().1, "-cp . Main");
    }

    #[test]
    fn what_needs_a_machine_of_its_own_is_named() {
        for (line, said) in [
            ("-javaagent:a.jar -jar r.jar", "-javaagent:a.jar"),
            ("-agentlib:jdwp -jar r.jar", "-agentlib"),
            ("-p mods -m a/b", "option -p"),
            ("--module a/b", "--module"),
            ("-Djava.system.class.loader=X -jar r.jar", "class.loader"),
            ("@arguments", "@arguments"),
            ("-version", "-version"),
            ("-Xmx1g", "no program"),
            ("-jar", "no program"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(said), "{line}: {error}");
        }
    }
}
