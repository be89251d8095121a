//! Starts programs according to a plan and prints the time of every call.
//!
//! The plan is on standard input, with three kinds of lines:
//! - A call: `lane`, `VERGER_HOME`, payload file, program and its arguments, separated by tabs.
//! - `go` starts the calls since the last `go`, all at the same time, and waits for them.
//! - `path` with a directory: later calls search programs only there.
//!
//! For every call, the program prints the lane, the CPU time, the wall time (both in nanoseconds,
//! the CPU time as an equal share of its group's) and the exit code. At the end, it prints the peak
//! memory of any started program.
//!
//! This is a separate program, because the kernel includes the memory of the starting process in
//! the peak of the started one. This program uses less memory than all programs that it starts.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{WaitStatus, wait};

fn main() -> io::Result<()> {
    let mut results = BufWriter::new(io::stdout().lock());
    let mut group = Vec::new();
    let mut path = "/usr/bin:/bin".to_owned();
    for line in io::stdin().lines() {
        let line = line?;
        match line.split_once('\t') {
            None if line == "go" => run(std::mem::take(&mut group), &path, &mut results)?,
            Some(("path", other)) => other.clone_into(&mut path),
            _ => group.push(line),
        }
    }
    writeln!(results, "peak\t{}", children()?.max_rss())?;
    results.flush()
}

fn run(calls: Vec<String>, path: &str, results: &mut impl Write) -> io::Result<()> {
    let mut ready = Vec::new();
    for call in &calls {
        ready.push(prepare(call, path)?);
    }
    let before = cpu(&children()?);
    let mut running = HashMap::new();
    for (lane, mut command) in ready {
        let started = Instant::now();
        running.insert(command.spawn()?.id(), (lane, started));
    }
    let mut ended = Vec::new();
    while !running.is_empty() {
        let status = wait()?;
        let now = Instant::now();
        let code = match status {
            WaitStatus::Exited(_, code) => code,
            _ => -1,
        };
        let pid = status.pid().and_then(|pid| u32::try_from(pid.as_raw()).ok());
        if let Some((lane, started)) = pid.and_then(|pid| running.remove(&pid)) {
            ended.push((lane, now.saturating_duration_since(started), code));
        }
    }
    let all = cpu(&children()?).saturating_sub(before);
    let share = all.as_nanos() / ended.len().max(1) as u128;
    for (lane, wall, code) in ended {
        writeln!(results, "{lane}\t{share}\t{}\t{code}", wall.as_nanos())?;
    }
    Ok(())
}

fn prepare<'a>(call: &'a str, path: &str) -> io::Result<(&'a str, Command)> {
    let mut parts = call.split('\t');
    let mut next = || parts.next().ok_or_else(|| io::Error::other("the call is incomplete"));
    let (lane, home, payload, program) = (next()?, next()?, next()?, next()?);
    let mut command = Command::new(program);
    command
        .args(parts)
        .env_clear()
        .env("PATH", path)
        .env("HOME", home)
        .env("VERGER_HOME", home)
        .stdin(File::open(payload)?)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok((lane, command))
}

fn children() -> io::Result<Usage> {
    Ok(getrusage(UsageWho::RUSAGE_CHILDREN)?)
}

fn cpu(usage: &Usage) -> Duration {
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(microseconds.unsigned_abs())
}
