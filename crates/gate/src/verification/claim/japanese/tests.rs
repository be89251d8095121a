//! What sentences say in Japanese.

use super::super::sentence::sentences;
use super::*;
use Signal::*;

#[track_caller]
fn check(rule: &str, cases: &[(&str, &[Signal])]) {
    for (text, expected) in cases {
        let said: Vec<_> = sentences(text).iter().flat_map(signals).collect();
        assert_eq!(said, *expected, "{rule}: {text}");
    }
}

#[test]
fn a_verb_of_making_is_a_deed_in_each_of_its_endings() {
    let cases: &[(&str, &[Signal])] = &[
        ("再試行を追加しました。", &[Deed]),
        ("値を外に切り出し、表示を確認しました。", &[Deed]),
        ("設定は環境変数に移してあります。", &[Deed]),
        ("字句解析を書き直した。", &[Deed]),
        ("テストを3件追加しています。", &[Deed]),
        ("キーを追加し、過不足がないことを確認しました。", &[Deed]),
        ("ログを読みました。", &[]),
        ("差分を確認しました。", &[Looked]),
        ("以前はこの関数が担っていました。", &[]),
        ("- ボタンを追加（右上）", &[Described]),
    ];
    check("deed", cases);
}

#[test]
fn what_is_finished_became_so_or_went_well() {
    let cases: &[(&str, &[Signal])] = &[
        ("移行が完了しました。", &[Finished]),
        ("在庫はもうマイナスになりません。", &[Became]),
        ("画面に表示されます。", &[Described]),
        ("一覧から選べます。", &[Described]),
        ("画面を3つに分けます。", &[]),
        ("値は27行目で指定されます。", &[]),
        ("1行目は自動で判定されます。", &[Described]),
        ("修正済みです。", &[Finished]),
        ("一覧を並べ替えられるようになりました。", &[Became]),
        ("二重に登録されることはもうありません。", &[Became]),
        ("テストはすべて成功しています。", &[Proof]),
        ("- 0: すべて成功", &[Described]),
        ("完了したら再起動してください。", &[]),
        ("テストを足せば完成です。", &[]),
        ("ログには完了しましたとあります。", &[Reported]),
    ];
    check("finished", cases);
}

#[test]
fn what_is_left_goes_on_or_waits_takes_it_back() {
    let cases: &[(&str, &[Signal])] = &[
        ("削除は未実装です。", &[Missing]),
        ("画面はまだです。", &[Missing]),
        ("在庫が足りない場合は赤字になります。", &[Described]),
        ("40件中27件が成功です。", &[Proof, Missing]),
        ("318 件中 318 件成功です。", &[Proof]),
        ("1 つ目の不具合です。", &[Missing]),
        ("定義が終わったので、画面に移ります。", &[Finished, GoesOn]),
        ("30回続けて流しました。", &[Deed]),
        ("本番ではまだ実行していません。", &[]),
        ("返品画面は作成中です。", &[Missing]),
        ("手順1〜3です。", &[Missing]),
        ("見出しだけです。", &[Doubtful]),
        ("第4章まで書きました。", &[Deed, Missing]),
        ("1章から4章まで書きました。", &[Deed]),
        ("鍵は仮値のまま。", &[Doubtful]),
        ("古い鍵はそのままです。", &[]),
        ("次は画面に取りかかります。", &[GoesOn]),
        ("どちらを優先しますか？", &[Asks]),
        ("ついでに名前も変えましょうか？", &[]),
    ];
    check("left", cases);
}

#[test]
fn what_is_denied_or_went_wrong_takes_it_back_and_a_look_does_not() {
    let cases: &[(&str, &[Signal])] = &[
        ("権限は移行できていません。", &[Denied]),
        ("実機では確認できていません。", &[]),
        ("対応していない端末には古い形式が返ります。", &[]),
        ("ヘッダーが付いていませんでした。", &[]),
        ("更新しましたが、古い値が出ます。", &[Deed, Failed]),
        ("ビルドに失敗しました。", &[Failed]),
        ("原因は指定の誤りでした。", &[Explained]),
        ("実機では見ていません。", &[]),
        ("再現できなかったため、防御を入れました。", &[Deed]),
    ];
    check("denied", cases);
}
