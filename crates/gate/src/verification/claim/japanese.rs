//! Classifies a Japanese statement by its ending and a table of verb stems.

use super::Says;

/// Verb stems for completed actions.
const DEEDS: &str = "commit push コミット プッシュ マージ デプロイ リリース インストール まとめ リンクに ように \
    作り 作成 保存 修正 入れ 公開 分割 切り替え 削除 化し 反映 変え 変更 外し 実装 対処 対応 \
    導入 差し替え 廃止 戻し 揃え 改善 更新 書き 消し 生成 登録 直し 解決 なくし 組み込み 移動 移行 統一 統合 \
    置き換え 置換 解消 設定 調整 追加 追記 付け";
/// Verb stems of looking and understanding. A statement that ends with one of them reports no
/// change.
const LOOKED: &str =
    "確認 調査 把握 調べ 検討 分析 理解 読み 整理 了解 特定 判明 確定 決め レビュー";
const PAST: &str = "ました 済みです 済み した";
/// The past of "to be" and of a negation. This ending looks like that of a completed action but
/// isn't one.
const WAS: &str = "でした";
const COMPLETE: &str = "完了 完了です 完了しました 完了しています 完了サマリ 完了サマリー 完了レポート できました やったこと";
const GOES_ON: &str = "続いて 続けて 取りかか このまま 調べています 今から 待機中 待ちます";
const CONDITION: &str = "れば なら たら 場合 ても お願い";
const FAILED: &str = "できませんでした 失敗 断念 拒否 中断";
const MISSING: &str = "まだ残って まだ解決 のままです のまま。 未対応 未着手 未実装 未完了 手を付けていません \
    失敗しています 失敗している。 実装していません。 実装されていません。";
/// Phrases that show that a statement is about a part of the work.
const PART: &str =
    "のうち つ目 フェーズ ステップ 手順 まで完了 までは まで書 以外 ファイル中 バッチ batch";

/// Whether the text has kana, or only Han characters: short statements such as "実装完了" have no kana.
pub(super) fn is_japanese(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
}

pub(super) fn says(text: &str) -> Says {
    let has = |pieces: &str| pieces.split(' ').any(|piece| text.contains(piece));
    let mut clauses = text
        .split(['。', '.', '！', '!', ':', '：', '(', '（', '—'])
        .map(str::trim)
        .filter(|clause| !clause.is_empty());
    let ends_in_present =
        clauses.clone().next_back().is_some_and(|clause| clause.ends_with("します"));
    if text.contains(['？', '?']) || text.starts_with("なお") {
        Says::Other
    } else if has(MISSING) {
        Says::Missing
    } else if has(FAILED) {
        Says::Failed
    } else if (ends_in_present || has(GOES_ON)) && !has(CONDITION) {
        Says::GoesOn
    } else if !has(PART) && !has(CONDITION) && clauses.any(did) {
        Says::Did
    } else {
        Says::Other
    }
}

fn did(clause: &str) -> bool {
    let looked = |stem: &str| LOOKED.split(' ').any(|piece| stem.ends_with(piece));
    if let Some(stem) = COMPLETE.split(' ').find_map(|end| clause.strip_suffix(end)) {
        return !looked(stem.trim_end().trim_end_matches(['が', 'を', 'は']));
    }
    if clause.ends_with(WAS) {
        return false;
    }
    let Some(stem) = PAST.split(' ').find_map(|end| clause.strip_suffix(end)) else { return false };
    !looked(stem.trim_end_matches('し')) && DEEDS.split(' ').any(|deed| clause.contains(deed))
}
