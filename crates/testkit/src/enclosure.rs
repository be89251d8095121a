//! Starts programs that end with the test and, if the system allows it, can reach only the
//! upstream.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::environment::TestEnvironment;
use crate::output::Output;
use crate::upstream::Upstream;

/// The program in `enclosure/main.rs`, where its usage is documented.
const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/enclosure"));

/// How a real client is isolated from the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// A network namespace with only `lo`, created with the rights of the current user.
    Namespace,
    /// A network namespace inside of a user namespace, which needs no special rights.
    UserNamespace,
    /// No isolation: the system has no namespaces or doesn't allow them. The client still gets a
    /// base URL on loopback, an invalid API key, and the setting that disables other traffic.
    Nothing,
}

impl Isolation {
    /// The strongest isolation that works on this system. Determined once per process by trying.
    pub fn available() -> Self {
        static AVAILABLE: OnceLock<Isolation> = OnceLock::new();
        *AVAILABLE.get_or_init(|| {
            let candidates = [Self::Namespace, Self::UserNamespace];
            candidates.into_iter().find(|isolation| isolation.works()).unwrap_or(Self::Nothing)
        })
    }

    fn works(self) -> bool {
        let environment = TestEnvironment::new();
        let unused = environment.root().join("unused");
        let enclosure = Enclosure::new(&environment);
        let mut command = enclosure.command(&environment, self, Some((1024, &unused)), "true");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// The command before a program's name that isolates the program.
    fn prefix(self) -> &'static [&'static str] {
        match self {
            Self::Namespace => &["unshare", "--net", "--"],
            Self::UserNamespace => &["unshare", "--user", "--map-root-user", "--net", "--"],
            Self::Nothing => &[],
        }
    }
}

impl TestEnvironment {
    /// Runs a program like [`run`](Self::run), with the strongest [`Isolation`] available.
    /// 127.0.0.1 leads to `upstream`. With isolation, the program can't reach anything else.
    pub fn run_isolated<I, A>(
        &self,
        upstream: &Upstream,
        program: impl Into<OsString>,
        arguments: I,
    ) -> Output
    where
        I: IntoIterator<Item = A>,
        A: AsRef<OsStr>,
    {
        let enclosure = Enclosure::new(self);
        let mut command = enclosure.isolated(self, upstream, program);
        command.args(arguments);
        self.run_command(command, "")
    }
}

/// One use of the enclosing program. Must live as long as the enclosed program.
pub(crate) struct Enclosure {
    program: PathBuf,
    lifeline: PathBuf,
    /// Never accepts a connection. When it closes, the enclosed program is killed.
    _listener: UnixListener,
    directory: TempDir,
}

impl Enclosure {
    pub(crate) fn new(environment: &TestEnvironment) -> Self {
        // A separate directory with a short path, because the path of a socket has a length limit.
        let directory = tempfile::Builder::new().prefix("lifeline-").tempdir().unwrap();
        let lifeline = directory.path().join("socket");
        let listener = UnixListener::bind(&lifeline).unwrap();
        let program = environment.root().join("enclosure");
        if !program.exists() {
            environment.write_program(&program, PROGRAM);
        }
        Self { program, lifeline, _listener: listener, directory }
    }

    /// Writes a private file for the enclosed program. Returns its path.
    pub(crate) fn keep(&self, name: &str, contents: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// A command that runs `program` with the strongest isolation available. In it, `upstream` has
    /// the same URL on 127.0.0.1 as outside.
    pub(crate) fn isolated(
        &self,
        environment: &TestEnvironment,
        upstream: &Upstream,
        program: impl Into<OsString>,
    ) -> Command {
        let socket = upstream.socket();
        let isolation = Isolation::available();
        let forward =
            (isolation != Isolation::Nothing).then(|| (upstream.port(), socket.as_path()));
        self.command(environment, isolation, forward, program)
    }

    fn command(
        &self,
        environment: &TestEnvironment,
        isolation: Isolation,
        forward: Option<(u16, &Path)>,
        program: impl Into<OsString>,
    ) -> Command {
        let mut words: Vec<OsString> = isolation.prefix().iter().map(OsString::from).collect();
        words.push(self.program.clone().into());
        words.extend(["--lifeline".into(), self.lifeline.clone().into()]);
        if let Some((port, socket)) = forward {
            words.extend(["--forward".into(), port.to_string().into(), socket.into()]);
        }
        words.extend(["--".into(), program.into()]);
        let mut command = environment.command(&words[0]);
        command.args(&words[1..]);
        command
    }
}
