//! Japanese terms and the English words that code uses for them.

use super::sorted;

/// The English words for the Japanese ones of a text. Of a term within another only the longer is meant: ログ is no
/// part of ログイン.
pub(super) fn terms(text: &str) -> impl Iterator<Item = &'static str> {
    let mut rest = text;
    let found = std::iter::from_fn(move || {
        while let Some(first) = rest.chars().next() {
            let here = sorted::from(TERMS, b'\n', &rest[..first.len_utf8()])
                .map_while(|line| line.starts_with(first).then(|| line.split_once(' '))?)
                .filter(|(term, _)| rest.starts_with(term));
            let term = here.max_by_key(|(term, _)| term.len());
            rest = &rest[term.map_or(first.len_utf8(), |(term, _)| term.len())..];
            if let Some((_, english)) = term {
                return Some(english);
            }
        }
        None
    });
    found.flat_map(|english| english.split(' '))
}

/// Whether it is long enough to be compared as it stands, and says something.
pub(super) fn is_a_term(run: &str) -> bool {
    run.chars().count() >= 2 && !SAY_NOTHING.contains(&run)
}

/// Whether it says how something should be, or which piece of work is meant, but not where.
pub(super) fn is_placeless(term: &str) -> bool {
    PLACELESS.contains(&term)
}

const PLACELESS: &[&str] = &[
    "改善",
    "最適化",
    "高速化",
    "品質",
    "性能",
    "完成",
    "課題",
    "作業",
    "計画",
    "手順",
    "再開",
    "続行",
    "指示",
    "通",
    "番",
    "チケット",
    "タスク",
    "ステップ",
    "フェーズ",
    "リファクタ",
    "リファクタリング",
    "プラン",
    "パフォーマンス",
    "不具合",
    "イシュー",
    "警告",
    "以外",
];

const SAY_NOTHING: &[&str] = &[
    "追加",
    "修正",
    "変更",
    "対応",
    "実装",
    "機能",
    "処理",
    "部分",
    "場合",
    "必要",
    "確認",
    "作成",
    "実行",
    "使用",
    "利用",
    "以下",
    "以上",
    "現在",
    "全部",
    "全体",
    "問題",
    "原因",
    "調査",
    "お願",
    "願",
    "既定",
    "既存",
    "新規",
    "最後",
    "最初",
    "コード",
    "ファイル",
    "テスト",
    "エラー",
    "バグ",
    "データ",
    "ユーザー",
    "システム",
    "プロジェクト",
    "リポジトリ",
    "今回",
    "本番",
    "環境",
    "方法",
    "内容",
    "結果",
    "表示",
    "設定",
    "関数",
    "クラス",
    "メソッド",
    "一覧",
    "画面",
    "形式",
];

