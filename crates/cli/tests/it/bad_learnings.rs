//! Broken or missing files of learnings and their statistics. Every command and session uses the
//! intact entries, broken entries are named, and nothing is lost.

use std::fs;
use std::path::{Path, PathBuf};

use verger_testkit::Output;

use crate::recorded::Recorded;

const LEARNINGS: &str = "\
# Learnings

## Retry of `save` doubles the row {#learn-retry}

> The idempotency key is made per attempt. Make it once, before the retry loop.

- category: pitfall | tags: retry, idempotency | files: src/save.rs | created: 2026-11-01

## Migrations run before the seed script {#learn-seed}

> `make seed` reads tables that only the migrations create; run `make migrate` first.

- category: process | tags: database, migrations | created: 2026-11-02
";
const LINE: &str = r#"{"at":1794767900000,"event":"surfaced","id":"01M7G83MRR00000000000000JT","learning":"learn-seed","session":"x","v":1}
"#;
const REFLECTION: &str = r#"{"candidates":[{"category":"pitfall","summary":"orders.csv has CRLF line ends","detail":"It happens in the importer of `orders.csv` and nowhere else.","criteria":["stable_fact"],"tags":["importer"]}]}"#;

/// Faults of a project's learnings: the name of each, and the shell line that makes it.
const OF_LEARNINGS: &[(&str, &str)] = &[
    ("nothing", ""),
    ("half an entry", r"printf '\n## Half of a learning {#learn-half}\n\n> It' >> $L"),
    (
        "words nobody knows",
        r"printf '\n## Odd words in it {#learn-odd}\n\n> Text.\n\n- category: wisdom | tags: a\n' >> $L",
    ),
    (
        "marks of a conflict",
        "sed -i -e '/^## Retry/i <<<<<<< ours' -e '/^## Migr/i =======' $L; echo '>>>>>>> theirs' >> $L",
    ),
    ("bytes that are no text", r"printf '\377\n\0\0\n' >> $L"),
    ("a line of 10 MB", "head -c 10000000 /dev/zero | tr '\\0' x >> $L"),
    ("a megabyte of zeros", "head -c 1000000 /dev/zero >> $L"),
    (
        "1000 broken entries",
        "for i in $(seq 1000); do printf '\\n## Odd %s {#learn-x%s}\\n' $i $i; done >> $L",
    ),
    ("a directory", "rm $L; mkdir -p $L/inside"),
    ("a pipe", "rm $L; mkfifo $L"),
    ("a link to nothing", "ln -sf nothing.md $L"),
    ("a link to itself", "ln -sf learnings.md $L"),
    ("a link out of the project", "mv $L ../out.md; ln -s ../../out.md $L"),
    ("a device", "ln -sf /dev/zero $L"),
];

const OF_STATISTICS: &[(&str, &str)] = &[
    ("no JSON", "printf '{half\\n[]\\n{\"v\":1}\\n' >> $S"),
    ("a later version", "echo '{\"v\":99,\"event\":\"new\"}' >> $S"),
    (
        "words nobody knows",
        "sed 's/surfaced/wisdom/; s/JT/JV/' $S >> .verger/s; cat .verger/s >> $S; rm .verger/s",
    ),
    ("half a line", "printf '{\"at\":17' >> $S"),
    (
        "marks of a conflict",
        "sed -i '1i <<<<<<< ours' $S; printf '=======\\n>>>>>>> theirs\\n' >> $S",
    ),
    ("bytes that are no text", r"printf '\377\0\n' >> $S"),
    ("a line of 10 MB", "head -c 10000000 /dev/zero | tr '\\0' '[' >> $S"),
    ("a directory", "rm $S; mkdir -p $S/inside"),
    ("a pipe", "rm $S; mkfifo $S"),
    ("a link out of the project", "mv $S ../out.log; ln -s ../../out.log $S"),
];

