//! The figures that the benchmark measured, and the bounds with which they are compared.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// One measured figure.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) bound: Bound,
    /// The absolute measurements from which the value was computed.
    pub(crate) detail: String,
}

#[derive(Clone, Copy)]
pub(crate) enum Bound {
    AtMost(f64),
    AtLeast(f64),
    /// The figure has no bound: it is only reported.
    None,
}

impl Figure {
    fn holds(&self) -> bool {
        match self.bound {
            Bound::AtMost(most) => self.value <= most,
            Bound::AtLeast(least) => self.value >= least,
            Bound::None => true,
        }
    }

    fn promise(&self) -> String {
        match self.bound {
            Bound::AtMost(most) => format!("at most {most}"),
            Bound::AtLeast(least) => format!("at least {least}"),
            Bound::None => "no bound".to_owned(),
        }
    }

    fn verdict(&self) -> &'static str {
        if self.holds() { "ok" } else { "BROKEN" }
    }
}

pub(crate) fn broken(figures: &[Figure]) -> Vec<&'static str> {
    figures.iter().filter(|figure| !figure.holds()).map(|figure| figure.name).collect()
}

pub(crate) fn text(figures: &[Figure]) -> String {
    let mut text = String::new();
    for figure in figures {
        let Figure { name, value, unit, detail, .. } = figure;
        let (promise, verdict) = (figure.promise(), figure.verdict());
        // Writing to a String cannot fail.
        writeln!(text, "{name:<34} {value:>8.2} {unit:<6} {promise:<13} {verdict:<6}  {detail}")
            .unwrap_or_default();
    }
    text
}

pub(crate) fn json(figures: &[Figure]) -> Value {
    figures
        .iter()
        .map(|figure| {
            let (at_most, at_least) = match figure.bound {
                Bound::AtMost(most) => (Some(most), None),
                Bound::AtLeast(least) => (None, Some(least)),
                Bound::None => (None, None),
            };
            json!({
                "name": figure.name,
                "value": figure.value,
                "unit": figure.unit,
                "at_most": at_most,
                "at_least": at_least,
                "holds": figure.holds(),
                "detail": figure.detail,
            })
        })
        .collect()
}

const INTRODUCTION: &str = "# What verger costs\n\n\
    Written by `cargo xtask bench --report` on two cores. Every figure with the unit `x` is a ratio of two things that took\n\
    turns in the same run; the absolute numbers behind it are in the last column.\n\n\
    A bound is what an agent or a person would notice:\n\n\
    - A hook call without an opinion takes at most twice as long as a static program that only parses its arguments: about\n  \
    1 ms. Its CPU time, without what both programs wait for, is at most 2.2 times that of the other.\n\
    - A call that the guard judges takes at most 1.4 times a call without an opinion.\n\
    - A call that looks for learnings, once a session and once a prompt, takes at most 4 (10,000 learnings) or 8 (100,000)\n  \
    times a call without an opinion: 4 or 8 ms.\n\
    - What a call costs does not grow with the session; what looks at a working tree is a small multiple of `git status`.\n\
    - Nothing is lost, whatever runs at the same time.\n\n\
    | measurement | value | bound | holds | detail |\n|---|---|---|---|---|\n";

pub(crate) fn markdown(figures: &[Figure]) -> String {
    let mut text = INTRODUCTION.to_owned();
    for figure in figures {
        let Figure { name, value, unit, detail, .. } = figure;
        let (promise, verdict) = (figure.promise(), figure.verdict());
        writeln!(text, "| `{name}` | {value:.2} {unit} | {promise} | {verdict} | {detail} |")
            .unwrap_or_default();
    }
    text
}

/// The quantile of the values: `share` of the values are below it.
pub(crate) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index into a list that fits in memory"
    )]
    let index = ((sorted.len().saturating_sub(1)) as f64 * share).round() as usize;
    sorted.get(index).copied().unwrap_or(f64::NAN)
}

pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / as_f64(values.len())
}

#[expect(clippy::cast_precision_loss, reason = "counts of this kind are far below 2^52")]
pub(crate) fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, bound: Bound) -> Figure {
        Figure { name: "a", value, unit: "x", bound, detail: String::new() }
    }

    #[test]
    fn a_bound_holds_up_to_its_value() {
        assert_eq!(
            broken(&[figure(1.6, Bound::AtMost(1.6)), figure(0.4, Bound::AtLeast(0.4))]).len(),
            0
        );
        assert_eq!(broken(&[figure(1.61, Bound::AtMost(1.6)), figure(9.0, Bound::None)]), ["a"]);
        assert_eq!(broken(&[figure(0.39, Bound::AtLeast(0.4))]), ["a"]);
        assert_eq!(broken(&[figure(f64::NAN, Bound::AtMost(1.6))]), ["a"]);
    }

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let values = [5.0, 1.0, 3.0, 2.0, 4.0];
        let found = [median(&values), quantile(&values, 1.0), mean(&values)];
        assert_eq!(found.map(|value| value.to_string()), ["3", "5", "3"]);
        assert!(median(&[]).is_nan());
    }
}
