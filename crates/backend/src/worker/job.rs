//! Puts the processes of a worker in a job object on Windows. Windows ends all of them when the job is closed, which
//! also happens when the host ends.

use std::os::windows::io::AsRawHandle;
use std::process::Child;

use win32job::{ExtendedLimitInfo, Job};

/// The first process of a worker and all that it starts. They end when this is dropped, and when the host ends, however
/// it ends: Windows then closes the last handle of the job.
pub struct Group {
    _job: Job,
}

impl Group {
    /// Puts a process in a job of its own. Returns `None` if Windows does not allow that. Then only the process itself
    /// is killed, not those that it started, and nothing kills it if the host dies first.
    ///
    /// Processes that it started before this call are not in the job.
    pub fn led_by(process: &Child) -> Option<Group> {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close()).ok()?;
        job.assign_process(process.as_raw_handle() as isize).ok()?;
        Some(Group { _job: job })
    }
}
