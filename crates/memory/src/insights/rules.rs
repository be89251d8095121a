//! The list of all rules, with the name, priority and threshold of each.

use super::{Rule, findings};

/// All rules, by priority.
pub const RULES: &[Rule] = &[
    Rule {
        name: "rubber-stamping",
        priority: 1,
        number: 10,
        share: 0.9,
        when: "at least 10 learnings, and more than 90 % claim the same criterion",
        finds: findings::rubber_stamping,
    },
    Rule {
        name: "decay-warning",
        priority: 2,
        number: 1,
        share: 0.0,
        when: "at least 1 learning will be archived within 7 days",
        finds: findings::decay_warning,
    },
    Rule {
        name: "stale-top-learning",
        priority: 2,
        number: 60,
        share: 0.5,
        when: "the learning with the best hit rate, 50 % or more, was not used for 60 days",
        finds: findings::stale_top_learning,
    },
    Rule {
        name: "low-hit-category",
        priority: 2,
        number: 10,
        share: 0.3,
        when: "learnings of a category were given at least 10 times and used less than 30 % of the time",
        finds: findings::low_hit_category,
    },
    Rule {
        name: "write-gate-too-strict",
        priority: 2,
        number: 10,
        share: 0.5,
        when: "at least 10 candidates, and less than 50 % were kept",
        finds: findings::write_gate_too_strict,
    },
    Rule {
        name: "write-gate-too-loose",
        priority: 2,
        number: 10,
        share: 0.95,
        when: "at least 10 candidates, more than 95 % were kept, and learnings are used less than 30 % of the time",
        finds: findings::write_gate_too_loose,
    },
    Rule {
        name: "skip-miss",
        priority: 2,
        number: 1,
        share: 0.0,
        when: "at least 1 learning came from a ticket whose reflection had been skipped, or, \
               within 30 days, from files of such a ticket",
        finds: findings::skip_miss,
    },
    Rule {
        name: "over-surfaced",
        priority: 2,
        number: 5,
        share: 0.1,
        when: "a learning was given at least 5 times and used at most 10 % of the time",
        finds: findings::over_surfaced,
    },
    Rule {
        name: "high-cross-pollination",
        priority: 3,
        number: 3,
        share: 0.0,
        when: "learnings of one ticket were used at least 3 times in another",
        finds: findings::high_cross_pollination,
    },
    Rule {
        name: "high-value-rare",
        priority: 3,
        number: 4,
        share: 0.7,
        when: "learnings of a category were given at most 4 times and used more than 70 % of the time",
        finds: findings::high_value_rare,
    },
];
