//! Ends workers whose host is gone, however it ended.
//!
//! A healthy worker ends when its stdin does, and a worker of Plumbline watches its host. Somebody else's program does
//! neither while it is in an endless loop. A host that is killed by SIGKILL cannot end its workers, so another process
//! does it: the guard, a shell that reads from a pipe. The host writes the process groups of its running workers to the
//! pipe. When the host ends, for whatever reason, the kernel closes the pipe, and the guard kills these groups.
//!
//! The alternative on Linux is PR_SET_PDEATHSIG. It needs unsafe code between fork and exec, fires when the thread that
//! started the worker ends, and does not reach the children of a worker. Other systems do not have it.
//!
//! On Windows there is no guard, because each worker is in a job object (`job.rs`), which ends with the host.

#[cfg(unix)]
mod unix {
    use std::collections::BTreeSet;
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::process::{ChildStdin, Command, Stdio};
    use std::sync::{Mutex, PoisonError};

    /// Keeps the last complete line of stdin. When stdin ends, kills the process groups that this line lists. Ignores
    /// the signals that may end the host, because the guard must outlive it.
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM
while read -r line; do groups=$line; done
for group in $groups; do kill -s KILL -- \"-$group\"; done";

    /// The guard of this process.
    #[derive(Default)]
    struct Guard {
        groups: BTreeSet<u32>,
        /// The stdin of the shell; `None` before its start, and after its death.
        stdin: Option<ChildStdin>,
    }

    static GUARD: Mutex<Guard> = Mutex::new(Guard { groups: BTreeSet::new(), stdin: None });

    impl Guard {
        /// Tells the shell which groups there are. If the shell cannot be started, there is no guard.
        fn tell(&mut self) {
            if self.stdin.is_none() && !self.groups.is_empty() {
                self.stdin = start().ok().flatten();
            }
            let groups: Vec<String> = self.groups.iter().map(u32::to_string).collect();
            if let Some(stdin) = &mut self.stdin
                && stdin.write_all(format!("{}\n", groups.join(" ")).as_bytes()).is_err()
            {
                // Somebody ended the guard. The next call of this function starts another one.
                self.stdin = None;
            }
        }
    }

    fn start() -> std::io::Result<Option<ChildStdin>> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT]).current_dir("/");
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A Ctrl-C in the terminal ends the host and its group. The shell has to outlive the host, so it gets a group
        // of its own.
        shell.process_group(0);
        Ok(shell.spawn()?.stdin)
    }

    /// Makes the guard kill a process group when this process ends.
    pub fn add(group: u32) {
        let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
        guard.groups.insert(group);
        guard.tell();
    }

    /// Undoes [`add`]. This has to happen before the leader of the group is reaped, because afterwards another process
    /// may get the same number.
    pub fn remove(group: u32) {
        let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
        guard.groups.remove(&group);
        guard.tell();
    }
}

#[cfg(unix)]
pub(super) use unix::{add, remove};

#[cfg(not(unix))]
pub(super) fn add(_group: u32) {}

#[cfg(not(unix))]
pub(super) fn remove(_group: u32) {}
