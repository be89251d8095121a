//! Parses a reflection in Markdown: the form in which learnings are stored, one section per
//! candidate. The sections `Used` and `Notes` aren't candidates.

use super::{NoReflection, Offered, Reflection, Used};
use crate::candidate::Candidate;
use crate::text::{Key, Section, sections};

pub(super) fn read(text: &str) -> Result<Reflection, NoReflection> {
    let (sections, _) = sections(text);
    let mut reflection = Reflection::default();
    for section in sections {
        match section.summary.to_lowercase().as_str() {
            "used" | "learnings used" => read_used(&section.detail, &mut reflection),
            "notes" | "reflection notes" => reflection.notes = Some(section.detail),
            _ => reflection
                .offers
                .push(Offered { candidate: candidate(section), unreadable: Vec::new() }),
        }
    }
    if reflection.offers.is_empty() { Err(NoReflection::NoSections) } else { Ok(reflection) }
}

fn candidate(section: Section) -> Candidate {
    Candidate {
        category: section.value(Key::Category).unwrap_or_default(),
        scope: section.value(Key::Scope),
        criteria: section.items(Key::Criteria),
        tags: section.items(Key::Tags),
        files: section.items(Key::Files),
        symbols: section.items(Key::Symbols),
        supersedes: section.items(Key::Supersedes),
        summary: section.summary,
        detail: section.detail,
    }
}

/// Reads the section `Used`, which has lines such as `- learn-a: how it helped`.
fn read_used(detail: &str, reflection: &mut Reflection) {
    for line in detail.lines().map(|line| line.trim_start_matches(['-', '*', ' '])) {
        let (id, how) = line.split_once(':').unwrap_or((line, ""));
        let how = Some(how.trim().to_owned()).filter(|how| !how.is_empty());
        match id.trim().parse() {
            Ok(id) => reflection.used.push(Used { id, how }),
            Err(_) if id.trim().is_empty() => (),
            Err(bad) => reflection.remarks.push(format!("used: {bad}; it was ignored")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_candidates_except_two() {
        let text = "# Reflection\n\n## Retry doubles the row\n- category: pitfall\n\
                    - criteria: stable_fact\n- tags: retry, db\n\nThe key is made per attempt.\n\n\
                    ## Used\n- learn-a: as told\n- learn-b\n- nonsense\n\n## Notes\nFine.\n";
        let texts =
            |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let candidate = Candidate {
            category: "pitfall".to_owned(),
            summary: "Retry doubles the row".to_owned(),
            detail: "The key is made per attempt.".to_owned(),
            criteria: texts(&["stable_fact"]),
            tags: texts(&["retry", "db"]),
            ..Candidate::default()
        };
        let remark = "used: \"nonsense\" is not the id of a learning, such as learn-01M7G83FEM0000000000000007; it was ignored";
        assert_eq!(
            read(text).unwrap(),
            Reflection {
                session: None,
                offers: vec![Offered { candidate, unreadable: vec![] }],
                used: vec![
                    Used { id: "learn-a".parse().unwrap(), how: Some("as told".to_owned()) },
                    Used { id: "learn-b".parse().unwrap(), how: None },
                ],
                notes: Some("Fine.".to_owned()),
                remarks: vec![remark.to_owned()],
            }
        );
    }
}
