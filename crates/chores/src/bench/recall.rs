//! Measures the cost of selecting learnings for an agent among many, and of indexing new learnings.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::json;
use verger_engine::Home;
use verger_event::Timestamp;
use verger_library::{Backend, Catalogue, Effort, Ground, Markdown, Statistics};
use verger_memory::{Category, Confidence, Criterion, Learning, LearningId, Provenance, Scope};

use crate::bench::Bench;
use crate::bench::calls::{Outcome, Place, Plan};
use crate::bench::figures::{Bound, Figure, as_f64, median};
use crate::bench::hook::{CALL, SHORT, WARM_UP, seeded};
use crate::bench::redaction::cpu_ms;
use crate::failure::Failure;

/// The stems of an invented vocabulary. The frequencies of its words are as uneven as in real
/// texts.
const STEMS: &[&str] = &[
    "retry", "index", "parser", "token", "cache", "queue", "schema", "lock", "branch", "session",
    "worker", "thread", "column", "header", "cookie", "socket", "buffer", "commit", "merge",
    "tenant",
];
const VOCABULARY: usize = 20_000;
const WORDS: usize = 32;
const ROUNDS: usize = 300;
const INDEXED: usize = 10_000;
const INDEX_ROUNDS: usize = 15;

/// The bounds for hook calls that look for learnings, as multiples of a call on which no check
/// acts. There is one such call per session and one per prompt, and then a model takes seconds to
/// answer. The bounds are about 5 and 8 ms; a person notices 100 ms.
const GIVEN_OF_10K: f64 = 5.0;
const GIVEN_OF_100K: f64 = 8.0;
/// The bound for indexing, as a ratio to only reading the file. Indexing runs in a separate
/// process, and 10,000 new learnings at once are rare, so half a second is not noticed.
const INDEXING: f64 = 5.0;

pub(crate) fn recall(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let mut figures = vec![];
    let names = ["recall/10k start cpu", "recall/10k prompt cpu"];
    figures.extend(given(bench, 10_000, GIVEN_OF_10K, names)?.0);
    let names = ["recall/100k start cpu", "recall/100k prompt cpu"];
    let (of_many, peak_mib) = given(bench, 100_000, GIVEN_OF_100K, names)?;
    figures.extend(of_many);
    figures.push(Figure {
        name: "recall/100k peak memory",
        value: peak_mib,
        unit: "MiB",
        bound: Bound::AtMost(32.0),
        detail: "of any hook call over 100,000 learnings".to_owned(),
    });
    figures.push(indexing(bench)?);
    Ok(figures)
}

