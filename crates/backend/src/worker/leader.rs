//! The first process of a worker, and the process group that it leads.

use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::command::Command;
use super::{guard, memory};

/// The first process of a worker. The processes that it starts are in its process group, unless they leave it.
///
/// The group has the number of the leader. The kernel does not give that number to another process before the leader is
/// reaped, so the group is always killed first and the leader reaped afterwards.
pub(super) struct Leader {
    child: Child,
    /// The process and those that it started.
    #[cfg(windows)]
    group: Option<super::job::Group>,
    /// How the process ended, once it is reaped.
    ended: Option<String>,
}

impl Leader {
    /// Starts a worker's process in a group of its own.
    pub fn spawn(command: &Command, address_space_bytes: Option<u64>) -> std::io::Result<Leader> {
        let mut builder = std::process::Command::new(&command.program);
        builder.args(&command.arguments);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The last lines of stderr should say what happened. A backtrace would push that out.
        builder.env("RUST_BACKTRACE", "0");
        builder.envs(command.environment.iter().map(|(name, value)| (name, value)));
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let child = builder.spawn()?;
        guard::add(child.id());
        limit_resources(&child, address_space_bytes);
        memory::prefer_to_kill(child.id());
        Ok(Leader {
            #[cfg(windows)]
            group: super::job::Group::led_by(&child),
            child,
            ended: None,
        })
    }

    /// Returns the number of the process, and of its group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Takes stdin, stdout and stderr.
    pub fn take_streams(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Returns whether the process has ended, without reaping it.
    #[cfg(unix)]
    pub fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is no such process, because it is reaped.
        self.ended.is_some() || !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    /// Returns whether the process has ended.
    #[cfg(not(unix))]
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills every process of the group, and reaps the leader. Returns how the leader ended.
    pub fn kill(&mut self) -> String {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        #[cfg(unix)]
        {
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(windows)]
        drop(self.group.take());
        guard::remove(self.id());
        // Kills the process if nothing above did so: on Windows without a job. A failure does not matter, because
        // `wait` returns how the process ended.
        let _ = self.child.kill();
        let ended = self.child.wait().map_or_else(|error| error.to_string(), describe);
        self.ended.insert(ended).clone()
    }

    /// Waits until the process ends by itself, and kills the rest of its group. Returns how it ended, or `None` if it
    /// goes on for longer than `patience`.
    pub fn wait(&mut self, patience: Duration) -> Option<String> {
        let give_up = Instant::now() + patience;
        let mut pause = Duration::from_micros(100);
        while !self.has_ended() {
            if Instant::now() >= give_up {
                return None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        Some(self.kill())
    }
}

/// Returns the exit status as text: `signal: 8 (SIGFPE)`, `exit status: 3`.
fn describe(status: ExitStatus) -> String {
    status.to_string().replace(" (core dumped)", "")
}

/// Limits the address space from outside, so that the limit holds for any program, and disables core dumps.
#[cfg(target_os = "linux")]
fn limit_resources(child: &Child, address_space_bytes: Option<u64>) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let set = |resource, bytes| {
        // Fails if the process has ended already, which the missing greeting reveals, or if it has a lower limit
        // already.
        let _ = prlimit(Some(Pid::from_child(child)), resource, Rlimit { current: Some(bytes), maximum: Some(bytes) });
    };
    if let Some(bytes) = address_space_bytes {
        set(Resource::As, bytes);
    }
    set(Resource::Core, 0);
}

#[cfg(not(target_os = "linux"))]
fn limit_resources(_child: &Child, _address_space_bytes: Option<u64>) {}
