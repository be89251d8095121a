//! Compares the coverage that verger claims with what the real clients do. The scripted models go on
//! until the client lets them stop, so that a session ends whatever the client obeys.

use std::fmt::Write as _;

use verger_agent::{Coverage, Policy};
use verger_testkit::{Client, Kind, Reply, Rule, Script, in_each_client};

use crate::client_stage::{ClientPlayed, ClientStage, LEARNED};

in_each_client! {
    the_coverage_is_that_of_the_client
}

/// The coverage that was seen in a session of the client. `None` if no session here tests it.
fn seen(policy: Policy, client: Client) -> Option<Coverage> {
    let coverage = match policy {
        Policy::Recording => is_recorded(client),
        Policy::CommandGuard => denies(
            &ClientStage::new(client, "guard.mode = \"enforce\"\n").with_uncommitted_work(),
            "git reset --hard",
            ClientStage::has_uncommitted_work,
        ),
        Policy::PermissionRequests => hears_of_permissions(client),
        Policy::UndoPoints => saves(client),
        Policy::ReviewStop => refuses_a_stop(client, "#review write it", ""),
        Policy::Learning => refuses_a_stop(client, "write it", "tickets.session = true\n"),
        Policy::Verification => refuses_a_stop(client, "write it", VERIFICATION),
        Policy::RecallAtStart => gets_a_learning(client, "parser-cache-per-thread", "go"),
        Policy::RecallOnPrompts => {
            gets_a_learning(client, "develop", "make the parser cache per thread")
        }
        Policy::Habits => denies(
            &ClientStage::new(client, "habits.add_all = \"deny\"\n").with_uncommitted_work(),
            "git add -A",
            |stage| {
                let arguments = ["diff", "--cached", "--name-only"];
                stage.household.environment.run("git", arguments, "").stdout.is_empty()
            },
        ),
        Policy::Delegation => counts_calls(client),
        Policy::ReviewTools | Policy::Drift | Policy::Notices | Policy::HooksOff => return None,
    };
    Some(coverage)
}

const VERIFICATION: &str = "[verification]\nmode = \"always\"\ntests = { command = [\"true\"] }\n";

/// The coverage if the client obeys, and if it does not: whether verger's log shows a denial.
fn obeyed(stage: &ClientStage, obeys: bool) -> Coverage {
    let verdicts = stage.log().records("verdict.given");
    let is_denied = verdicts.iter().any(|verdict| verdict.to_string().contains("\"is\":\"deny\""));
    match (obeys, is_denied) {
        (true, _) => Coverage::Enforced,
        (false, true) => Coverage::Observed,
        (false, false) => Coverage::Impossible,
    }
}

fn possible(is_possible: bool) -> Coverage {
    if is_possible { Coverage::Enforced } else { Coverage::Impossible }
}

/// A model that takes these turns and then says that it is done, as often as it is asked.
fn turns(turns: impl IntoIterator<Item = Reply>) -> Script {
    let main = Rule::new("the main conversation", |request| request.kind() == Kind::Main);
    let main = turns.into_iter().fold(main, Rule::step);
    Script::new().rule(main.otherwise(Reply::text("Done.")))
}

fn played(
    stage: &ClientStage,
    prompt: &str,
    replies: impl IntoIterator<Item = Reply>,
) -> ClientPlayed {
    stage.play(prompt, turns(replies))
}

fn is_recorded(client: Client) -> Coverage {
    let stage = ClientStage::new(client, "");
    played(&stage, "go", [stage.shell("echo one")]);
    let story = stage.story();
    let has = |line: &str| story.iter().any(|known| known == line);
    possible(has("prompt.submitted go") && has("tool.requested echo one") && has("session.ended"))
}

/// `is_kept` says whether the command did not run.
fn denies(stage: &ClientStage, command: &str, is_kept: fn(&ClientStage) -> bool) -> Coverage {
    played(stage, "go", [stage.shell(command)]);
    obeyed(stage, is_kept(stage))
}

/// The model calls a command that the client asks about, and there is no person to ask.
fn hears_of_permissions(client: Client) -> Coverage {
    let stage = ClientStage::new(client, "");
    let prompt = client.prompt("go").default_permissions();
    stage.play_prompt(prompt, turns([stage.shell("touch new.txt")]));
    possible(!stage.log().records("permission.asked").is_empty())
}

fn saves(client: Client) -> Coverage {
    let stage = ClientStage::new(client, "").with_uncommitted_work();
    played(&stage, "go", [stage.shell("git reset --hard")]);
    assert!(!stage.has_uncommitted_work(), "the command ran");
    drop(stage.restore());
    possible(stage.has_uncommitted_work())
}

fn refuses_a_stop(client: Client, prompt: &str, settings: &str) -> Coverage {
    let stage = ClientStage::new(client, settings);
    let text = "one more line\n".repeat(20);
    let played = played(&stage, prompt, [stage.write("work.rs", &text)]);
    // The prompt, the result of the call, and each refused stop.
    obeyed(&stage, played.main().len() > 2)
}

fn gets_a_learning(client: Client, branch: &str, prompt: &str) -> Coverage {
    let stage = ClientStage::new(client, "").with_a_learning(branch);
    possible(played(&stage, prompt, []).main()[0].mentions(LEARNED))
}

/// A leading agent's second write is denied, and its subagent's are not.
fn counts_calls(client: Client) -> Coverage {
    const SETTINGS: &str = "[delegation]\nmode = \"enforce\"\nrole = \"conductor\"\nremind_at = 1\n\
                            deny_at = 2\n";
    let stage = ClientStage::new(client, SETTINGS);
    played(&stage, "go", [stage.write("one.txt", "1\n"), stage.write("two.txt", "2\n")]);
    obeyed(&stage, stage.path("one.txt").exists() && !stage.path("two.txt").exists())
}

/// The coverage that verger claims for a run without a person.
fn claimed(policy: Policy, client: Client) -> Coverage {
    let spec = verger_agent::by_name(client.agent()).unwrap();
    let claim = spec.coverage_of(policy);
    let applies = |versions: &[&str]| versions.is_empty() || versions.contains(&client.version());
    let exceptions = claim.exceptions.iter().filter(|exception| {
        // Its exceptions are about runs without a person.
        policy == Policy::PermissionRequests && applies(exception.versions)
    });
    exceptions.map(|exception| exception.coverage).fold(claim.coverage, Ord::min)
}

#[expect(clippy::print_stdout, reason = "`cargo xtask conformance` shows the table")]
#[track_caller]
fn the_coverage_is_that_of_the_client(client: Client) {
    let (mut table, mut differences) = (String::new(), vec![]);
    for policy in Policy::ALL {
        let (name, claimed, seen) = (policy.name(), claimed(policy, client), seen(policy, client));
        let shown = seen.map_or("not tested".to_owned(), |seen| seen.to_string());
        writeln!(table, "{name:19}  {claimed:10}  {shown}").unwrap();
        if seen.is_some_and(|seen| seen != claimed) {
            differences.push(format!("{name}: claimed {claimed}, seen {shown}"));
        }
    }
    println!("{client}\npolicy               claimed     seen\n{table}");
    assert_eq!(differences, Vec::<String>::new());
}
