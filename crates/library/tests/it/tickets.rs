//! Tests of ticket systems, which are found by their directories and queried with fake programs.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_event::TicketSystem::{self, Beads, Session, Tasks, Tissue};
use verger_library::tickets::Switch::{Off, On};
use verger_library::tickets::{
    DEFAULT_ORDER, Discovery, Found, NoTicket, Switch, Ticket, Why, active_ticket, discover,
};
use verger_testkit::{Misbehaviour, StandIn, TestEnvironment};

/// The time limit of a query. It is long, because starting a program may take long on a busy
/// machine. A program that hangs is killed after this time.
const TIME_LIMIT: Duration = Duration::from_secs(30);

fn variables(environment: &TestEnvironment) -> Vec<(OsString, OsString)> {
    let command = environment.command("true");
    command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect()
}

fn ask(environment: &TestEnvironment, system: TicketSystem) -> Result<Ticket, NoTicket> {
    active_ticket(system, &environment.project(), &variables(environment), TIME_LIMIT)
}

fn ticket(id: &str, title: &str, description: &str) -> Ticket {
    let [id, title, description] = [id, title, description].map(str::to_owned);
    Ticket { id, title, description }
}

#[track_caller]
fn check(
    root: &Path,
    cwd: &Path,
    order: &[(TicketSystem, Switch)],
    expected: &[(TicketSystem, Why)],
    in_use: Option<TicketSystem>,
) {
    let found = expected.iter().cloned().map(|(system, why)| Found { system, why }).collect();
    let discovery = discover(root, cwd, order);
    assert_eq!(discovery, Discovery { found });
    assert_eq!(discovery.in_use(), in_use);
}

#[test]
fn a_system_is_found_by_its_directory_in_the_configured_order() {
    let environment = TestEnvironment::new();
    let root = environment.project();
    let inside = root.join("deep/inside");
    fs::create_dir_all(&inside).unwrap();
    let nothing = [
        (Tissue, Why::NoDirectory(".tissue")),
        (Beads, Why::NoDirectory(".beads")),
        (Tasks, Why::SwitchedOff),
        (Session, Why::SwitchedOff),
    ];
    check(&root, &inside, &DEFAULT_ORDER, &nothing, None);

    // Neither a file with the name of a store nor a directory above the project counts as a store.
    fs::write(root.join(".tissue"), "").unwrap();
    fs::create_dir(environment.home().join(".beads")).unwrap();
    check(&root, &inside, &DEFAULT_ORDER, &nothing, None);

    fs::create_dir(root.join(".beads")).unwrap();
    let mut with_beads = nothing.clone();
    with_beads[1].1 = Why::Directory(root.join(".beads"));
    check(&root, &inside, &DEFAULT_ORDER, &with_beads, Some(Beads));
    check(&root, Path::new("/elsewhere"), &DEFAULT_ORDER, &with_beads, Some(Beads));

    fs::create_dir(root.join("deep/.tissue")).unwrap();
    let both = [
        (Tissue, Why::Directory(root.join("deep/.tissue"))),
        (Beads, Why::Behind(Tissue)),
        (Tasks, Why::SwitchedOff),
        (Session, Why::SwitchedOff),
    ];
    check(&root, &inside, &DEFAULT_ORDER, &both, Some(Tissue));
    check(
        &root,
        &inside,
        &[(Session, Off), (Tasks, On), (Beads, On), (Tissue, Off)],
        &[
            (Session, Why::SwitchedOff),
            (Tasks, Why::Configured),
            (Beads, Why::Behind(Tasks)),
            (Tissue, Why::SwitchedOff),
        ],
        Some(Tasks),
    );
    check(&root, &inside, &[], &[], None);
}

#[test]
fn the_ticket_in_progress_that_was_changed_last_is_the_active_one() {
    let mut environment = TestEnvironment::new();
    let beads = StandIn::beads(&mut environment);
    assert_eq!(ask(&environment, Beads), Err(NoTicket::NoneInProgress));
    beads
        .ticket("bd-1", "in_progress", "First", "An old one.")
        .ticket("bd-2", "in_progress", "Say \"no\" — 断る", "Why:\n- `a\\b`\n")
        .ticket("bd-3", "open", "Third", "Not begun.");
    let second = ticket("bd-2", "Say \"no\" — 断る", "Why:\n- `a\\b`\n");
    assert_eq!(ask(&environment, Beads), Ok(second));
    assert_eq!(beads.calls(), ["list --status in_progress --json"; 2]);
}

#[test]
fn a_description_that_the_list_lacks_is_asked_for() {
    let mut environment = TestEnvironment::new();
    let beads = StandIn::beads(&mut environment);
    beads.ticket("bd-1", "in_progress", "First", "");
    assert_eq!(ask(&environment, Beads), Ok(ticket("bd-1", "First", "")));
    assert_eq!(beads.calls(), ["list --status in_progress --json", "show bd-1 --json"]);
    beads.misbehave("show", Misbehaviour::Garble);
    assert_eq!(ask(&environment, Beads), Ok(ticket("bd-1", "First", "")));
}

