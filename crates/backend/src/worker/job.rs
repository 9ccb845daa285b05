//! The processes of a worker on Windows: a job object, which ends them together, and with the host.

use std::os::windows::io::AsRawHandle;
use std::process::Child;

use win32job::{ExtendedLimitInfo, Job};

/// The first process of a worker and all that it starts. They end when this is dropped, and when the host ends, however
/// it ends: Windows then closes the last handle of the job.
pub struct Group {
    _job: Job,
}

impl Group {
    /// Puts a process in a job of its own. Returns `None` if Windows does not allow that; then only the process itself
    /// is ended, and only by a host that lives.
    ///
    /// What the process has started before this call is not in the job.
    pub fn led_by(process: &Child) -> Option<Group> {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close()).ok()?;
        job.assign_process(process.as_raw_handle() as isize).ok()?;
        Some(Group { _job: job })
    }
}
