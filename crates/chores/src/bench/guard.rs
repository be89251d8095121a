//! Measures the cost of the permission guard on a call that it judges.

use std::fs;
use std::process::Command;

use crate::bench::Bench;
use crate::bench::calls::{Place, Plan};
use crate::bench::figures::Figure;
use crate::bench::hook::{CALL, SHORT, WARM_UP, compared, seeded};
use crate::failure::Failure;
use verger_xtask::process;

/// A command line of three hundred characters that the guard allows. The guard must know every
/// command, option and file in it, and it reads the repository's configuration.
const LINE: &str = "cd . && git --no-pager log --oneline --stat -20 -- parser | head -60 && \
    grep -rn --include='*.rs' 'fn parse_expression' . | sort | uniq -c | sort -rn | head -40 && \
    for file in parser.rs lexer.rs; do wc -l \"$file\"; sed -n '1,40p' \"$file\"; done 2>&1 | tail -n 200; \
    git status --short --branch 2>/dev/null";

/// The bound for a call that the guard judges, as a ratio to a call without a guard. Judging a long
/// line costs less than half of the call itself, which takes about 1 ms.
const JUDGED: f64 = 1.4;

pub(crate) fn guard(bench: &Bench<'_>) -> Result<Vec<Figure>, Failure> {
    let mut places = [
        ("judged", Place::with_config(&bench.folder, "[guard]\nmode = \"enforce\"\n")?),
        ("no opinion", Place::new(&bench.folder)?),
    ];
    for (_, place) in &places {
        let project = place.path().join("project");
        let git = project.join(".git");
        fs::remove_dir_all(&git).map_err(|source| Failure::Write { path: git, source })?;
        process::run(Command::new("git").current_dir(&project).args(["init", "-q"]))?;
    }
    let sessions = [seeded(&places[0].1, 1, SHORT)?, seeded(&places[1].1, 1, SHORT)?];
    let mut plan = Plan::default();
    for round in 0..bench.args.rounds + WARM_UP {
        for turn in 0..places.len() {
            let which = (round + turn) % places.len();
            let (name, place) = &mut places[which];
            let lane = if round >= WARM_UP { *name } else { "warm-up" };
            let payload = match *name {
                "judged" => place.shell_call(&sessions[which], LINE)?,
                _ => place.payload(&sessions[which])?,
            };
            plan.call(lane, &place.home(), &payload, &bench.programs.hook, &CALL);
            plan.go();
        }
    }
    let outcome = plan.run(&bench.programs.launcher, places[0].1.path())?;
    Ok(compared(
        ["hook/guard cpu", "hook/guard wall"],
        JUDGED,
        [
            ("300 characters", &outcome.times("judged")),
            ("no opinion", &outcome.times("no opinion")),
        ],
    ))
}