/// Measures session starts and prompts with this many learnings, compared with a hook call on which
/// no check acts. The query has 20 words, and git is not used.
fn given(
    bench: &Bench<'_>,
    learnings: usize,
    most: f64,
    [start_name, prompt_name]: [&'static str; 2],
) -> Result<(Vec<Figure>, f64), Failure> {
    let mut place = Place::new(&bench.folder)?;
    shelve(&place, learnings)?;
    let words = query();
    let project = place.path().join("project");
    write(&project.join(".git/HEAD"), &format!("ref: refs/heads/{}\n", words.join("-")))?;
    let other = Place::new(&bench.folder)?;
    let (mut other, session) = (other, seeded_in(&place)?);
    let quiet = seeded(&other, 1, SHORT)?;
    let mut plan = Plan::default();
    // Git is hidden, because its facts about a project cost the same with and without learnings.
    plan.path(Path::new("/nonexistent"));
    for round in 0..ROUNDS + WARM_UP {
        let lane = |name: &'static str| if round >= WARM_UP { name } else { "warm-up" };
        // Every round needs a new session, because a session gets each learning only once.
        let fresh = format!("{session}-{round}");
        let start = json!({ "hook_event_name": "SessionStart", "source": "startup" });
        let start = place.event(&fresh, &start)?;
        let asked = json!({ "hook_event_name": "UserPromptSubmit", "prompt": words.join(" ") });
        let asked = place.event(&format!("{fresh}-p"), &asked)?;
        let quiet_call = other.payload(&quiet)?;
        let hook = &bench.programs.hook;
        let home = place.home();
        plan.call(lane("none"), &other.home(), &quiet_call, hook, &CALL);
        plan.go();
        plan.call(lane("start"), &home, &start, hook, &["claude", "SessionStart", "plugin"]);
        plan.go();
        plan.call(lane("prompt"), &home, &asked, hook, &["claude", "UserPromptSubmit", "plugin"]);
        plan.go();
    }
    let outcome = plan.run(&bench.programs.launcher, place.path())?;
    expect_given(&place)?;
    let figure = |name, lane| ratio(name, most, &outcome, lane);
    Ok((vec![figure(start_name, "start"), figure(prompt_name, "prompt")], outcome.peak_mib))
}

fn ratio(name: &'static str, most: f64, outcome: &Outcome, lane: &str) -> Figure {
    let (ours, none) = (outcome.times(lane).cpu_ms, outcome.times("none").cpu_ms);
    Figure {
        name,
        value: median(&ours) / median(&none),
        unit: "x",
        bound: Bound::AtMost(most),
        detail: format!(
            "median {:.3} ms and {:.3} ms (no opinion), {} calls each",
            median(&ours),
            median(&none),
            ours.len()
        ),
    }
}

/// Measures adding many new learnings to an empty index, including reading their file. The figure
/// is the ratio to only reading the file.
fn indexing(bench: &Bench<'_>) -> Result<Figure, Failure> {
    let place = Place::new(&bench.folder)?;
    let (ground, home) = ground(&place);
    let markdown = Markdown::of_project(&ground);
    let all = learnings(INDEXED);
    markdown.append(&all).map_err(measured)?;
    let (mut parsing, mut refreshing) = (vec![], vec![]);
    for round in 0..INDEX_ROUNDS {
        let start = cpu_ms();
        let read = markdown.read(&[]);
        parsing.push(cpu_ms() - start);
        // Indexing reads the file again. The first copy is freed before, so that both measurements
        // can reuse freed memory.
        drop(read);
        let start = cpu_ms();
        let catalogue = Catalogue::new(home.recall(&ground.root).join(round.to_string()));
        let statistics = Statistics::read_whole(&home.recall(&ground.root), &ground);
        let refreshed = catalogue.refresh(&[&markdown], &statistics, Effort::Whole);
        refreshing.push(cpu_ms() - start);
        refreshed.map_err(measured)?;
    }
    Ok(Figure {
        name: "recall/index 10k new learnings",
        value: median(&refreshing) / median(&parsing),
        unit: "x",
        bound: Bound::AtMost(INDEXING),
        detail: format!(
            "{:.0} ms to read and index them, {:.0} ms to read them, CPU time, median of \
             {INDEX_ROUNDS}",
            median(&refreshing),
            median(&parsing)
        ),
    })
}

fn ground(place: &Place) -> (Ground, Home) {
    let data = place.data();
    let root = place.path().join("project");
    let root = root.canonicalize().unwrap_or(root);
    let home = Home { data: data.clone(), config: place.home().join("config") };
    (Ground { root, data, lock_wait: Duration::from_secs(10) }, home)
}

fn shelve(place: &Place, count: usize) -> Result<(), Failure> {
    let (ground, home) = ground(place);
    let markdown = Markdown::of_project(&ground);
    let all = learnings(count);
    markdown.append(&all).map_err(measured)?;
    let dir = home.recall(&ground.root);
    let statistics = Statistics::read_whole(&dir, &ground);
    let catalogue = Catalogue::new(dir);
    catalogue.refresh(&[&markdown], &statistics, Effort::Whole).map_err(measured)?;
    statistics.keep().map_err(measured)
}

/// Checks that the session was given matching learnings. Otherwise the measurement is wrong.
fn expect_given(place: &Place) -> Result<(), Failure> {
    let path = place.path().join("project/.verger/stats.log");
    let text = fs::read_to_string(&path).map_err(|source| Failure::Read { path, source })?;
    let surfaced = text.lines().filter(|line| line.contains("\"surfaced\"")).count();
    if surfaced >= 2 * ROUNDS {
        return Ok(());
    }
    Err(Failure::NotMeasured { line: format!("{surfaced} learnings were given") })
}

fn seeded_in(place: &Place) -> Result<String, Failure> {
    seeded(place, 7, SHORT)
}

fn measured(error: impl std::error::Error) -> Failure {
    Failure::NotMeasured { line: error.to_string() }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|source| Failure::Write { path: path.to_owned(), source })
}

/// The words of a query, of all frequencies. A dozen of them are from one learning, so that the
/// query has a match.
fn query() -> Vec<String> {
    let fitting = learning(4_711, Timestamp::from_millis(0));
    let of_one = fitting.summary.split(' ').chain(fitting.detail.split(' ')).take(12);
    of_one.map(str::to_owned).chain((0..8).map(|n| word(n * n * 47 % VOCABULARY))).collect()
}

fn word(number: usize) -> String {
    let stem = STEMS[number % STEMS.len()];
    if number < STEMS.len() { stem.to_owned() } else { format!("{stem}{}", letters(number)) }
}

/// A number written in letters, to be a part of a word.
fn letters(mut number: usize) -> String {
    let mut text = String::new();
    while number > 0 {
        text.push(char::from(b'a' + u8::try_from(number % 23).unwrap_or(0)));
        number /= 23;
    }
    text
}

/// Sample learnings of the last weeks. Older unused learnings would be archived during the
/// measurement.
fn learnings(count: usize) -> Vec<Learning> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(now.as_millis()).unwrap_or(0);
    let created =
        |number: usize| Timestamp::from_millis(now.saturating_sub(10_000 * number as u64));
    (0..count).map(|number| learning(number, created(number))).collect()
}

/// A sample learning whose words are derived from its number.
fn learning(number: usize, created: Timestamp) -> Learning {
    let mut state = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Words with smaller numbers are chosen more often.
        let share = as_f64(usize::try_from(state >> 40).unwrap_or(0)) / 16_777_216.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 20,000")]
        let taken = (share.powi(3) * as_f64(VOCABULARY)) as usize;
        word(taken.min(VOCABULARY - 1))
    };
    let summary: Vec<_> = (0..8).map(|_| next()).collect();
    let detail: Vec<_> = (0..WORDS).map(|_| next()).collect();
    Learning {
        id: LearningId::new(created, number as u128),
        category: Category::Pitfall,
        summary: summary.join(" "),
        detail: detail.join(" "),
        scope: Scope::Project,
        confidence: Confidence::Medium,
        criteria: vec![Criterion::StableFact],
        tags: vec![next(), next()],
        files: vec![format!("src/{}/{}.rs", next(), next())],
        symbols: vec![],
        supersedes: vec![],
        created,
        provenance: Provenance::default(),
    }
}
