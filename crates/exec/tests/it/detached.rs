//! Tests of jobs, which outlive the process that started them. The tests use this test binary,
//! started again, as the supervisor.
#![expect(clippy::disallowed_methods, reason = "starts itself, and reads its environment")]

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpgid, getsid, kill_process};
use verger_exec::Deadline;
use verger_exec::detached::{
    Attached, Ending, JOB_VARIABLE, Job, JobState, Order, Report, StartError, Supervisor,
    job_above, supervise,
};
use verger_testkit::TestEnvironment;

const ROLE: &str = "EXEC_TEST_ROLE";
const PATIENCE: Duration = Duration::from_mins(1);

/// The entry point of the supervisor. Does nothing in an ordinary test run, which doesn't set the
/// variable `ROLE`.
#[test]
fn plays_its_role_when_it_is_given_one() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let arguments: Vec<_> = std::env::args_os().collect();
    let arguments = &arguments[arguments.len() - 2..];
    let supervisor = itself(std::env::vars_os().collect());
    match role.as_str() {
        "supervise" => {
            let shout = |bytes: Vec<u8>| bytes.to_ascii_uppercase();
            supervise(arguments, &supervisor, shout).unwrap();
        }
        "start and wait" => {
            let (project, job) = (Path::new(&arguments[0]), Job::at(&arguments[1]));
            let order = order(project, "echo begun > begun.fifo; read word < word.fifo");
            let mut supervisor = supervisor;
            supervisor.environment.retain(|(name, _)| name != ROLE);
            supervisor.environment.push((ROLE.into(), "supervise".into()));
            job.start(&order, b"", &supervisor).unwrap();
            drop(job.attach(Deadline::after(PATIENCE), |_| ()));
        }
        other => panic!("{other}"),
    }
}

fn itself(environment: Vec<(OsString, OsString)>) -> Supervisor {
    let arguments = ["--exact", "detached::plays_its_role_when_it_is_given_one", "--nocapture"];
    Supervisor {
        program: std::env::current_exe().unwrap(),
        arguments: arguments.map(OsString::from).into(),
        environment,
    }
}

fn order(project: &Path, script: &str) -> Order {
    Order {
        program: "/bin/sh".into(),
        arguments: ["-c", script].map(OsString::from).into(),
        directory: project.to_owned(),
        time_limit: PATIENCE,
        max_output_bytes: 100_000,
    }
}

/// A test environment with a directory for jobs.
struct Scene {
    environment: TestEnvironment,
}

impl Scene {
    fn new() -> Self {
        let scene = Self { environment: TestEnvironment::new() };
        scene.fifo("begun.fifo");
        scene.fifo("word.fifo");
        scene
    }

    fn fifo(&self, name: &str) {
        assert_eq!(self.environment.run("mkfifo", [name], "").success().stdout, "");
    }

    fn variables(&self, role: &str) -> Vec<(OsString, OsString)> {
        let home = self.environment.home().into_os_string();
        let path = "/usr/bin:/bin".into();
        vec![("HOME".into(), home), ("PATH".into(), path), (ROLE.into(), role.into())]
    }

    fn order(&self, script: &str) -> Order {
        order(&self.environment.project(), script)
    }

    fn job(&self) -> Job {
        Job::at(self.environment.home().join("jobs/one"))
    }

    fn start(&self, order: &Order, input: &str) -> Job {
        let job = self.job();
        let supervisor = itself(self.variables("supervise"));
        job.start(order, input.as_bytes(), &supervisor).unwrap();
        job
    }

    /// Waits until the test's program has begun. Opening the pipe blocks until the program opens it
    /// too.
    fn hears_that_it_begun(&self) {
        let said = self.environment.read("begun.fifo");
        assert_eq!(said, "begun\n");
    }

    /// Lets the test's program continue. Opening the pipe blocks until the program opens it too.
    fn gives_its_word(&self) {
        let path = self.environment.project().join("word.fifo");
        fs::write(path, "word\n").unwrap();
    }