/// One a line, in their order: the term, and the English words for it.
pub(super) const TERMS: &str = "\
いいね like
お気に入り favorite favourite bookmark
お知らせ news notice announcement
ごみ箱 trash
ひらがな hiragana kana
アイコン icon
アカウント account
アクセシビリティ a11y aria accessibility
アップロード upload
アドレス address
アニメーション animation
アンケート survey questionnaire
イベント event
イメージ image
インデックス indexes
インポート importer import
ウェブフック webhook
エクスポート export exporter
エンドポイント endpoint route
オプション option
カタカナ katakana kana
カテゴリ category
カラム column
カレンダー calendar
カート cart
カード card
キャッシュ cache
キャンセル cancel
キュー queue
キーボード keyboard key
クエリ query
クッキー cookie
クライアント client
クラスタ cluster
クーポン coupon
グラフ chart graph
グループ group
ゲーム game
コマンド command cli
コメント comment
コンテナ container docker
コントローラ controller
コンパイル compile build
コンポーネント component
コールバック callback
ゴミ箱 trash
サイドバー sidebar
サブスク subscription
サムネイル thumbnail thumb
サーバー server
サービス service
シグナル signal
ショートカット shortcut
シリアライズ serialize
ジョブ job
スキーマ schema
スクロール scroll
スケジュール schedule
スタイル style
ステータス status state
ストリーム stream
ストレージ storage
スマホ mobile phone responsive
スレッド thread
セッション session
ゼロ zero
ソケット socket websocket
ソート sort
タイトル title
タイムアウト timeout
タイムゾーン timezone zone
タグ tag
タスク task todo
タップ tap touch
タブ tab
ダイアログ dialog modal
ダウンロード download
ダッシュボード dashboard
ダークモード dark theme
チェックサム checksum hash
チャット chat
チーム team
ツールチップ tooltip
テンプレート template
テーブル table
テーマ theme
ディスク disk
ディレクトリ directory dir
デッドロック deadlock lock
デプロイ deploy
データベース database db
トライアル trial
トランザクション transaction
トークン token
ドメイン domain
ドラッグ drag
ネットワーク network networking
ノード node
ハッシュ hash
ハンドラ handler
バケット bucket s3
バックアップ backup
バックエンド backend
バッチ batch job
バッファ buffer
バナー banner
バリデーション validation validate validator
バージョン release bump
パケット packet
パスワード password
パラメータ param parameter
パーサ parser parse
ビルド build
フィルタ filter
フォルダ folder directory
フォロー follow
フォント font
フォーカス focus
フォーム form
フック hook
フッター footer
フラグ flag
フロントエンド frontend
ブックマーク bookmark
ブラウザ browser
ブロック block
プッシュ push
プラグイン plugin
プラス plus positive
プラン plan
プレビュー preview
プロキシ proxy
プロフィール profile
ヘッダー header
ヘルスチェック health healthz
ヘルプ help
ページネーション pagination paginate
ホスト host
ホバー hover
ボタン button
ボリューム volume
ポイント point points
ポート port
マイグレーション migration migrate
マイナス minus negative
ミドルウェア middleware
メッセージ message
メニュー menu
メモ memo note
メモリ memory mem
メール mail email
モデル model
モバイル mobile
モーダル modal dialog
ライブラリ library
ラベル label
ランダム random rand
リセット reset
リダイレクト redirect
リトライ retry
リポジトリ repository
リージョン region
ルーティング router route
レイアウト layout
レシピ recipe
レスポンシブ responsive
レポート report
レート rate limit throttle
ログ log logger logging
ログアウト logout
ログイン login signin session
ログ出力 log logger
ロゴ logo
ロール role
ロールバック rollback
ワーカー worker
上限 limit max maximum
下書 draft
下限 min minimum limit
並び sort order
並び替え sort order reorder
並び順 sort order
並べ替え sort order reorder
並列 parallel concurrent
並行 concurrent parallel
中断 abort interrupt
主キー primary key
乱数 random rand seed
予約 reservation booking
二段階 otp mfa
仕入 purchase supplier
仕訳 journal entry
件名 subject title
休会 pause suspend
休日 holiday
会員 member
伝票 slip voucher
位置 location position
住所 address
余白 margin padding spacing
使い方 usage
例外 exception
依存 dependency
価格 price
保存 save store
倉庫 warehouse
候補 suggest candidate
備考 note remark
充電 charge battery
入力 input form
入力補完 autocomplete suggest
入荷 arrival receive
全角 fullwidth zenkaku normalize
公開 publish public
共有 share sharing
共通 common shared
再生 play playback player
再設定 reset
再試行 retry
再起動 restart reboot
再開 resume
写真 photo picture image
出力 output export
出荷 ship shipment
分割 split
分析 analytics analysis analyze
切り上げ ceil round
切り抜き crop
切り捨て floor truncate round
切断 disconnect close
初期値 default initial
初期化 init initialize reset
制限 limit restrict quota
削除 delete remove destroy
割引 discount
動画 video movie
匿名 anonymous anonymize
半角 halfwidth hankaku normalize
単位 unit
単語 word
印刷 print
印刷用 print
却下 reject
友達 friend
取り込 import importer
取込 import importer
受信 receive
口座 account bank
合計 total sum
同期 sync synchronize
和暦 wareki era
商品 product item
問い合わせ inquiry contact
営業日 business day holiday
四捨五入 round
回答 answer response
回転 rotate rotation
図書 book library
圧縮 compress gzip zip
在庫 stock inventory
地図 map
地域 region area
売り切れ soldout stock
売上 sales revenue
変換 convert conversion transform
変更履歴 changelog
外部キー foreign key
多要素 mfa otp
多言語 i18n locale
夜間 nightly batch
天気 weather
契約 contract subscription
字句 lexer token
学校 school
定期 cron schedule periodic
宿泊 stay lodging booking
対戦 match battle
小数 decimal fraction
履歴 history
差分 diff delta
帳票 report
帳簿 ledger book
平均 average mean
年齢 age
広告 ad ads advert
店舗 shop store
座席 seat
座標 coordinate coord
引き当て allocate allocation reserve
引当 allocate allocation reserve
引数 argument arg
引用 quote
従業員 employee staff
得点 score
復元 restore
復旧 recover restore
必須 required presence
性別 gender
性能 perf performance
患者 patient
成績 grade score
戻り値 return
手数料 fee commission
手順 guide steps
承認 approve approval
投稿 post
抽選 lottery draw
担当 assignee owner
招待 invite invitation
拡大 zoom enlarge scale
拡張子 extension ext
指標 metric metrics
振込 transfer bank
挿入 insert
排他 lock mutex exclusive
採点 score grade
接尾辞 suffix
接続 connection connect
接続数 connection pool
接頭辞 prefix
掲示板 board forum
換算 convert rate
支払 payment
改行 newline break
数量 quantity qty
整数 integer int
文字コード encoding charset
文字列 string
文字化け encoding charset garbled mojibake
文字数 length count
文章 sentence text
文言 text label locale message
料金 price fee
既読 read unread
日付 date
日時 datetime date timestamp
日次 daily
昇順 asc sort
明細 detail item line statement
時刻 time clock
時間帯 timezone zone hour
暗号 crypto encrypt
曜日 weekday day
書き込み write
書籍 book
書込 write
月次 monthly
有効期限 expiry expire expiration ttl
期間 period range duration
期限 expiry expire deadline
未読 unread
本文 body content
本棚 shelf book
材料 ingredient
検査 inspect check
検索 search query find
検証 validation validate
構文 parser syntax
権限 permission role
機種 device model
正規表現 regex regexp
残高 balance
毎日 daily
毎月 monthly
毎週 weekly
比較 compare diff
氏名 name
気温 temperature
決済 payment charge
注文 order
消費税 tax
添付 attachment
漢字 kanji
特典 benefit reward
献立 menu meal
現在地 location geolocation
環境変数 env environment
生年月日 birthday birth
生徒 student
申請 request application apply
画像 image img picture
画質 quality
画面遷移 navigation route
異常 abnormal error
病院 hospital clinic
発送 ship shipment shipping
登録 register signup registration
監査 audit
監視 monitor watch
社員 employee staff
祝日 holiday
秘密鍵 secret private key
移動 move
移行 migrate migration
税 tax
税額 tax
空文字 empty blank
空白 whitespace blank space
端数 round rounding
端末 device terminal
競合 conflict race
管理 admin
範囲 range
組織 organization organisation org
経度 longitude lng
経路 route path
絞り込 filter
絞込 filter
統計 stats statistics
締め切り deadline
締切 deadline
緯度 latitude lat
縮小 shrink resize thumbnail
署名 signature sign
翻訳 translation locale i18n
背景 background
色 color colour palette
荷物 package parcel
著者 author
表示名 display name
補完 complete completion
複製 duplicate copy clone
要約 summary
見出し heading
見積 quote estimate
解像度 resolution
解凍 decompress unzip extract
解析 parse parser analyze
解約 cancel unsubscribe churn
言語 language locale lang
計測 measure metrics
計算 calc calculate compute
記事 article post
設定 config setting
証明書 certificate cert tls
証跡 audit trail
評価 rating review
試験 exam test
認可 authorization permission
認証 auth authentication
認証情報 credential
誤字 typo
読み上げ aria screenreader
読み込み load loading
読込 load loading
課金 billing charge payment
請求 invoice billing
請求書 invoice
警告 warning warn alert
負荷 load
販売 sale sell
質問 question
購入 purchase buy checkout
購読 subscribe subscription
起動 start startup boot launch
超過 exceed over limit
距離 distance
路線 route line
車両 vehicle car
辞書 dictionary
返信 reply
返金 refund
退会 withdraw unsubscribe cancel leave
送信 send mail
通信 network communication
通報 report abuse
通知 notification notify
通貨 currency
速度 speed perf performance
週次 weekly
進捗 progress
遅延 delay latency lag
選択 select selection
選択肢 option choice
部署 department division
郵便 postal zip
配信 deliver delivery distribute stream
配列 array
配送 shipping delivery
重複 duplicate dedupe dup
金額 amount price
録音 record recording
長さ length
降順 desc sort
集計 aggregate summary
電池 battery
電話 phone tel telephone
非同期 async
非表示 hide hidden visible
音声 audio voice sound
音楽 music
音量 volume
順位 rank ranking
順番 order sequence
領収書 receipt
題名 title
顧客 customer
高さ height";
