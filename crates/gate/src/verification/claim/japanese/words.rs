//! The Japanese pieces that count, with commas between them.

/// A word for being finished.
pub(super) const FINISHED: &str = "完了しました, 完了です, 完了しています, 完了いたしました, \
     完了しております, 完了した, 完了。, 作業完了, 実装完了, 修正完了, 対応完了, 終わりました, \
     終わった, 終わっています, 終えました, 終えた, 終えて, 終了しました, 済みです, 済みました, \
     済ませました, 済んでいます, 済み。, 対応済み, 修正済み, 反映済み, 解決済み, 完成しました, \
     完成です, できました, 解決しました, 解消しました, 直りました, 直っています, 直っているはず, \
     は以上です, 以上で全部, 以上で完了, 仕上がりました, 満たされて, クローズして問題";

/// It is so since the work.
pub(super) const BECAME: &str = "ようになりました, ようになった, ように変わ, ようになっています, \
     ようにしました, ようにし、, ようにしてあります, ようにしています, なくなりました, \
     なくなった, なくなり、, になりました, くなりました, に下がり, もうありません, \
     解消されました, 解消されています, 改善されました, 反映されました, に切り替わって, これで";

/// Something that was run went well.
pub(super) const PROOF: &str = "成功しています, 成功しました, 成功する, 成功です, 成功でした, \
     通りました, 通っています, 通過, パスしています, パスしました, すべてパス, グリーン, \
     クリーンです, okです, クリーン。, 問題なし, 合格, 失敗0, 失敗なし, エラーはありません, \
     エラーもありません, エラーなし, 問題なく, 期待どおり, すべて成功, 全件成功, 一致しています";

/// Nouns that make a verb of making with する, and an item of a list by themselves.
pub(super) const NOUNS_OF_MAKING: &str = "追加, 修正, 変更, 削除, 更新, 対応, 実装, 作成, 整理, \
     設置, 導入, 統一, 移行, 置換, 反映, 改修, 改善, 解消, 分割, 統合, 集約, 移動, 設定, 生成, \
     再生成, 調整, 公開, 適用, 保存, 置き換え, 差し替え, 書き換え, 定数化, 新規作成, 廃止, 撤去, \
     登録, 有効化, 無効化, 最適化, 高速化, 共通化, 強化, 拡張, 構築, 構成, 除去, 記載, 追記, \
     変換, 指定, 制限, 配置, 新設, 化";

/// Verbs, up to where their endings begin, that make nothing.
pub(super) const LOOKING_VERBS: &str = "確認し, 確認いたし, 調査し, 調べ, 検討し, 見つかり, \
     見つけ, 読み, 読んで, 分かり, わかり, 把握し, 判明し, 判断し, 理解し, 起動し, 開始し, 止め, \
     始め, 始まり, 試し, 試み, 失敗し, 発生し, 承知し, 承知いたし, かしこまり, 了解し, 見, 見て, \
     比較し, 計測し, 測り, 特定し, 目を通し, 洗い出し, レビューし, 拝見し, お伝えし, \
     タイムアウトし, 中断し, 断念し, 停止し, 止まり, 戻し, ロールバックし, てい, でい, でし, \
     ありがとうござい, 提案し, 考え, 検証し, 確かめ, され, いただき, おり, ぶつかり, 遭遇し, \
     気付き, 気づき, 出, 残り, 残っ, ませんでし, なかっ, だっ, でき, 着手し, とし, 待たせし, \
     聞き, 依頼し, 落ち, あっ, あり";

/// What stands before one of these is not so yet, and what follows only if it is told in the past.
pub(super) const CONDITIONS: &str = "たら, れば, せば, けば, めば, 次第, てから、, 時点で";

/// With one of these, it is not so yet.
pub(super) const NOT_SO: &str = "予定, つもり, とあり, 書かれて, とのこと, まで完了, まで終わ, \
     まではでき, までは出, 見込み, によると, 完了条件, 完了させたい, 再現できました, \
     特定できました, 確認できました, 把握でき";

/// Somebody else's work.
pub(super) const OTHERS: &str = "上流, 前任, 昨夜, 今週, 先週, 昨年";