const OF_PLACES: &[(&str, &str)] = &[
    (".verger is a file", "rm -r .verger; echo mine > .verger"),
    (".verger leads nowhere", "rm -r .verger; ln -s nothing .verger"),
    (".gitattributes is a pipe", "rm .verger/.gitattributes; mkfifo .verger/.gitattributes"),
    ("memory/ is a file", "$T; echo mine > memory"),
    ("memory/ leads nowhere", "$T; ln -s nothing memory"),
    ("memory/ leads out of the project", "$T; mkdir -p ../out/daily; ln -s ../out memory"),
    ("memory/daily is a file", "$T; mkdir memory; echo mine > memory/daily"),
    ("a register is a directory", "$T; mkdir -p memory/registers/a.md"),
    (
        "a register is no text",
        r"$T; mkdir -p memory/registers; printf 'a\n\377\n' > memory/registers/a.md",
    ),
];

/// A project with a learning, after this fault.
fn broken(fault: &str) -> Recorded {
    let recorded = Recorded::nothing();
    let environment = &recorded.environment;
    environment.write(".verger/learnings.md", LEARNINGS);
    environment.write(".verger/stats.log", LINE);
    environment
        .write(".verger/.gitattributes", "learnings.md merge=union\nstats.log merge=union\n");
    let script = format!(
        "set -e; L=.verger/learnings.md; S=.verger/stats.log; T='eval mkdir rules; touch \
         rules/total-recall.md'\n{fault}"
    );
    drop(environment.run("bash", ["-c", &script], "").success());
    recorded
}

/// The paths and contents of the user's files.
fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.file_name().unwrap() != ".git")
        .flat_map(|path| match path.symlink_metadata().unwrap().file_type() {
            kind if kind.is_dir() => files(&path),
            kind if kind.is_file() => vec![(path.clone(), fs::read(path).unwrap())],
            _ => vec![],
        })
        .collect()
}

fn told_ids<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    let ids: Vec<_> = ids.collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(" ") }
}

