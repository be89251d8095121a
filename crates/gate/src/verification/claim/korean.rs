//! Classifies a Korean statement by a completed action at its end.

use super::Says;

const DONE: &str = "완료|완료했습니다|완료되었습니다|완료됐습니다";
/// Words for completed actions that aren't the work: looking, preparing, or one part of several.
const NOT_THE_WORK: &str = "분석|파악|확인|조사|검토|준비|이미|레인|단계";
const GOES_ON: &str = "대기 중|기다립니다|기다리고|진행합니다|진행하겠습니다|실행 중";

pub(super) fn is_korean(text: &str) -> bool {
    text.chars().any(|c| ('\u{ac00}'..='\u{d7a3}').contains(&c))
}

pub(super) fn says(text: &str) -> Says {
    let text = text.trim_end_matches(['.', '!', ' ']);
    let has = |pieces: &str| pieces.split('|').any(|piece| text.contains(piece));
    if has(GOES_ON) {
        Says::GoesOn
    } else if DONE.split('|').any(|end| text.ends_with(end)) && !has(NOT_THE_WORK) {
        Says::Did
    } else {
        Says::Other
    }
}