/// Something is left.
pub(super) const MISSING: &str = "未実装, 未着手, 未対応, 未完了, 未解決, 未完成, 途中, \
     残っています, 残っている。, 残っているので, 残っているため, 残っていて, 残りは, 残りの, \
     残り:, 残件, 一部, 部分的, 仮の, 仮で, 仮実装, スタブ, ダミー, 保留, 後回し, 後日, 明日, \
     を除いて, を除き, 見送, 持ち越し, までを, まで完了, まで終わ, まではでき, までは出, \
     満たせて, 動きません, 動かない, 1つ目, ひとつ目, 一つ目, ほぼ, もう少し, あと1, あと少し, \
     足りません, 足りない, 残課題, 残り1, 残り2, 残り3, 残り4, 残り5, 残り6, 残り7, 残り8, \
     残り9, の半分, 半分を, 半分は, 半分まで, 前半の, 後半の, 課題が残, 問題が残, 目標は, \
     決定が必要, 手を付けていません, 手つかず, ここまで, todo, ているだけ, てあるだけ";

/// Endings that deny a verb.
pub(super) const DENIALS: &str = "ていません, ていない。, ていないため, ていないので, \
     ていない状態, できません, できなかった, られません, いきません, できていない, 至っていない, \
     ておらず, とは言え, 言い切れ";

/// It goes on, it waits, or it is only meant.
pub(super) const GOES_ON: &str = "次回, 次のセッション, 次のステップ, 見たいです, \
     たいと思います, たいと考え, 続きは, 続きを, 進めます, 進める予定, 進めています, 進んで, \
     取りかか, 着手します, 着手し、, 再開します, 再開する, 予定です, つもり, 見込み, 見積, 方針, \
     やること, 進め方, 実行中, 作業中です, 進行中, 待って, お待ち, 待ちです, 待ち状態, 教えて, \
     ご回答, ご指示くだ, ご指示をお, ご判断, いただければ, 調べて, 調べます, 見ていく, \
     見ていきます, 見ます, 仕上げます, 実装します, 修正します, 追加します, 対応します, 始めます, \
     開始します, 始める, 確認します, 入ります, 取り組んで, 取り組みます, 終わり次第, \
     いつでもどうぞ, お選び, 計画, 案です, 案は, 案:, 案を, 案1, 案a, 分割案, 対応案, 改善案, \
     手順で, ようにします, 次の対象, 流れを, 考えています, 決めて, と返して, とお伝え, \
     提案します, ご提案";

/// It went wrong.
pub(super) const FAILED: &str = "失敗しており, 失敗しました, 失敗します, 失敗しています, \
     失敗する。, 失敗し、, 落ちます, 落ちている, 落ちており, 落ちるので, 元に戻, 断念, 諦め, \
     起動しなく, 応答しません, 手が出せ, うまくいか, 申し訳, 残念, 訂正, 誤りでした, 中断, \
     ロールバックしました, 権限がない, 見つかりませんでした, 収束しません, 取り消しました, \
     取り消します, 打ち切り, ので戻しました, ため戻しました, 今度は, しまいました, しまった, \
     変わりませんでした, 同じエラー, 同じでした, 同じ現象, しないでください";

/// What would be well to do.
pub(super) const ADVICE: &str = "おすすめ, お勧め, 提案, がよい, がよさそう, 良さそう, ほうがよ, \
     方がよ, 欲しい, 検討して, 安全です, 足ります, と思います, と思われ, 可能性があ, \
     かもしれません";

/// It was only looked at, or something is explained.
pub(super) const LOOKED: &str = "承認しました, 承認します, レビューは, 監査が, 監査を, 分析が, \
     点検が, 調査が, 調査を, 調査の, 調査し, 調べました, 調べた, レビューが, レビュー結果, \
     レビューを, 差分を確認しました, 突き合わせた結果, 見当たりません, 変更は行っていません。, \
     コードは変更していません, 変更していません, 変更はしていません, 手を加えていません, \
     調査のみ, 起動しました, 承知し, かしこまり, 気になった点";

/// Somebody else says so.
pub(super) const SAYS: &str = "出力は, によると, とあり, 書かれて, 書き込み, とのこと, と表示, \
     記録では, ログを見る, の文言, 文言は, 受け入れ条件, リリースノート, メッセージには, \
     チケットには";

/// A question that offers more, so that the work does not wait for it.
pub(super) const OFFERS: &str = "ついでに, ほかに, 他に, 別チケット, 別の, 必要であれば, \
     よろしければ, ご希望, 必要でしたら, もし, も追加, も調整, も直し, コミットし, プッシュし, \
     マージし, ておきましょうか, にも, も同じ";

