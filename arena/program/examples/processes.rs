//! What tests on Windows do with other processes: `interrupt ID` sends Ctrl-C to those that share the console of a process,
//! and `is-running ID` exits with 0 if a process is there and with 1 if not.

#[cfg(windows)]
#[allow(unsafe_code, reason = "the standard library has none of these")]
fn main() {
    use std::ffi::c_void;
    use std::process::exit;

    #[link(name = "kernel32")]
    extern "system" {
        fn FreeConsole() -> i32;
        fn AttachConsole(process: u32) -> i32;
        fn SetConsoleCtrlHandler(handler: *const c_void, add: i32) -> i32;
        fn GenerateConsoleCtrlEvent(event: u32, group: u32) -> i32;
        fn OpenProcess(access: u32, inherit: i32, process: u32) -> *mut c_void;
        fn WaitForSingleObject(handle: *mut c_void, milliseconds: u32) -> u32;
    }
    /// Right to wait for a process.
    const SYNCHRONIZE: u32 = 0x0010_0000;
    const WAIT_TIMEOUT: u32 = 258;
    const CTRL_C_EVENT: u32 = 0;

    let words = std::env::args().skip(1).collect::<Vec<_>>();
    let [command, id] = &words[..] else { panic!("expected a command and a process id") };
    let id = id.parse().expect("a process id");
    let is_done = match command.as_str() {
        // SAFETY: these functions take numbers, and no handler is a valid one: it ignores Ctrl-C in this process.
        "interrupt" => unsafe {
            FreeConsole();
            AttachConsole(id) != 0
                && SetConsoleCtrlHandler(std::ptr::null(), 1) != 0
                && GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) != 0
        },
        // SAFETY: the handle is waited for only if it is valid, and lives as long as this process.
        "is-running" => unsafe {
            let process = OpenProcess(SYNCHRONIZE, 0, id);
            !process.is_null() && WaitForSingleObject(process, 0) == WAIT_TIMEOUT
        },
        _ => panic!("no command {command}"),
    };
    exit(i32::from(!is_done));
}

#[cfg(not(windows))]
fn main() {
    eprintln!("only for Windows");
}
