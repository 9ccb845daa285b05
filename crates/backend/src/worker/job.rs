//! Puts the processes of a worker in a job object on Windows. Windows ends all of them when the job is closed, which
//! also happens when the host ends.

use std::os::windows::io::AsRawHandle;
use std::process::Child;

use win32job::{ExtendedLimitInfo, Job};

/// The job object that holds the first process of a worker and the processes that it starts. They end when the last
/// handle of the job is closed: when this `Group` is dropped, or when the host ends for whatever reason.
pub struct Group {
    _job: Job,
}

impl Group {
    /// Puts a process in a job of its own. Returns `None` if Windows does not allow that. Then the host can kill only
    /// the process itself, not those that it started, and nothing kills the process if the host dies first.
    ///
    /// Processes that `process` started before this call are not in the job.
    pub fn led_by(process: &Child) -> Option<Group> {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close()).ok()?;
        job.assign_process(process.as_raw_handle() as isize).ok()?;
        Some(Group { _job: job })
    }
}