/// What is not of this work, or was so before it.
pub(super) const ASIDE: &str = "ついでに, ほかに, 他に, 変更前から, 以前から, もともと, 元々, \
     関係ありません, 範囲外, 対象外, ご依頼は, 無関係, 先ほど, ロードマップ, 遠慮なく, \
     必要であれば, よろしければ, ご希望, 必要でしたら, あえて, 気付, 気づ, 変更前, お待たせ, 別件";

/// What was not looked at, or is well when it is not so, does not take back that something was made.
pub(super) const NO_MATTER: &str = "確認, 検証, 再現, 計測, 疎通, 実行, 試せ, 試し, 試して, \
     測れ, 失われ, 変え, 一度も, 変わ, 壊れ, 影響, 動かし, 追加して, 見て, 通して, 流して, \
     当てて, 触れて, 環境, 実機, 手元, 本番, ここでは, 負荷, 検査, 押さえ, 測定, 測って, 測る, \
     エラーも, エラーは, 警告は, エラーログ, 警告も, チェックを経, 参照され, 手を入れ, 手を加え, \
     触って, 変更して, 問題は, 問題も, 異常は, 適用は, 持って";

/// Other verbs of making, up to where their endings begin.
pub(super) const VERBS_OF_MAKING: &str = "書い, 直し, 入れ, 足し, 変え, 加え, 張っ, 分け, 外し, \
     移し, 置き換え, 書き換え, 切り替え, 入れ替え, 差し替え, そろえ, まとめ, 付け";

/// Titles of what was wrong before the work.
pub(super) const CAUSES: &str = "原因, 背景, 問題, 現象, 経緯";

/// It is told why something is so, or what it means.
pub(super) const EXPLAINS: &str = "ためです, からです, が原因, 意味は, のが理由";

/// How something is, without a word that says since when.
pub(super) const STATES: &str = "ではなく, 新規, 新しい, 変更後, になっています, となっています";

/// Where a sentence turns: "but".
pub(super) const TURNS: &str = "たが、, ますが、, ですが、, ものの、, たけど、, けれど、";

/// What says no after a turn.
pub(super) const TURNED_DOWN: &str = "ません, ない, 失敗, エラー, まま, 未, 古い, 拒否, \
     でした。, 空, だけ, のみ, 返って, 必要な状態";

/// Verbs, up to where their endings begin, of what a thing does: passive, potential or without an object.
pub(super) const VERBS_OF_BEHAVIOUR: &str = "残り, 終わり, され, られ, れ, でき, なり, まり, \
     わり, がり, 出, 入り, 戻り, 移り, 届き, 付き, 開き, 閉じ, 動き, え, べ, め, け, せ, げ, \
     表示し, 移動し, 遷移し, 対応してい, 管理してい";

/// Those among them that an agent does.
pub(super) const VERBS_OF_AGENT: &str = "変え, 加え, 替え, 換え, 揃え, そろえ, 考え, 伝え, 並べ, \
     調べ, 述べ, 始め, 進め, まとめ, 決め, 求め, 止め, 確かめ, 分け, 続け, 付け, 見つけ, 任せ, \
     見せ, 知らせ, 挙げ, 上げ, 下げ, 入れ, 取り入れ, 触れ, 思われ, 考えられ, 見られ";

/// What tells of how a thing is, as answers do.
pub(super) const FACTS: &str = "行目に, 行目で, 行目の, 行目、, のは、, お使いの, はい、, \
     いいえ、, 仕組みとしては, 意味し, 呼ばれ, と思われ, と考えられ, 説明に, にあります, \
     該当する, その後, ことです, ためです, にするため";

/// Something is not as it should be, or may be.
pub(super) const DOUBTFUL: &str = "だけです, だけで、, だけの状態, だけ置いて, 壊れます, \
     のみです, 中身がな, 空のまま, 必要があります, いただく必要, 古いままです, 旧来のまま, \
     未確定, 不安定です, 崩れます, 崩れて, ずれます, ずれて, 動作しません, 効きません, 効かず";

/// What comes next, unless the sentence tells of what was.
pub(super) const THEN: &str = "今は, これから, 次は, 次に, 続いて, 引き続き, 続けて";
