//! Groups of synonyms in technical prose: mostly verbs and adjectives. There are hardly any nouns,
//! because a different noun usually means a different fact.

use std::collections::HashMap;
use std::sync::LazyLock;

use verger_text::stem;

/// The groups of synonyms. The first word of each is its normal form.
const GROUPS: &str = "\
    start begin launch boot startup bootup commence, stop halt cease terminate abort kill cancel, \
    finish complete end, restart reboot relaunch, initialize init bootstrap, cleanup teardown, \
    shutdown termination, create generate make produce, build compile, \
    delete remove erase purge discard drop wipe, \
    change modify alter edit update amend mutate adjust, replace substitute swap supersede, \
    overwrite clobber, save store persist, keep retain preserve remain, fetch retrieve obtain, \
    send deliver emit dispatch transmit, response reply answer, call invoke, run execute, \
    use utilize employ, require need necessary mandatory obligatory compulsory, allow permit, \
    forbid prohibit disallow ban, refuse reject decline deny, revoke withdraw, \
    crash panic die segfault, hang freeze stall stuck, corrupt damage garble mangle, wait await, \
    pause suspend, resume continue, show display, check verify validate ensure confirm, \
    ignore skip disregard, limit restrict cap, increase raise grow bump, \
    decrease reduce lower shrink, large big huge massive, small tiny, long lengthy, short brief, \
    fast quick rapid speedy, slow sluggish, expensive costly, cheap inexpensive, \
    invalid malformed bad incorrect wrong illegal, stale outdated obsolete, \
    flaky unstable unreliable intermittent, random arbitrary, reproducible deterministic, \
    unique distinct, equal identical, exact precise, approximate rough, whole entire, \
    happen occur arise, include contain comprise, split divide, chunk batch, drain flush, \
    truncate shorten, rearrange reorder, setting option preference, argument parameter, \
    rule convention guideline, developer engineer programmer, bug defect, problem issue trouble, \
    error exception, outage downtime, warn caution, alert alarm, \
    parallel concurrent simultaneous, serial sequential, immediate instant, silent quiet, \
    regular periodic, often frequent, resize scale, move shift relocate, migrate transfer, \
    copy duplicate clone, mirror replicate, choose select pick, define specify declare, \
    enable activate, disable deactivate, deploy rollout, fix repair, workaround hack, \
    cause trigger provoke, expire lapse, refresh reload, depend rely, convert transform, \
    extract unpack, property attribute, empty blank, missing absent, null nil, \
    image picture photo, dialog popup modal, cart basket, invoice bill, mock stub fake, \
    checksum digest, tls ssl, url uri, machine host computer, login signin logon, logout signout, \
    privilege permission, document doc, acknowledge ack, differ vary, revert undo rollback, \
    retry reattempt, assign allocate, hide conceal, close shut, attempt try, calculate compute, \
    collect gather, examine inspect, explain describe, guarantee promise, manage handle, \
    notify inform, latency delay, \
    保存 格納 永続, 使用 利用, 必須 必要, 作成 生成, 削除 消去, 確認 検証, 変更 修正, 開始 起動, 書 記述 記載";

static HEADS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut heads = HashMap::new();
    for group in GROUPS.split(", ") {
        let mut words = group.split(' ').map(stem);
        let head = words.next().unwrap_or_default();
        heads.extend(words.map(|word| (word, head.clone())));
    }
    heads
});

/// The normal form of a stem: the first word of its group of synonyms.
pub(super) fn head(stem: String) -> String {
    HEADS.get(&stem).cloned().unwrap_or(stem)
}