    fn supervisor_of(&self, job: &Job) -> Pid {
        let text = self.environment.read(job.directory().join("begun"));
        Pid::from_raw(text.trim().parse().unwrap()).unwrap()
    }
}

#[track_caller]
fn ended(job: &Job) -> Ending {
    match job.attach(Deadline::after(PATIENCE), |_| ()).unwrap() {
        Attached::Ended(Report { ending, .. }) => ending,
        other => panic!("{other:?}"),
    }
}

const HELD: &str = "echo begun > begun.fifo; read word < word.fifo; echo $word";

#[test]
fn a_job_gets_its_input_and_its_output_is_kept_as_it_may_be() {
    let scene = Scene::new();
    let script = "cat; pwd; echo \"$VERGER_JOB\" $VERGER_DEPTH; echo trouble >&2; exit 7";
    let job = scene.start(&scene.order(script), "in\n");
    assert_eq!(ended(&job), Ending::Exited { code: 7 });
    let project = scene.environment.project();
    let expected = format!("in\n{}\n{} 1\n", project.display(), job.directory().display());
    assert_eq!(String::from_utf8(job.stdout().unwrap()).unwrap(), expected.to_ascii_uppercase());
    assert_eq!(job.stderr().unwrap(), b"TROUBLE\n");
    assert_eq!(job.input().unwrap(), b"in\n");
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(job.directory().to_owned()), 0o700);
    for entry in fs::read_dir(job.directory()).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(path.clone()), 0o600, "{}", path.display());
    }
    job.clone().remove().unwrap();
    assert_eq!(job.state().unwrap(), JobState::Absent);
}

#[test]
fn a_job_that_is_there_is_not_started_again() {
    let scene = Scene::new();
    let job = scene.start(&scene.order(HELD), "");
    scene.hears_that_it_begun();
    let job = {
        let again = scene.start(&scene.order("echo another"), "");
        assert_eq!(again, job);
        assert!(matches!(again.state().unwrap(), JobState::Running { .. }));
        again
    };
    scene.gives_its_word();
    assert_eq!(ended(&job), Ending::Exited { code: 0 });
    let job = scene.start(&scene.order("echo a third"), "");
    assert_eq!(job.stdout().unwrap(), b"WORD\n");
}

#[test]
fn a_process_below_a_job_detects_it_and_starts_no_other() {
    let scene = Scene::new();
    let job = scene.start(&scene.order(HELD), "");
    scene.hears_that_it_begun();
    let mut below = scene.variables("supervise");
    below.push((JOB_VARIABLE.into(), job.directory().into()));
    let ours = scene.environment.home().join("jobs");
    assert_eq!(job_above(&below, &ours), Some(job.clone()));
    let another = Job::at(ours.join("two"));
    let refused = another.start(&scene.order("true"), b"", &itself(below.clone()));
    assert!(matches!(refused, Err(StartError::TooDeep)), "{refused:?}");
    assert_eq!(another.state().unwrap(), JobState::Absent);
    scene.gives_its_word();
    assert_eq!(ended(&job), Ending::Exited { code: 0 });
    assert_eq!(job_above(&below, &ours), None, "what is over has nobody below it");
}

#[test]
fn a_mark_that_names_no_job_of_ours_that_runs_names_none() {
    let scene = Scene::new();
    let home = scene.environment.home();
    for name in ["ours/ended", "ours/never begun", "others"] {
        fs::create_dir_all(home.join(name)).unwrap();
    }
    fs::write(home.join("ours/ended/begun"), "1\n").unwrap();
    let above = |named: PathBuf| {
        job_above(&[(JOB_VARIABLE.into(), named.into_os_string())], &home.join("ours"))
    };
    for named in
        ["ours/ended", "ours/never begun", "ours/absent", "ours", "others", "ours/../others"]
    {
        assert_eq!(above(home.join(named)), None, "{named}");
    }
    assert_eq!(above("ours/ended".into()), None);
    assert_eq!(job_above(&[], &home), None);
}

