//! `verger doctor tickets`.

use verger_testkit::{Misbehaviour, StandIn};

use crate::recorded::Recorded;

#[test]
fn a_project_without_tickets_is_told_what_was_looked_for() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["doctor", "tickets"]), @r#"
    tissue   not used: no .tissue in this project
    beads    not used: no .beads in this project
    tasks    not used: tickets.tasks is false
    session  not used: tickets.session is false
    verger config set tickets.session true asks for a reflection without tickets
    "#);
    insta::assert_snapshot!(recorded.verger(&["doctor", "tickets", "--json"]), @r#"{"no_ticket":null,"root":"$ENV/home/project","system":null,"systems":[{"directory":null,"system":"tissue","used":false,"why":"no_directory"},{"directory":null,"system":"beads","used":false,"why":"no_directory"},{"directory":null,"system":"tasks","used":false,"why":"switched_off"},{"directory":null,"system":"session","used":false,"why":"switched_off"}],"ticket":null}"#);
    insta::assert_snapshot!(recorded.verger(&["doctor", "tickets", "--quiet"]), @r#"
    tissue   not used: no .tissue in this project
    beads    not used: no .beads in this project
    tasks    not used: tickets.tasks is false
    session  not used: tickets.session is false
    "#);
}

#[test]
fn the_system_in_use_is_asked_for_the_ticket_in_progress() {
    let mut recorded = Recorded::nothing();
    let beads = StandIn::beads(&mut recorded.environment);
    beads.ticket("bd-7", "in_progress", "Parse \u{1b}dates", "All of them.");
    StandIn::tissue(&mut recorded.environment);
    recorded.environment.write(
        recorded.environment.verger_home().join("config/config.toml"),
        "[tickets]\norder = [\"beads\"]\nsession = true\n",
    );
    insta::assert_snapshot!(recorded.verger(&["doctor", "tickets"]), @r#"
    beads    used: ~/project/.beads
    tissue   not used: beads comes first in tickets.order
    tasks    not used: tickets.tasks is false
    session  not used: beads comes first in tickets.order
    ticket   bd-7: Parse  dates
    "#);
    insta::assert_snapshot!(recorded.verger(&["doctor", "tickets", "--json"]), @r#"{"no_ticket":null,"root":"$ENV/home/project","system":"beads","systems":[{"directory":"$ENV/home/project/.beads","system":"beads","used":true,"why":"directory"},{"directory":null,"system":"tissue","used":false,"why":"behind"},{"directory":null,"system":"tasks","used":false,"why":"switched_off"},{"directory":null,"system":"session","used":false,"why":"behind"}],"ticket":{"description":"All of them.","id":"bd-7","title":"Parse \u001bdates"}}"#);
}

#[test]
fn a_program_that_fails_is_the_reason_why_no_ticket_is_known() {
    let mut recorded = Recorded::nothing();
    let beads = StandIn::beads(&mut recorded.environment);
    beads.misbehave("list", Misbehaviour::Fail);
    insta::assert_snapshot!(recorded.verger(&["doctor", "tickets", "--quiet"]), @r#"
    tissue   not used: no .tissue in this project
    beads    used: ~/project/.beads
    tasks    not used: tickets.tasks is false
    session  not used: tickets.session is false
    ticket   bd ended with 1: Error: database is locked
    "#);
    insta::assert_snapshot!(recorded.verger(&["doctor", "tickets", "--json"]), @r#"{"no_ticket":"bd ended with 1: Error: database is locked","root":"$ENV/home/project","system":"beads","systems":[{"directory":null,"system":"tissue","used":false,"why":"no_directory"},{"directory":"$ENV/home/project/.beads","system":"beads","used":true,"why":"directory"},{"directory":null,"system":"tasks","used":false,"why":"switched_off"},{"directory":null,"system":"session","used":false,"why":"switched_off"}],"ticket":null}"#);
}
