//! The supervisor: the process that runs a job's program and outlives the process that started the
//! job.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::files::{self, BEGUN, INPUT, LOCK, ORDER, STATUS, STDERR, STDOUT};
use super::nesting::{DEPTH_VARIABLE, JOB_VARIABLE, depth};
use super::program_output::{Limits, Ran, run_within};
use super::{Ending, Order, Report, StartError, remains};
use crate::deadline::Deadline;
use crate::left_behind::{begin_session, leave_behind};
use crate::program::Program;

/// The command line that starts verger's own program again. The program must then call
/// [`supervise`].
#[derive(Debug, Clone)]
pub struct Supervisor {
    pub program: PathBuf,
    /// The arguments of the program that come before those of [`supervise`].
    pub arguments: Vec<OsString>,
    /// The environment of the supervisor and of the job's program.
    pub environment: Vec<(OsString, OsString)>,
}

#[derive(Debug, thiserror::Error)]
pub enum SuperviseError {
    #[error("supervise a job: wrong arguments (only verger starts this process)")]
    Arguments,
    #[error("start the supervisor")]
    Start(#[source] io::Error),
    #[error("store the job in {}", directory.display())]
    Keep {
        directory: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// The argument for the first stage. That stage starts the actual supervisor and exits. So the
/// supervisor is no child process of the agent's shell, all of whose child processes the agent
/// kills.
const DETACH: &str = "detach";
const RUN: &str = "run";

impl Supervisor {
    pub(crate) fn detach(&self, job: &Path, deadline: Deadline<'_>) -> Result<(), StartError> {
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        let output = Program::new(&self.program, environment)
            .args(&self.arguments)
            .arg(DETACH)
            .arg(job)
            .run(deadline)
            .map_err(StartError::Run)?;
        if output.status.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(StartError::Refused { message })
    }

    fn leave_behind(&self, job: &Path) -> io::Result<()> {
        let arguments = self.arguments.iter().map(OsString::as_os_str);
        let arguments = arguments.chain([OsStr::new(RUN), job.as_os_str()]);
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        leave_behind(&self.program, arguments, environment)
    }
}

/// Runs the stage of the supervisor that `arguments` name. `keep` changes the program's output
/// before it is written to the disk.
pub fn supervise(
    arguments: &[OsString],
    supervisor: &Supervisor,
    keep: impl Fn(Vec<u8>) -> Vec<u8>,
) -> Result<(), SuperviseError> {
    let [stage, job] = arguments else { return Err(SuperviseError::Arguments) };
    let job = Path::new(job);
    let failed = |source| SuperviseError::Keep { directory: job.to_owned(), source };
    match stage.to_str() {
        Some(DETACH) => supervisor.leave_behind(job).map_err(SuperviseError::Start),
        Some(RUN) => run(job, supervisor, keep).map_err(failed),
        _ => Err(SuperviseError::Arguments),
    }
}

fn run(job: &Path, supervisor: &Supervisor, keep: impl Fn(Vec<u8>) -> Vec<u8>) -> io::Result<()> {
    begin_session();
    let Some(_lock) = files::lock(&job.join(LOCK))? else { return Ok(()) };
    if job.join(BEGUN).try_exists()? {
        return Ok(());
    }
    let own = format!("{}\n", std::process::id());
    files::write_new(&job.join(BEGUN), own.as_bytes())?;
    let ran = run_order(job, supervisor).unwrap_or_else(|error| Ran {
        ending: Ending::NotRun { why: error.to_string() },
        took: Duration::ZERO,
        stdout: vec![],
        stderr: vec![],
    });
    // Another process may have removed the job and created it again. The new job belongs to another
    // supervisor.
    if files::read(&job.join(BEGUN))?.as_deref() != Some(own.as_bytes()) {
        return Ok(());
    }
    remains::end(job);
    let report = Report { ending: ran.ending, took: ran.took };
    files::write_whole(&job.join(STDOUT), &keep(ran.stdout))?;
    files::write_whole(&job.join(STDERR), &keep(ran.stderr))?;
    files::write_whole(&job.join(STATUS), report.to_string().as_bytes())
}

fn run_order(job: &Path, supervisor: &Supervisor) -> io::Result<Ran> {
    let bytes = files::read(&job.join(ORDER))?.unwrap_or_default();
    let order =
        Order::decode(&bytes).ok_or_else(|| io::Error::other("the job's order is unreadable"))?;
    let environment = supervisor.environment.iter().map(|(name, value)| (name, value));
    let program = Program::new(&order.program, environment)
        .args(&order.arguments)
        .current_dir(&order.directory)
        .env(JOB_VARIABLE, job)
        .env(DEPTH_VARIABLE, (depth(&supervisor.environment) + 1).to_string())
        .input_file(File::open(job.join(INPUT))?);
    let limits = Limits { time: order.time_limit, output_bytes: order.max_output_bytes };
    run_within(program, limits)
}