#[test]
fn a_job_that_runs_can_be_removed_and_begun_anew() {
    let scene = Scene::new();
    for _ in 0..20 {
        let job = scene.start(&scene.order(HELD), "");
        scene.hears_that_it_begun();
        // The job is removed while its supervisor is about to write the status.
        job.clone().remove().unwrap();
        assert_eq!(job.state().unwrap(), JobState::Absent);
        let parent = job.directory().parent().unwrap().to_owned();
        assert_eq!(fs::read_dir(parent).unwrap().count(), 0);
    }
    scene.job().remove().unwrap();
}

#[test]
fn two_who_start_it_at_once_get_one_job() {
    let scene = Scene::new();
    let order = scene.order("echo x >> count; exec true");
    for _ in 0..5 {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let job = scene.start(&order, "");
                    assert_eq!(ended(&job), Ending::Exited { code: 0 });
                });
            }
        });
        assert_eq!(scene.environment.read("count"), "x\n");
        fs::remove_file(scene.environment.project().join("count")).unwrap();
        scene.job().remove().unwrap();
    }
}

#[test]
fn the_supervisor_is_below_nobody_and_outlives_whoever_started_it() {
    let scene = Scene::new();
    let job = scene.job();
    let starter = itself(vec![]);
    let mut starter = Command::new(starter.program)
        .args(starter.arguments)
        .args([scene.environment.project().as_os_str(), job.directory().as_os_str()])
        .env_clear()
        .envs(scene.variables("start and wait"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    scene.hears_that_it_begun();
    let supervisor = scene.supervisor_of(&job);
    assert_eq!(getsid(Some(supervisor)).unwrap(), supervisor);
    assert_eq!(getpgid(Some(supervisor)).unwrap(), supervisor);
    let status = fs::read_to_string(format!("/proc/{}/status", supervisor.as_raw_nonzero()));
    let parent = format!("PPid:\t{}\n", starter.id());
    assert!(!status.unwrap().contains(&parent));
    starter.kill().unwrap();
    starter.wait().unwrap();
    assert!(matches!(job.state().unwrap(), JobState::Running { .. }));
    scene.gives_its_word();
    assert_eq!(ended(&job), Ending::Exited { code: 0 });
}

#[test]
fn several_may_attach_and_who_waits_in_vain_is_told() {
    let scene = Scene::new();
    let job = scene.start(&scene.order(HELD), "");
    scene.hears_that_it_begun();
    let mut looks = 0;
    let waited = job.attach(Deadline::after(Duration::from_millis(50)), |_| looks += 1).unwrap();
    assert_eq!((waited, looks > 1), (Attached::StillRunning, true));
    thread::scope(|scope| {
        let attached: Vec<_> = (0..3).map(|_| scope.spawn(|| ended(&job))).collect();
        scene.gives_its_word();
        for attached in attached {
            assert_eq!(attached.join().unwrap(), Ending::Exited { code: 0 });
        }
    });
}

#[test]
fn time_and_output_are_bounded() {
    let scene = Scene::new();
    let check = |order: Order, expected: Ending, stdout: usize, stderr: usize| {
        let job = scene.start(&order, "");
        assert_eq!(ended(&job), expected);
        let kept = (job.stdout().unwrap().len(), job.stderr().unwrap().len());
        assert_eq!(kept, (stdout, stderr));
        job.remove().unwrap();
    };
    let time_limit = Duration::from_millis(50);
    check(Order { time_limit, ..scene.order("exec sleep 600") }, Ending::TimedOut, 0, 0);
    check(scene.order("exec yes"), Ending::Flooded, 100_000, 0);
    let script = "head -c 200000 /dev/zero >&2; echo done";
    check(scene.order(script), Ending::Exited { code: 0 }, 5, 100_000);
    check(scene.order("kill -TERM $$"), Ending::Signalled { signal: 15 }, 0, 0);
}

#[test]
fn failures_to_start_are_distinguished() {
    let scene = Scene::new();
    let not_executable = scene.environment.write("program", "");
    let check = |order: Order, expected: &str| {
        let job = scene.start(&order, "");
        assert_eq!(ended(&job), Ending::NotRun { why: expected.to_owned() });
        job.remove().unwrap();
    };
    let order = scene.order("");
    let missing = Order { program: "/no/such/program".into(), ..order.clone() };
    check(missing, "No such file or directory (os error 2)");
    let not_executable = Order { program: not_executable, ..order };
    check(not_executable, "Permission denied (os error 13)");
}

#[test]
fn a_supervisor_that_cannot_start_is_told() {
    let scene = Scene::new();
    let order = scene.order("");
    let missing = Supervisor { program: "/no/such".into(), ..itself(vec![]) };
    let result = scene.job().start(&order, b"", &missing);
    assert!(matches!(result, Err(StartError::Run(_))), "{result:?}");
    // The job still waits for a supervisor that works.
    assert_eq!(scene.job().state().unwrap(), JobState::Waiting);
    scene.job().resume(&itself(scene.variables("supervise"))).unwrap();
    assert_eq!(ended(&scene.job()), Ending::Exited { code: 0 });
}

#[test]
fn a_job_that_is_not_there_is_waited_for() {
    let scene = Scene::new();
    let deadline = Deadline::after(Duration::from_millis(1));
    assert_eq!(scene.job().attach(deadline, |_| ()).unwrap(), Attached::StillRunning);
}

/// A script that starts a child process in a session of its own. The child holds `held.fifo` open.
const WITH_A_CHILD: &str = "setsid sleep 600 > held.fifo & echo begun > begun.fifo; wait";

#[test]
fn waiting_for_a_removed_job_reports_it() {
    let scene = Scene::new();
    let job = scene.start(&scene.order("echo begun > begun.fifo; read word < word.fifo"), "");
    thread::scope(|scope| {
        let (looked, first) = std::sync::mpsc::channel();
        let waiting = scope.spawn(|| {
            let tell = move |_: Duration| looked.send(()).unwrap_or_default();
            scene.job().attach(Deadline::after(PATIENCE), tell).unwrap()
        });
        first.recv().unwrap();
        job.clone().remove().unwrap();
        assert_eq!(waiting.join().unwrap(), Attached::Removed);
    });
    let attached = job.attach_begun(Deadline::after(PATIENCE), |_| ()).unwrap();
    assert_eq!(attached, Attached::Removed);
}

#[test]
fn a_killed_supervisor_is_told_and_what_it_ran_ends_too() {
    let scene = Scene::new();
    scene.fifo("held.fifo");
    let job = scene.start(&scene.order(WITH_A_CHILD), "");
    let mut held = fs::File::open(scene.environment.project().join("held.fifo")).unwrap();
    scene.hears_that_it_begun();
    kill_process(scene.supervisor_of(&job), Signal::KILL).unwrap();
    let attached = job.attach(Deadline::after(PATIENCE), |_| ()).unwrap();
    assert_eq!(attached, Attached::Died);
    assert_eq!(held.read_to_end(&mut Vec::new()).unwrap(), 0);
    assert_eq!(scene.start(&scene.order("exit 3"), "").state().unwrap(), JobState::Died);
}

#[test]
fn processes_of_a_program_end_with_it() {
    let scene = Scene::new();
    scene.fifo("held.fifo");
    let script = "setsid sleep 600 > held.fifo & sleep 600 & echo done";
    let job = scene.start(&scene.order(script), "");
    let mut held = fs::File::open(scene.environment.project().join("held.fifo")).unwrap();
    assert_eq!(ended(&job), Ending::Exited { code: 0 });
    assert_eq!(job.stdout().unwrap(), b"DONE\n");
    assert_eq!(held.read_to_end(&mut Vec::new()).unwrap(), 0);
}