#[test]
fn tissue_is_asked_for_open_tickets_when_none_is_in_progress() {
    let mut environment = TestEnvironment::new();
    let tissue = StandIn::tissue(&mut environment);
    assert_eq!(ask(&environment, Tissue), Err(NoTicket::NoneInProgress));
    tissue.ticket("p-1", "open", "First", "Text.");
    assert_eq!(ask(&environment, Tissue), Ok(ticket("p-1", "First", "Text.")));
    tissue.ticket("p-2", "open", "Second", "");
    assert_eq!(ask(&environment, Tissue), Err(NoTicket::SeveralOpen { count: 2 }));
    tissue.ticket("p-1", "in_progress", "First", "Text.");
    assert_eq!(ask(&environment, Tissue), Ok(ticket("p-1", "First", "Text.")));
}

#[test]
fn a_program_that_fails_leaves_a_named_reason_and_no_ticket() {
    let mut environment = TestEnvironment::new();
    let tools =
        [(Beads, StandIn::beads(&mut environment)), (Tissue, StandIn::tissue(&mut environment))];
    for (system, tool) in tools {
        let program = if system == Beads { "bd" } else { "tissue" };
        tool.ticket("p-1", "in_progress", "First", "Text.");
        let message = "Error: database is locked".to_owned();
        for (misbehaviour, reason) in [
            (Misbehaviour::Fail, NoTicket::Failed { program, code: 1, message }),
            (Misbehaviour::Garble, NoTicket::Unreadable { program }),
            (Misbehaviour::Flood, NoTicket::TooMuch { program }),
        ] {
            tool.misbehave("list", misbehaviour);
            assert_eq!(ask(&environment, system), Err(reason));
        }
        tool.behave("list");
        assert_eq!(ask(&environment, system), Ok(ticket("p-1", "First", "Text.")));
    }
}

#[test]
fn a_program_that_hangs_is_given_up_in_time() {
    let mut environment = TestEnvironment::new();
    let beads = StandIn::beads(&mut environment);
    beads.ticket("bd-1", "in_progress", "First", "Text.").misbehave("list", Misbehaviour::Hang);
    let limit = Duration::from_millis(200);
    let asked = active_ticket(Beads, &environment.project(), &variables(&environment), limit);
    assert_eq!(asked, Err(NoTicket::TimedOut { program: "bd" }));
}

#[test]
fn a_program_is_looked_for_in_absolute_directories_only() {
    let mut environment = TestEnvironment::new();
    let beads = StandIn::beads(&mut environment);
    beads.ticket("bd-1", "in_progress", "First", "Text.");
    let missing = Err(NoTicket::NoProgram { program: "bd" });
    // A program inside of the project must not run.
    let copied = fs::copy(beads.directory().join("bd"), environment.project().join("bd"));
    assert!(copied.unwrap() > 0);
    environment.set("PATH", format!(".::{}", environment.root().join("nowhere").display()));
    assert_eq!(ask(&environment, Beads), missing);
    environment.unset("PATH");
    assert_eq!(ask(&environment, Beads), missing);

    // A file that isn't executable must not run either.
    let tools: PathBuf = environment.root().join("tools");
    environment.write(tools.join("bd"), "");
    environment.set("PATH", &tools);
    assert_eq!(ask(&environment, Beads), missing);
    assert_eq!(beads.calls(), [""; 0]);
}

#[test]
fn the_program_may_be_called_by_the_systems_name() {
    let mut environment = TestEnvironment::new();
    let beads = StandIn::beads(&mut environment);
    beads.ticket("bd-1", "in_progress", "First", "Text.");
    fs::remove_file(beads.directory().join("bd")).unwrap();
    assert_eq!(ask(&environment, Beads), Ok(ticket("bd-1", "First", "Text.")));
}

#[test]
fn systems_without_a_program_have_nobody_to_ask() {
    let environment = TestEnvironment::new();
    for system in [Tasks, Session] {
        assert_eq!(ask(&environment, system), Err(NoTicket::NoTool { system }));
    }
}

#[test]
fn a_stand_in_closes_and_claims_like_the_real_program() {
    let mut environment = TestEnvironment::new();
    let beads = StandIn::beads(&mut environment);
    beads.ticket("bd-1", "open", "First", "").ticket("bd-2", "open", "Second", "");
    let run = |program: &str, arguments: &[&str]| environment.run(program, arguments, "");
    assert_eq!(run("bd", &["update", "bd-1", "--claim"]).code, 0);
    assert_eq!(beads.status("bd-1"), "in_progress");
    assert_eq!(run("bd", &["close", "--reason", "Done"]).success().stdout, "✓ Closed bd-1\n");
    assert_eq!(run("beads", &["complete", "bd-2"]).code, 0);
    assert_eq!([beads.status("bd-1"), beads.status("bd-2")], ["closed", "closed"]);
    assert_eq!(run("bd", &["close", "bd-9"]).code, 1);
    beads.misbehave("close", Misbehaviour::Fail);
    assert_eq!(run("bd", &["close", "bd-1"]).code, 1);

    let tissue = StandIn::tissue(&mut environment);
    tissue.ticket("p-1", "open", "First", "");
    let closed = environment.run("tissue", ["status", "p-1", "closed"], "");
    assert_eq!(closed.success().stdout, "p-1\n");
    assert_eq!(tissue.status("p-1"), "closed");
    assert_eq!(environment.run("tissue", ["edit", "p-1", "--status", "odd"], "").code, 1);
}
