//! The same for Japanese, whose words are runs of one script.

/// As in English; English words are what loans are read as.
pub(super) const SYNONYMS: &str = "\
    確認 検証 検査 チェック 点検, 実行 実施 行 動, 作成 生成 構築 作, 削除 除去 消去 消 破棄, 変更 修正 編集 更新 改修 変, 追加 付加 付与 付 加 足 挿入, \
    取得 読込 読 参照 得, 保存 格納 保管 記録 登録 残, 送信 送 発行 通知, 受信 受 受取, 表示 出力 出 見, 設定 指定 定義 宣言 構成, \
    使用 利用 活用 使 用, 開始 起動 始 立上, 終了 停止 完了 終 止, 呼出 呼 実行, 比較 照合 比, 計算 算出, 変換 変 置換, 分割 分離 分, \
    結合 統合 併合 連結, 移動 移行 移, 禁止 不可 拒否, 許可 可能 可, 制限 上限 最大 限度, 固定 一定, 待機 待, 再試 再実, 発生 起 生, \
    検出 検知 発見 見, 判定 判断 評価, 適用 反映, 失敗 異常 落 エラ, 遅延 遅 低速, 速度 高速 速, 不安 不定, 維持 保持 保 継続, 確保 割当, 解放 開放, \
    初期 リセット, 一覧 リスト, 識別 ID, 利用者 ユーザ, 環境 状態, 自動 自動的, 手動 手, 全件 全 全部 全体, 個別 別, 各 毎, 前 以前 直前 事前, \
    後 以後 直後 事後, 内 中 内部, 外 外部, 同 同一 同様, 先頭 最初 冒頭, 末尾 最後 最終, 必須 必要 必, 不要 無用, 名称 名前 名, 場所 位置 箇所, \
    原因 理由, 方法 手段 手順, 期限 有効 期間, 経過 過, 超過 超 越, 含 入 包含, 除外 除, 戻 返 返却, 直接 直, 複数 多数, 単一 一 単独, \
    大 大規模 巨大, 小 小規模, 新規 新 新た, 古 旧, 長 長期, 短 短期, 日時 日付 時刻, 毎晩 夜間, 毎日 日次, 並列 並行 同時, 順番 順序 順, \
    必 常 毎回, 残 記録 保持, 保 維持 保持 保存, リセット 初期, 失 消 削除, 落 ダウン 停止 止, 送 送信, 受 受信, 動 動作, 選 選択, 待 待機, \
    閉 終了, 始 開始, 直 修正, 全 全部, 切 作成, 速 高速, 遅 低速, 多 大量, 少 少量, 長 長時, 読 読込, 書 書込, 表 一覧, 順序 順番, 値 数値, \
    型 種類, 鍵 キ, 既定 デフォルト, 公開 リリース, 統合 マージ, 複製 コピ, 導入 インストル, 例外 エラ, 並列 並行 同時, 最後 末尾, 最初 先頭, 都度 毎回, \
    最大 上限, 最小 下限, 置 設置 配置 書 記述 記載 記, 使 使用 利用 用, 削除 消去 消, 作成 生成 作, 実行 実施 行, 変更 修正 変, 確認 検証, \
    保存 格納, 追加 付与 付 加, 返却 返, 指定 渡, 含 入, 起動 開始, 終了 停止, 分割 分, 呼出 呼, 期限 有効期限, 取得 得, 出力 出, 表示 見, \
    遅延 遅, 必 必須 常, 場所 所, 全 全部 全て, 例外 error exception, 既定 default 初期値, 公開 release リリース, 統合 merge, \
    複製 copy, 導入 install, 一覧 list, 関数 method function, 引数 parameter argument, 確認 check, \
    更新 update, 開始 start, 停止 stop, 設定 config setting, 環境 environment, 本番 production, \
    開発 development, 依存 dependency, 認証 authentication auth login, 権限 permission role, \
    顧客 customer, 注文 order, 請求 invoice billing, 検索 search, 索引 index, 表 table, 列 column, \
    行 row line, 鍵 key, 値 value, 型 type, 単体 unit, 結合 integration, 自動 automatic, 手動 manual, \
    並列 parallel, 同期 sync, 圧縮 compress, 暗号 encrypt, 履歴 history, 通知 notify notification, \
    警告 warn warning, 失敗 fail failure error, 成功 success, 待機 wait, 制限 limit, 削除 delete, 追加 add, \
    変更 change, 実行 run execute, 接続 connection connect access, 転送 transfer, 画面 screen page, \
    報告 report, 手順 procedure step, 経路 path route, 試験 test, 落 down, 失 lost, 側 side, 初期 reset, \
    課題 issue ticket task, 不具 bug, 障害 failure error, 取消 cancel, 再起 restart, 応答 response, \
    要求 request, 利用 access use, 構築 build, 配置 deploy, 反映 deploy, 文書 document documentation, \
    秘密 secret, 端末 terminal device, 容量 size capacity, 件数 count number, 回数 count times, \
    速度 speed performance, 性能 performance, 負 マイナス, 正 プラス, 並 ソート 整列 順, 二重 重複 多重, 再試 retry, \
    深夜 夜間 夜, 毎週 週次, 毎月 月次, 失効 期限 切, 確定 決定, 一致 合致, 欠落 欠損 漏, 余分 不要, 先 前 事前, 際 時, 項目 欄 フィールド, \
    参照 閲覧 見, 記入 入力 書, 申請 依頼 要求, 承認 許可, 差分 変更, 競合 衝突, 誤 間違, 警告 注意, 説明 記述, 英語 英字, 文字 字";

