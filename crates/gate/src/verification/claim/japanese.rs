//! What says in Japanese that work is done, and what takes it back.
//!
//! Japanese is written without spaces: pieces of text are looked for, most of them endings.

use super::sentence::{Place, Sentence, listed};

/// What was made, what is so now, what passed: endings of what is over.
const DONE: &str = "完了しました, 完了です, 完了しています, 完了いたしました, 完了しております, 完了した, 作業完了, 実装完了, \
     修正完了, 対応完了, 終わりました, 終わった, 終えました, 終了しました, 済みです, 済みました, 済ませました, 対応済み, 修正済み, \
     反映済み, 投入済み, 導入済み, 設定済み, 確認済み, できました, 満たされて, しました, いたしました, 行いました, 直しました, \
     直りました, 直しています, 直っています, 直っているはず, 変えました, 移しました, 置きました, 入れました, 付けました, 加えました, \
     作りました, 分けました, 書きました, 外しました, 消しました, 置き換えました, 書き換えました, 切り替えました, まとめました, \
     そろえました, 切り出しました, 取り除きました, 差し替えました, 作り直し, 通りました, 通っています, 通るように, 成功しています, \
     パスしています, グリーン, クリーン, ようになりました, ようになっています, ようになった, ようにしています, ようにしてあります, \
     してあります, なくなりました, なりました, なっています, そろえています, 張っています, これで, 実装した, 修正した, 追加した, \
     対応した, 変更した, 削除した, 移した, 直した, 変えた, 作った, 置き換えた, 書き換えた, 入れた, 問題ありません";

/// With one of these, the sentence speaks of what is not so yet, or of somebody else's work.
const CONDITIONS: &str = "たら, れば, 次第, 場合, 予定, つもり, とあり, 書かれて, とのこと, 調査, レビューが, レビューを, \
     見つかりました, されました, まで完了, まで終わって, まで終わりました, 承知, かしこまり, 了解, わかりました, 起動しました, \
     開始しました, 調べました, 目を通しました, 検討しました, 読みました, 比較しました, タイムアウトしました, 失敗, エラー, \
     分かりました, 判明しました, 判断しました, 把握しました, 計測しました, 洗い出し, 見つけました, 理解しました, 発生しました, 試しました, 特定しました";

/// Something is missing, it went wrong, it goes on, or nothing was made.
const TAKES_BACK: &str = "まだ, 未実装, 未着手, 未対応, 未完了, 未解決, 途中, 残って, 残りは, 残りの, これから, 次回, 次は, 次に, 次の段階, \
     続いて, 引き続き, 続けて, 続きは, 進めます, 進める予定, 進めています, 進めて, 取りかか, 着手, 再開, 持ち越し, 見送, を除いて, を除き, \
     以外の, 以外は, のうち, 件中, 本中, 一部の, 一部は, 一部だけ, 部分的, 仮の, 仮で, 仮実装, 保留, 後回し, 後日, 明日, 実行中, 作業中, \
     進行中, 対応中, 待って, 待ち, 終わっていない, 終わっていません, 完了していません, 完了できません, 完成していません, 直っていません, \
     動きません, 動かない, 動いていません, 特定できて, 解消できて, 対応できて, 解決できて, られませんでした, いきませんでした, \
     うまくいか, 失敗しており, 失敗しました, 失敗します, 失敗しています, 失敗する, 落ちます, 落ちている, 落ちており, 元に戻, 断念, 諦め, 起動しなく, \
     手が出せ, 言えない, 言えません, 言い切れません, 自信が, 訂正, 申し訳, 残念, 予定です, 方針, 提案, おすすめ, お勧め, 計画, 案です, 案は, 進め方, \
     やること, 見込み, 見積, 教えて, ご回答, ご指示, ご判断, ご用意, いただければ, いただく必要, 調べて, 調査, 調べます, 見ていく, 見ていきます, \
     サブエージェント, 承知し, かしこまり, 変更していません, 変更はしていません, 手を加えていません, 触っていません, 着手していません, 報告します, 報告する, \
     仕上げます, 実装します, 修正します, 追加します, 対応します, 始めます, 開始します, 始める。, しないでください, 必要があります, 早いかと, \
     レビューが, レビュー結果, お手数, 判断できません, 分かりません, わかりません, 中断, ブロック, 権限が";

/// An offer, or what is not of this work.
const ASIDE: &str = "ついでに, ほかに, 他に, 変更前から, 以前から, もともと, 元々, 関係ありません, 無関係, ご確認, 見た目は変わって, \
     先ほど, ロードマップ, 遠慮なく, 必要であれば, よろしければ, ご希望, 必要でしたら, もし";

/// What was never asked to be found out about the work is no part of it.
const COULD_NOT: &str = "できませんでした, できていません, できなかった";
const LOOKS: &str = "確認, 検証, 再現, 実行できていません, 計測, 疎通";

/// Whether the sentence says that something is done.
pub(super) fn says_done(sentence: &Sentence) -> bool {
    let has = |list| listed(list).any(|piece| sentence.text().contains(piece));
    sentence.place() != Place::Item
        && is_japanese(sentence)
        && !sentence.asks()
        && has(DONE)
        && !has(CONDITIONS)
}

/// Whether the sentence takes back what another one says.
pub(super) fn takes_back(sentence: &Sentence) -> bool {
    let has = |list| listed(list).any(|piece| sentence.text().contains(piece));
    is_japanese(sentence) && !has(ASIDE) && (has(TAKES_BACK) || (has(COULD_NOT) && !has(LOOKS)))
}

/// Whether a question is an offer.
pub(super) fn offers(sentence: &Sentence) -> bool {
    listed(ASIDE).any(|piece| sentence.text().contains(piece))
}

fn is_japanese(sentence: &Sentence) -> bool {
    sentence.text().chars().any(|c| ('\u{3040}'..='\u{30ff}').contains(&c))
        || listed(DONE).any(|piece| sentence.text().contains(piece))
}
