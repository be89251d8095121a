//! Checks the files of labelled commands against their README: valid lines without repetition, the
//! stated counts, and the split of the data by position.

use std::collections::{BTreeMap, BTreeSet};

use verger_testkit::{Label, LabelledCommand as Labelled, Part, labelled_commands};

const README: &str = include_str!("../corpus/README.md");

/// The position in its category decides the data split of a command: every third command is in the
/// split `Part::Check`.
const CHECK_EVERY: usize = 3;

/// The prefix of categories whose commands the guard once judged wrongly.
const FOUND: &str = "found-";

fn both() -> Vec<Labelled> {
    let mut all = labelled_commands(Part::Tune);
    all.extend(labelled_commands(Part::Check));
    all
}

#[test]
fn no_id_and_no_command_occurs_twice() {
    let all = both();
    let ids: BTreeSet<&str> = all.iter().map(|one| one.id.as_str()).collect();
    let commands: BTreeSet<&str> = all.iter().map(|one| one.command.as_str()).collect();
    assert_eq!((ids.len(), commands.len()), (all.len(), all.len()));
}

#[test]
fn there_are_at_least_five_hundred_and_an_asked_one_is_never_plain() {
    let all = both();
    let plain_asks: Vec<&str> = all
        .iter()
        .filter(|one| one.plain && one.label == Label::Ask)
        .map(|one| one.id.as_str())
        .collect();
    assert_eq!((all.len() >= 500, plain_asks), (true, vec![]));
}

#[test]
fn every_third_command_of_a_category_is_in_the_check_part() {
    let check: BTreeSet<String> =
        labelled_commands(Part::Check).into_iter().map(|one| one.id).collect();
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for one in both().into_iter().filter(|one| !one.category.starts_with(FOUND)) {
        *sizes.entry(one.category).or_default() += 1;
    }
    let expected: BTreeSet<String> = sizes
        .iter()
        .flat_map(|(category, size)| {
            (CHECK_EVERY..=*size)
                .step_by(CHECK_EVERY)
                .map(move |position| format!("{category}-{position:03}"))
        })
        .collect();
    assert_eq!(check, expected);
}

#[test]
fn the_readme_counts_what_is_there() {
    let (tune, check) = (labelled_commands(Part::Tune), labelled_commands(Part::Check));
    let counted: BTreeSet<String> = both()
        .iter()
        .map(|one| row(&one.category, &tune, &check, |other| other.category == one.category))
        .chain([row("all", &tune, &check, |_| true)])
        .collect();
    let written: BTreeSet<String> = README
        .lines()
        .skip_while(|line| !line.starts_with("| category | tune"))
        .skip(2)
        .map(str::to_owned)
        .collect();
    assert_eq!(written, counted);

    let all = both();
    let plain = |label| all.iter().filter(|one| one.plain && one.label == label).count();
    let sentence = format!(
        "{} of the safe commands and {} of the denied ones are plain.",
        plain(Label::Safe),
        plain(Label::Deny)
    );
    assert_eq!(README.lines().find(|line| line.ends_with("are plain.")), Some(sentence.as_str()));
}

fn row(
    name: &str,
    tune: &[Labelled],
    check: &[Labelled],
    counts: impl Fn(&Labelled) -> bool,
) -> String {
    let numbers: Vec<String> = [tune, check]
        .iter()
        .flat_map(|file| [Label::Safe, Label::Ask, Label::Deny].map(|label| (*file, label)))
        .map(|(file, label)| file.iter().filter(|one| one.label == label && counts(one)).count())
        .map(|count| count.to_string())
        .collect();
    format!("| {name} | {} |", numbers.join(" | "))
}
