//! Checks whether the text of a candidate supports the criteria that the candidate claims. No
//! candidate is rejected for an unsupported criterion.

use super::form::Sound;
use crate::words::{Confidence, Criterion};

/// The confidence in a learning. It depends on whether the text supports all, some or none of the
/// claimed criteria.
pub(super) fn confidence(sound: &Sound) -> Confidence {
    let text = format!("{}\n{}", sound.summary, sound.detail).to_lowercase();
    let plausible = sound.criteria.iter().filter(|criterion| is_plausible(**criterion, &text));
    match plausible.count() {
        0 => Confidence::Low,
        some if some == sound.criteria.len() => Confidence::High,
        _ => Confidence::Medium,
    }
}

/// The words that show that a text supports a criterion. Entries with a space are searched as
/// substrings, the others as whole words.
struct Signs {
    english: &'static str,
    japanese: &'static str,
}

const BEHAVIOR: Signs = Signs {
    english: "use, avoid, instead, never, always, must, should, don't, do not, prefer, ensure, check, \
        run, call, set, pass, before, after, when, next time, need, needs, require, requires, \
        remember to, make sure, only, not, cannot, fails, breaks, add, put, keep, write, read",
    japanese: "べき, 必要, しない, いけない, 必ず, 避け, 代わりに, 使う, 使い, 使用, 先に, 前に, 次回, こと, \
        ようにする, 注意, 確認, してから, 設定する, 実行する",
};
const RATIONALE: Signs = Signs {
    english: "because, since, so that, chose, chosen, choose, over, rather than, instead of, trade-off, \
        tradeoff, due to, reason, therefore, why, decided, decision, prefer, preferred, in favour of, \
        in favor of, to avoid, better than, as it, otherwise, so, in order to, considered, rejected",
    japanese: "ため, ので, 理由, 選, 代わり, よりも, から, 採用, 決め, トレードオフ, 判断, なぜ, 比べ, 方が",
};
const REQUEST: Signs = Signs {
    english: "user, asked, asks, told, wants, wanted, requested, request, prefers, remember, said, says, \
        insists, instructed, maintainer, owner, reviewer, team, customer, person",
    japanese: "ユーザー, 依頼, 頼, 言われ, 指示, 要望, 覚えて, ほしい, 欲しい, 求め, チーム, 希望",
};
/// Words that show that a statement is true only for now.
const PASSING: Signs = Signs {
    english: "today, yesterday, tomorrow, for now, temporarily, this session, at the moment, right now, \
        just now, this afternoon, this morning, currently broken",
    japanese: "今日, 昨日, 明日, 今のところ, 一時的, とりあえず, 今回だけ, いまは, 今だけ",
};

fn is_plausible(criterion: Criterion, text: &str) -> bool {
    match criterion {
        Criterion::BehaviorChanging => BEHAVIOR.are_in(text),
        Criterion::DecisionRationale => RATIONALE.are_in(text),
        Criterion::StableFact => !PASSING.are_in(text),
        Criterion::ExplicitRequest => REQUEST.are_in(text),
    }
}

impl Signs {
    fn are_in(&self, text: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '\'' || c == '-';
        let is_word = |sign: &str| {
            text.match_indices(sign).any(|(at, found)| {
                !text[..at].ends_with(is_part) && !text[at + found.len()..].starts_with(is_part)
            })
        };
        let has = |signs: &'static str, is_in: &dyn Fn(&str) -> bool| {
            signs.split(',').map(str::trim).any(is_in)
        };
        has(self.english, &is_word) || has(self.japanese, &|sign| text.contains(sign))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_borne_out_by_what_is_said() {
        use Criterion::{BehaviorChanging, DecisionRationale, ExplicitRequest, StableFact};
        let table = [
            ("use --locked in ci", BehaviorChanging, true),
            ("a misuse of overuse", BehaviorChanging, false),
            ("ciでは必ず--lockedを付ける", BehaviorChanging, true),
            ("the sky is blue", BehaviorChanging, false),
            ("sqlite was chosen over postgres", DecisionRationale, true),
            ("速いためsqliteを採用した", DecisionRationale, true),
            ("the overlay has a moreover", DecisionRationale, false),
            ("the port is 8080", StableFact, true),
            ("ci is red today", StableFact, false),
            ("今日はciが遅い", StableFact, false),
            ("the user asked for tabs", ExplicitRequest, true),
            ("ユーザーの依頼でタブにする", ExplicitRequest, true),
            ("tabs are nice", ExplicitRequest, false),
        ];
        for (text, criterion, expected) in table {
            assert_eq!(is_plausible(criterion, text), expected, "{text} {criterion}");
        }
    }
}
