//! A headless browser for tests: its driver, a session, what its console says.

pub mod games;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use serde_json::{json, Value};

/// The views in which pages are looked at: the suffix of a picture's name, the window's size, whether it is dark.
pub const VIEWS: [(&str, [u32; 2], bool); 4] = [
    ("", [1280, 900], false),
    ("-dark", [1280, 900], true),
    ("-phone", [390, 844], false),
    ("-phone-dark", [390, 844], true),
];

/// How long a driver may take to start.
const START: Duration = Duration::from_secs(30);

/// The chromium driver's process, ended with the value, and before it the browser of its session: that outlives the driver.
struct Driver {
    process: Child,
    port: String,
    session: String,
}

impl Driver {
    /// Ends the session, without the client: its runtime may be gone.
    fn end_session(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(format!("localhost:{}", self.port))?;
        stream.set_read_timeout(Some(START))?;
        let request =
            format!("DELETE /session/{} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", self.session, self.port);
        stream.write_all(request.as_bytes())?;
        // The answer comes when the browser is gone.
        stream.read(&mut [0; 64]).map(drop)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.end_session();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser with one window.
pub struct Browser {
    /// The client.
    pub client: Client,
    _driver: Driver,
    _profile: tempfile::TempDir,
}

/// What the console said since it was last asked.
#[derive(Debug)]
struct ConsoleLog;

impl WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({"type": "browser"}).to_string()))
    }
}

impl Browser {
    /// Starts a browser with a window of this size, in dark or in light.
    ///
    /// # Panics
    /// If there is no chromium or chromedriver, or it doesn't start.
    pub async fn start([width, height]: [u32; 2], is_dark: bool) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (apt-get install chromium chromium-driver)");
        let output = BufReader::new(driver.stdout.take().expect("a pipe"));
        let (sender, port) = std::sync::mpsc::channel();
        // The thread also empties the pipe.
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let port = line
                    .split("successfully on port ")
                    .nth(1)
                    .map(|rest| rest.trim_end_matches('.').to_owned());
                port.into_iter().for_each(|port| drop(sender.send(port)));
            }
        });
        let port = port.recv_timeout(START).expect("the driver tells its port");
        let profile = tempfile::tempdir().expect("a folder");
        let mut arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        arguments.push(format!("--blink-settings=preferredColorScheme={}", if is_dark { 0 } else { 1 }));
        let wanted = json!({
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {
                "args": arguments,
                // A window can't be made as narrow as a phone; its screen can.
                "mobileEmulation": {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1.0, "touch": false}},
            },
        });
        let Value::Object(wanted) = wanted else { unreachable!("an object") };
        let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
        builder.capabilities(wanted);
        let client = builder.connect(&format!("http://localhost:{port}")).await.expect("a browser");
        let session = client.session_id().await.expect("a session").expect("a session's name");
        let driver = Driver { process: driver, port, session };
        Self { client, _driver: driver, _profile: profile }
    }

    /// Opens a file at a place in it.
    pub async fn open(&self, file: &Path, place: &str) {
        let address = format!("file://{}{place}", file.display());
        // A change of the place alone would not load the file anew.
        self.client.goto("about:blank").await.expect("an empty page");
        self.client.goto(&address).await.expect("the page loads");
    }

    /// The value of an expression on the page.
    pub async fn value(&self, expression: &str) -> Value {
        let script = format!("return {expression};");
        self.client.execute(&script, Vec::new()).await.unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The number that an expression on the page has.
    pub async fn number(&self, expression: &str) -> f64 {
        let value = self.value(expression).await;
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// Warnings and errors on the console since the last call.
    pub async fn complaints(&self) -> Vec<String> {
        let entries = self.client.issue_cmd(ConsoleLog).await.expect("the console");
        let entries = entries.as_array().cloned().unwrap_or_default();
        let is_bad =
            |entry: &Value| ["SEVERE", "WARNING"].contains(&entry["level"].as_str().unwrap_or("SEVERE"));
        entries.iter().filter(|entry| is_bad(entry)).map(Value::to_string).collect()
    }
}

/// A run of the arena that serves its page (`--live`), ended with the value.
pub struct LiveRun {
    run: Child,
    /// The page's address.
    pub address: String,
}

impl LiveRun {
    /// Starts a run in a folder.
    ///
    /// # Panics
    /// If it names no address.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(program());
        let run = command.args(arguments).arg("--live").current_dir(folder);
        let mut run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the arena runs");
        let output = run.stderr.take().expect("a pipe");
        Self::of(run, output)
    }

    /// Serves a game to be played on a page (`arena serve --web`).
    ///
    /// # Panics
    /// If it names no address.
    pub fn serve(arguments: &[&str]) -> Self {
        let mut command = Command::new(program());
        let run = command.arg("serve").args(arguments).arg("--web");
        let mut run = run.stdout(Stdio::piped()).spawn().expect("the arena runs");
        let output = run.stdout.take().expect("a pipe");
        Self::of(run, output)
    }

    /// A run that names its address in its output.
    fn of(run: Child, output: impl Read + Send + 'static) -> Self {
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("http://")).expect("the page's address");
        let address =
            line.split(' ').find(|word| word.starts_with("http://")).expect("an address").to_owned();
        // The thread empties the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { run, address }
    }
}

impl Drop for LiveRun {
    fn drop(&mut self) {
        let _ = self.run.kill();
        let _ = self.run.wait();
    }
}

/// Runs the arena in a folder.
///
/// # Panics
/// If it isn't built, or fails.
pub fn arena(folder: &Path, arguments: &[&str]) -> Output {
    let output =
        Command::new(program()).args(arguments).current_dir(folder).output().expect("the arena runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    output
}

/// The arena's program: that in the variable ARENA, or the one that `cargo build` made.
fn program() -> PathBuf {
    let built = || {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let built = ["release", "debug"].map(|profile| root.join("target").join(profile).join("arena"));
        built.into_iter().find(|file| file.is_file())
    };
    std::env::var_os("ARENA").map(PathBuf::from).or_else(built).expect("cargo build -p arena, or ARENA=path")
}
