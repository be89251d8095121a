//! Asks the user's opinion program about a call for which no rule exists.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use verger_config::ProgramCommand;
use verger_gate::permission::opinion::{NoOpinion, Opinion};

use crate::Environment;
use crate::gates::guard::oracle::{Oracle, OracleFailure};

/// Time limit. A person may be waiting for the answer.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// The question for the program.
#[derive(Debug, Clone, Copy)]
pub struct OpinionRequest<'a> {
    /// The line that the agent wants to run.
    pub line: &'a str,
    /// The directory that the line would run in.
    pub cwd: Option<&'a Path>,
    /// The project's root. A program inside the project is never asked.
    pub root: Option<&'a Path>,
    /// The reason that the guard found.
    pub why: &'a str,
}

/// The reason why there is no opinion.
#[derive(Debug, thiserror::Error)]
pub enum OpinionFailure {
    /// The program gave no answer.
    #[error(transparent)]
    Asking(#[from] OracleFailure),
    /// The program's answer is not an opinion.
    #[error(transparent)]
    Answer(#[from] NoOpinion),
}

/// Asks the program for its opinion.
pub fn ask_opinion(
    program: &ProgramCommand,
    request: OpinionRequest<'_>,
    environment: &Environment,
) -> Result<Opinion, OpinionFailure> {
    ask_within(TIME_LIMIT, program, request, environment.all())
}

fn ask_within(
    limit: Duration,
    command: &ProgramCommand,
    request: OpinionRequest<'_>,
    environment: &[(OsString, OsString)],
) -> Result<Opinion, OpinionFailure> {
    let told = json!({ "command": request.line, "cwd": request.cwd, "why": request.why });
    let oracle = Oracle { command, limit, root: request.root, environment };
    let answer = oracle.ask(&told)?;
    Ok(Opinion::parse(&answer)?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::gates::guard::oracle::ASKING;

    struct Asked {
        directory: tempfile::TempDir,
        environment: Vec<(OsString, OsString)>,
    }

    impl Asked {
        fn with(script: &str) -> Self {
            let directory = tempfile::tempdir().unwrap();
            let program = directory.path().join("oracle");
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            let path = format!("{}:/usr/bin:/bin", directory.path().display());
            Self { directory, environment: vec![("PATH".into(), path.into())] }
        }

        fn ask(&self, program: &str, root: Option<&Path>) -> Result<Opinion, String> {
            let command = ProgramCommand { program: program.to_owned(), arguments: vec![] };
            let request =
                OpinionRequest { line: "frob", cwd: Some(Path::new("/")), root, why: "no rule" };
            ask_within(Duration::from_secs(10), &command, request, &self.environment)
                .map_err(|failure| failure.to_string())
        }
    }

    const YES: &str =
        r#"printf '{"verdict":"allow","confidence":0.9,"reason":"'; tr -d '"\n'; printf '"}'"#;

    #[test]
    fn the_program_is_told_the_command_and_answers() {
        let asked = Asked::with(YES);
        let opinion = asked.ask("oracle", None).unwrap();
        assert_eq!(opinion.reason, "{command:frob,cwd:/,why:no rule}");
    }

    #[test]
    fn whatever_goes_wrong_there_is_no_opinion() {
        let ask = |script: &str| Asked::with(script).ask("oracle", None).unwrap_err();
        assert_eq!(ask("exit 3"), "it ended with exit status: 3");
        assert!(ask("echo yes").starts_with("the answer does not have the required format"));
        assert!(
            ask("head -c 100000 /dev/zero").starts_with("verger cannot read the program's output")
        );
        let asked = Asked::with(YES);
        assert_eq!(
            asked.ask("nobody", None),
            Err("there is no program \"nobody\" outside of the project".to_owned())
        );
        assert!(asked.ask("./oracle", None).is_err());
        let root = asked.directory.path().canonicalize().unwrap();
        assert!(asked.ask("oracle", Some(&root)).is_err(), "the agent may have written it");
    }

    #[test]
    fn the_deadline_ends_it() {
        let asked = Asked::with("exec sleep 60");
        let command = ProgramCommand { program: "oracle".to_owned(), arguments: vec![] };
        let request = OpinionRequest { line: "frob", cwd: None, root: None, why: "" };
        let limit = Duration::from_millis(50);
        let failure = ask_within(limit, &command, request, &asked.environment).unwrap_err();
        assert_eq!(failure.to_string(), "verger cannot wait for the program within its time");
    }

    #[test]
    fn a_program_that_is_asked_is_not_asked_about_its_own_calls() {
        let mut asked = Asked::with(YES);
        asked.environment.push((ASKING.into(), "1".into()));
        assert_eq!(asked.ask("oracle", None), Err("it is already running".to_owned()));
    }
}