/// Pairs that cannot both be said of one thing.
pub(super) const OPPOSITES: &str = "\
    有効 無効, 論理 物理, 前 後, 追加 削除, 作成 削除, 開始 終了, 許可 禁止, 必須 任意, 本番 開発, 本番 検証, 成功 失敗, 増 減, 昇順 降順, 読 書, \
    入力 出力, 起動 停止, 並列 順番, 並列 直列, 内部 外部, 最大 最小, 最初 最後, 安全 危険, 送信 受信, 圧縮 展開, 同期 非同, 手動 自動, 大文 小文, \
    新規 既存";

/// Katakana, without long vowels at the end, and what they are loaned from.
pub(super) const LOANS: &str = "\
    データベース database, サーバ server, テスト test, ユーザ user, キャッシュ cache, ログ log, ファイル file, \
    ディレクトリ directory, フォルダ directory, リポジトリ repository, コマンド command, ブランチ branch, コミット commit, \
    ビルド build, デプロイ deploy, トークン token, インデックス index, テーブル table, モック mock, エラ error, バグ bug, \
    パスワード password, リクエスト request, レスポンス response, メッセージ message, バージョン version, コンテナ container, \
    イメージ image, ライブラリ library, パッケージ package, フロントエンド frontend, バックエンド backend, クライアント client, \
    タイムアウト timeout, リトライ retry, ロック lock, クエリ query, スキーマ schema, ドキュメント documentation, \
    チェック check, アプリ app, アプリケーション app, パラメータ parameter, メモリ memory, セッション session, プルリクエスト pr, \
    レビュ review, タスク task, ジョブ job, デフォルト default, リリース release, マージ merge, コピ copy, \
    インストール install, リスト list, メソッド method, オプション option, フラグ flag, スクリプト script, プロジェクト project, \
    モジュール module, コンポーネント component, インターフェース interface, インターフェイス interface, エンドポイント endpoint, \
    ステータス status, ヘッダ header, ボディ body, プロキシ proxy, プロクシ proxy, ネットワーク network, ポート port, \
    ホスト host, ドメイン domain, ワーカ worker, スレッド thread, プロセス process, イベント event, メール mail, \
    ロールバック rollback, バックアップ backup, ローカル local, グローバル global, パイプライン pipeline, プラグイン plugin, \
    テンプレート template, フィールド field, カラム column, レコード record, データ data, ページ page, ボタン button, \
    リンク link, サイズ size, フォーマット format, アップロード upload, ダウンロード download, アップデート update, \
    アクセス access, シークレット secret, アカウント account, ステージング staging, ハッシュ hash, ストリーム stream, \
    トランザクション transaction, マイグレーション migration, フィクスチャ fixture, スナップショット snapshot, パーサ parser, \
    コンパイル compile, デバッグ debug, リセット reset, ダウン down, サイド side, ライセンス license, スケジューラ scheduler, \
    ファクトリ factory, パラメタ parameter, スカッシュ squash, ルータ router, ルーター router, バッチ batch, ソート sort, \
    フィルタ filter, スタック stack, キャンセル cancel, レイアウト layout, アラート alert, メトリクス metric, \
    セキュリティ security, パフォーマンス performance, リソース resource, バリデーション validate, フォーム form, モデル model, \
    ビュー view, クラス class, オブジェクト object, テキスト text, ライン line, グループ group, メンバー member, ルール rule, \
    チーム team";

/// They say nothing of what a sentence is about.
pub(super) const SILENT: &str = "\
    不要 中 事 以上 側 化 場合 常 必 必要 性 方 時 毎回 用 的 等 際";

/// They carry little.
pub(super) const WEAK: &str = "\
    事前 内容 処理 利用 可能 場合 実行 対応 方法 注意 状態 環境 設定 適用";

/// They carry nothing but a sentence.
pub(super) const LIGHT: &str = "\
    使 使用 利用 動 実施 実行 行";

/// Conditions, which hold a negation without meaning one.
pub(super) const CONDITIONS: &[&str] = &["なければ", "ないと", "ない限り"];
/// Duties, likewise.
pub(super) const DUTIES: &[&str] = &["必要がある", "必要がない", "ざるを得ない"];
/// They turn a statement round. Longer ones first.
pub(super) const NEGATIONS: &[&str] = &[
    "ではなく",
    "でなく",
    "いけない",
    "ない",
    "ません",
    "せず",
    "ずに",
    "わず",
    "らず",
    "なし",
    "禁止",
    "避け",
    "代わり",
    "不可",
    "不要",
    "控え",
];
/// They speak of harm.
pub(super) const HARM: &[&str] = &["失敗", "壊", "落ち", "エラー", "無視", "漏"];
/// They take back a part of what was said.
pub(super) const CONTRASTS: &[&str] = &["以外", "ただし", "しかし"];
/// What is counted with.
pub(super) const COUNTERS: &str = "人回個件分秒日時つ度行";
/// Numbers in kanji, from one.
pub(super) const NUMERALS: &str = "一二三四五六七八九十";