/// The learnings that a session gets with a prompt about one of them.
fn given(recorded: &mut Recorded, session: &str) -> String {
    recorded.answered(session, "SessionStart", r#""source":"startup""#);
    let prompt = "The retry of save writes the row twice, make it idempotent";
    let prompt = format!(r#""prompt_id":"p1","prompt":"{prompt}""#);
    let answer = recorded.answered(session, "UserPromptSubmit", &prompt);
    let given = answer.split("\\n\\n[").skip(1).filter_map(|entry| entry.split(']').next());
    told_ids(given)
}

/// Runs a command. It may report a problem or an error, but it must not crash.
#[track_caller]
fn run(recorded: &mut Recorded, words: &str) -> Output {
    recorded.tick();
    let words: Vec<_> = words.split(' ').collect();
    let output = recorded.verger_with_input(&words, REFLECTION);
    let is_explained = output.code == 3 && output.stderr.contains("\nhint: ");
    assert!([0, 1].contains(&output.code) || is_explained, "{words:?}\n{output}");
    output
}

/// The outcome of a fault, as readable lines.
fn outcome(fault: &str) -> String {
    let mut recorded = broken(fault);
    let home = recorded.environment.home();
    let before = files(&home);
    let mut told = vec![format!("given: {}", given(&mut recorded, "1111"))];
    let known = run(&mut recorded, "learn list");
    let ids = known
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').find(|word| word.starts_with("learn-")));
    told.push(format!("listed: {}", told_ids(ids)));
    told.extend(known.stderr.lines().take(3).map(|line| line.replace("$ENV/home/project/", "")));
    for words in ["learn archive --unused --dry-run", "learn stats"] {
        assert_eq!(run(&mut recorded, words).stderr, known.stderr, "{words}");
    }
    let referred = run(&mut recorded, "ref learn-seed --session 1111");
    let last = known.stderr.lines().last().unwrap_or_default();
    assert!(referred.stderr.contains(last), "{referred}");
    for words in ["observe x --session 1111", "doctor tickets"] {
        assert_eq!(run(&mut recorded, words).code, 0, "{words}");
    }
    let found = run(&mut recorded, "learn search retry");
    let is_listed = known.stdout.contains("learn-retry");
    assert_eq!(found.stdout.contains("learn-retry"), is_listed, "{found}");
    let backends = run(&mut recorded, "doctor learnings");
    assert!(backends.stdout.lines().count() < 40, "{backends}");
    let reflected = run(&mut recorded, "reflect --session 1111");
    let kept = reflected.stdout.lines().find(|line| line.contains("learn-")).unwrap();
    told.push(format!("backends: {}, kept {}", backends.code, kept.split_once(", ").unwrap().1));
    for words in [
        "learn archive learn-seed --yes",
        "learn restore learn-seed --yes",
        "learn archive --unused --yes",
    ] {
        drop(run(&mut recorded, words));
    }
    told.push(format!("given after maintenance: {}", given(&mut recorded, "2222")));
    for (path, bytes) in before {
        assert!(fs::read(&path).unwrap().starts_with(&bytes), "{}", path.display());
    }
    told.join("\n  ")
}

fn outcomes(faults: &[(&str, &str)]) -> String {
    let told = faults.iter().map(|(name, fault)| format!("{name}\n  {}", outcome(fault)));
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn of_broken_learnings_the_whole_ones_count() {
    insta::assert_snapshot!(outcomes(OF_LEARNINGS), @r#"
    nothing
      given: learn-retry
      listed: learn-seed learn-retry
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    half an entry
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/learnings.md:15: the learning has no `category`: restore the line of its fields
      backends: 1, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    words nobody knows
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/learnings.md:15: "wisdom" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
      backends: 1, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    marks of a conflict
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/learnings.md:3: this is a conflict marker of git: remove it; the learnings around it are used
      verger: .verger/learnings.md:10: this is a conflict marker of git: remove it; the learnings around it are used
      verger: .verger/learnings.md:16: this is a conflict marker of git: remove it; the learnings around it are used
      backends: 1, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    bytes that are no text
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/learnings.md:14: this line has bytes that are not text
      verger: .verger/learnings.md:15: this line has bytes that are not text
      backends: 1, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a line of 10 MB
      given: none
      listed: learn-seed learn-retry
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a megabyte of zeros
      given: none
      listed: learn-seed learn-retry
      verger: .verger/learnings.md:14: this line has bytes that are not text
      backends: 1, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    1000 broken entries
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/learnings.md:15: the learning has no `category`: restore the line of its fields
      verger: .verger/learnings.md:17: the learning has no `category`: restore the line of its fields
      verger: .verger/learnings.md:19: the learning has no `category`: restore the line of its fields
      backends: 1, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a directory
      given: none
      listed: none
      verger: cannot use .verger/learnings.md: it is not a file
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    a pipe
      given: none
      listed: none
      verger: cannot use .verger/learnings.md: it is not a file
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    a link to nothing
      given: none
      listed: none
      verger: cannot follow the link .verger/learnings.md: No such file or directory (os error 2)
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    a link to itself
      given: none
      listed: none
      verger: cannot follow the link .verger/learnings.md: Too many levels of symbolic links (os error 40)
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    a link out of the project
      given: none
      listed: none
      verger: cannot use .verger/learnings.md: a link leads out of $ENV/home/project
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    a device
      given: none
      listed: none
      verger: cannot use .verger/learnings.md: a link leads out of $ENV/home/project
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    "#);
}

#[test]
fn broken_statistics_keep_no_learning_back() {
    insta::assert_snapshot!(outcomes(OF_STATISTICS), @r#"
    no JSON
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/stats.log:2: this is not JSON: remove the line, or restore it with git
      verger: .verger/stats.log:3: `v` is missing or has the wrong type: remove the line, or restore it with git
      verger: .verger/stats.log:4: `event` is missing or has the wrong type: remove the line, or restore it with git
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a later version
      given: learn-retry
      listed: learn-seed learn-retry
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    words nobody knows
      given: learn-retry
      listed: learn-seed learn-retry
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    half a line
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/stats.log:2: this is not JSON: remove the line, or restore it with git
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    marks of a conflict
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/stats.log:1: this is a conflict marker of git: remove it; the lines around it are used
      verger: .verger/stats.log:3: this is a conflict marker of git: remove it; the lines around it are used
      verger: .verger/stats.log:4: this is a conflict marker of git: remove it; the lines around it are used
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    bytes that are no text
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/stats.log:2: this is not JSON: remove the line, or restore it with git
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a line of 10 MB
      given: learn-retry
      listed: learn-seed learn-retry
      verger: .verger/stats.log:2: this is not JSON: remove the line, or restore it with git
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a directory
      given: learn-retry
      listed: learn-seed learn-retry
      verger: cannot use .verger/stats.log: it is not a file
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a pipe
      given: learn-retry
      listed: learn-seed learn-retry
      verger: cannot use .verger/stats.log: it is not a file
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a link out of the project
      given: learn-retry
      listed: learn-seed learn-retry
      verger: cannot use .verger/stats.log: a link leads out of $ENV/home/project
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    "#);
}

#[test]
fn a_place_that_cannot_be_used_leaves_the_others() {
    insta::assert_snapshot!(outcomes(OF_PLACES), @r#"
    .verger is a file
      given: none
      listed: none
      verger: cannot open .verger/learnings.md: Not a directory (os error 20)
      verger: cannot open .verger/stats.log: Not a directory (os error 20)
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    .verger leads nowhere
      given: none
      listed: none
      verger: .verger is a symbolic link and is not followed
      verger: cannot follow the link .verger: No such file or directory (os error 2)
      verger: cannot follow the link .verger: No such file or directory (os error 2)
      backends: 1, kept not stored yet: orders.csv has CRLF line ends
      given after maintenance: none
    .gitattributes is a pipe
      given: learn-retry
      listed: learn-seed learn-retry
      backends: 0, kept in .verger/learnings.md: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    memory/ is a file
      given: learn-retry
      listed: learn-seed learn-retry
      verger: cannot list memory/daily: Not a directory (os error 20)
      verger: cannot list memory/registers: Not a directory (os error 20)
      backends: 1, kept in .verger/learnings.md because the daily log of Total Recall failed: cannot open $ENV/home/project/memory: Not a directory (os error 20): orders.csv has CRLF line ends
      given after maintenance: learn-retry
    memory/ leads nowhere
      given: learn-retry
      listed: learn-seed learn-retry
      backends: 1, kept in .verger/learnings.md because the daily log of Total Recall failed: cannot open $ENV/home/project/memory: No such file or directory (os error 2): orders.csv has CRLF line ends
      given after maintenance: learn-retry
    memory/ leads out of the project
      given: learn-retry
      listed: learn-seed learn-retry
      backends: 1, kept in .verger/learnings.md because the daily log of Total Recall failed: cannot use $ENV/home/project/memory/daily/2026-11-15.md: a link leads out of $ENV/home/project: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    memory/daily is a file
      given: learn-retry
      listed: learn-seed learn-retry
      verger: cannot list memory/daily: Not a directory (os error 20)
      backends: 1, kept in .verger/learnings.md because the daily log of Total Recall failed: cannot open $ENV/home/project/memory/daily/2026-11-15.md: Not a directory (os error 20): orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a register is a directory
      given: learn-retry
      listed: learn-seed learn-retry
      verger: cannot use memory/registers/a.md: it is not a file
      backends: 1, kept in the daily log of Total Recall: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    a register is no text
      given: learn-retry
      listed: learn-seed learn-retry
      verger: memory/registers/a.md:2: this line has bytes that are not text
      backends: 1, kept in the daily log of Total Recall: orders.csv has CRLF line ends
      given after maintenance: learn-retry
    "#);
}
