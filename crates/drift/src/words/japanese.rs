//! Japanese terms and the English words that code uses for them.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A Japanese term and the English words for it.
type Term = (&'static str, &'static str);

/// The terms by the character that they begin with, the longest first.
static TERMS_BY_FIRST: LazyLock<HashMap<char, Vec<Term>>> = LazyLock::new(|| {
    let mut terms: HashMap<char, Vec<Term>> = HashMap::new();
    for term in TERMS.lines().filter_map(|line| line.split_once(' ')) {
        if let Some(first) = term.0.chars().next() {
            terms.entry(first).or_default().push(term);
        }
    }
    for terms in terms.values_mut() {
        terms.sort_by_key(|(term, _)| std::cmp::Reverse(term.len()));
    }
    terms
});

/// The English words for the Japanese ones of a text. Of a term within another only the longer is meant: ログ is no
/// part of ログイン.
pub(super) fn terms(text: &str) -> impl Iterator<Item = &'static str> {
    let mut rest = text;
    let found = std::iter::from_fn(move || {
        while let Some(first) = rest.chars().next() {
            let here = TERMS_BY_FIRST.get(&first).into_iter().flatten();
            let term = here.copied().find(|(term, _)| rest.starts_with(term));
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

/// One a line: the term, and the English words for it.
const TERMS: &str = "\
削除 delete remove destroy
検索 search query find
登録 register signup registration
認証 auth authentication
設定 config setting
フロントエンド frontend
バックエンド backend
認可 authorization permission
権限 permission role
決済 payment charge
支払 payment
返金 refund
注文 order
在庫 stock inventory
商品 product item
請求 invoice billing
顧客 customer
会員 member
問い合わせ inquiry contact
電話 phone tel telephone
住所 address
郵便 postal zip
通知 notification notify
翻訳 translation locale i18n
画像 image img picture
記事 article post
下書 draft
保存 save store
履歴 history
日付 date
時刻 time clock
期限 expiry expire deadline
締切 deadline
和暦 wareki era
集計 aggregate summary
夜間 nightly batch
管理 admin
重複 duplicate dedupe dup
並び sort order
暗号 crypto encrypt
圧縮 compress gzip zip
接続 connection connect
再試行 retry
送信 send mail
受信 receive
監視 monitor watch
予約 reservation booking
料金 price fee
価格 price
割引 discount
税 tax
消費税 tax
評価 rating review
店舗 shop store
地図 map
位置 location position
入力 input form
検証 validation validate
検査 inspect check
必須 required presence
分割 split
共通 common shared
配送 shipping delivery
添付 attachment
署名 signature sign
印刷 print
帳票 report
見出し heading
辞書 dictionary
字句 lexer token
構文 parser syntax
公開 publish public
依存 dependency
速度 speed perf performance
性能 perf performance
背景 background
色 color colour palette
アカウント account
アップロード upload
ダウンロード download
インポート importer import
エクスポート export exporter
ログイン login signin session
ログアウト logout
パスワード password
メール mail email
アドレス address
ページネーション pagination paginate
フォーム form
ボタン button
ヘッダー header
フッター footer
サイドバー sidebar
モーダル modal dialog
ダイアログ dialog modal
テーブル table
カレンダー calendar
カート cart
クーポン coupon
ロゴ logo
アイコン icon
グラフ chart graph
レポート report
ダッシュボード dashboard
キャッシュ cache
キュー queue
ジョブ job
バッチ batch job
スケジュール schedule
タイムアウト timeout
リトライ retry
レート rate limit throttle
ログ log logger logging
ライブラリ library
パーサ parser parse
トークン token
セッション session
クッキー cookie
プロフィール profile
コメント comment
タグ tag
カテゴリ category
フィルタ filter
ソート sort
マイグレーション migration migrate
スキーマ schema
インデックス indexes
データベース database db
メモリ memory mem
スレッド thread
コンパイル compile build
ビルド build
デプロイ deploy
バージョン release bump
ルーティング router route
ミドルウェア middleware
テンプレート template
スタイル style
レイアウト layout
ダークモード dark theme
テーマ theme
アニメーション animation
バリデーション validation validate validator
ウェブフック webhook
プッシュ push
チャット chat
メッセージ message
シリアライズ serialize
ネットワーク network networking
サーバー server
クライアント client
コントローラ controller
モデル model
コンポーネント component
サービス service
リポジトリ repository
非表示 hide hidden visible
氏名 name
合計 total sum
平均 average mean
金額 amount price
税額 tax
通貨 currency
単位 unit
数量 quantity qty
端数 round rounding
四捨五入 round
切り捨て floor truncate round
切り上げ ceil round
引き当て allocate allocation reserve
引当 allocate allocation reserve
発送 ship shipment shipping
出荷 ship shipment
入荷 arrival receive
倉庫 warehouse
仕入 purchase supplier
購入 purchase buy checkout
販売 sale sell
売上 sales revenue
見積 quote estimate
契約 contract subscription
解約 cancel unsubscribe churn
退会 withdraw unsubscribe cancel leave
休会 pause suspend
キャンセル cancel
承認 approve approval
却下 reject
申請 request application apply
締め切り deadline
有効期限 expiry expire expiration ttl
期間 period range duration
曜日 weekday day
祝日 holiday
休日 holiday
営業日 business day holiday
日時 datetime date timestamp
時間帯 timezone zone hour
タイムゾーン timezone zone
年齢 age
生年月日 birthday birth
性別 gender
部署 department division
社員 employee staff
従業員 employee staff
担当 assignee owner
組織 organization organisation org
学校 school
生徒 student
患者 patient
病院 hospital clinic
宿泊 stay lodging booking
座席 seat
路線 route line
車両 vehicle car
荷物 package parcel
地域 region area
言語 language locale lang
多言語 i18n locale
文言 text label locale message
誤字 typo
文字化け encoding charset garbled mojibake
文字コード encoding charset
改行 newline break
空白 whitespace blank space
空文字 empty blank
全角 fullwidth zenkaku normalize
半角 halfwidth hankaku normalize
ひらがな hiragana kana
カタカナ katakana kana
漢字 kanji
単語 word
文章 sentence text
本文 body content
件名 subject title
題名 title
タイトル title
要約 summary
備考 note remark
複製 duplicate copy clone
挿入 insert
移動 move
並べ替え sort order reorder
並び替え sort order reorder
並び順 sort order
昇順 asc sort
降順 desc sort
絞り込 filter
絞込 filter
範囲 range
上限 limit max maximum
下限 min minimum limit
制限 limit restrict quota
超過 exceed over limit
順番 order sequence
順位 rank ranking
選択 select selection
入力補完 autocomplete suggest
候補 suggest candidate
補完 complete completion
警告 warning warn alert
例外 exception
異常 abnormal error
再起動 restart reboot
起動 start startup boot launch
中断 abort interrupt
再開 resume
再生 play playback player
録音 record recording
音声 audio voice sound
音量 volume
動画 video movie
写真 photo picture image
画質 quality
解像度 resolution
縮小 shrink resize thumbnail
拡大 zoom enlarge scale
回転 rotate rotation
切り抜き crop
サムネイル thumbnail thumb
プレビュー preview
スクロール scroll
タップ tap touch
ドラッグ drag
ホバー hover
フォーカス focus
キーボード keyboard key
ショートカット shortcut
メニュー menu
タブ tab
ツールチップ tooltip
バナー banner
カード card
画面遷移 navigation route
リダイレクト redirect
認証情報 credential
秘密鍵 secret private key
証明書 certificate cert tls
二段階 otp mfa
多要素 mfa otp
招待 invite invitation
共有 share sharing
投稿 post
返信 reply
引用 quote
匿名 anonymous anonymize
友達 friend
フォロー follow
いいね like
通報 report abuse
ブロック block
既読 read unread
未読 unread
掲示板 board forum
広告 ad ads advert
売り切れ soldout stock
配信 deliver delivery distribute stream
購読 subscribe subscription
読み込み load loading
読込 load loading
書き込み write
書込 write
出力 output export
取込 import importer
取り込 import importer
変換 convert conversion transform
解析 parse parser analyze
計算 calc calculate compute
換算 convert rate
比較 compare diff
差分 diff delta
同期 sync synchronize
非同期 async
排他 lock mutex exclusive
競合 conflict race
並列 parallel concurrent
並行 concurrent parallel
デッドロック deadlock lock
トランザクション transaction
ロールバック rollback
バックアップ backup
復元 restore
復旧 recover restore
移行 migrate migration
初期化 init initialize reset
初期値 default initial
再設定 reset
リセット reset
接続数 connection pool
切断 disconnect close
負荷 load
遅延 delay latency lag
定期 cron schedule periodic
毎日 daily
毎週 weekly
毎月 monthly
日次 daily
週次 weekly
月次 monthly
統計 stats statistics
分析 analytics analysis analyze
指標 metric metrics
計測 measure metrics
監査 audit
証跡 audit trail
請求書 invoice
領収書 receipt
明細 detail item line statement
伝票 slip voucher
帳簿 ledger book
仕訳 journal entry
口座 account bank
振込 transfer bank
残高 balance
手数料 fee commission
ポイント point points
特典 benefit reward
抽選 lottery draw
アンケート survey questionnaire
回答 answer response
質問 question
選択肢 option choice
採点 score grade
成績 grade score
試験 exam test
天気 weather
気温 temperature
距離 distance
経路 route path
座標 coordinate coord
緯度 latitude lat
経度 longitude lng
現在地 location geolocation
端末 device terminal
機種 device model
通信 network communication
電池 battery
充電 charge battery
音楽 music
本棚 shelf book
書籍 book
著者 author
図書 book library
レシピ recipe
材料 ingredient
献立 menu meal
ゲーム game
得点 score
対戦 match battle
ログ出力 log logger
ヘルスチェック health healthz
エンドポイント endpoint route
パラメータ param parameter
引数 argument arg
戻り値 return
環境変数 env environment
フラグ flag
オプション option
コマンド command cli
プラグイン plugin
プロキシ proxy
ドメイン domain
ホスト host
ポート port
コンテナ container docker
イメージ image
クラスタ cluster
ノード node
リージョン region
バケット bucket s3
ストレージ storage
ディスク disk
ボリューム volume
ワーカー worker
イベント event
ハンドラ handler
コールバック callback
フック hook
シグナル signal
ストリーム stream
バッファ buffer
パケット packet
ソケット socket websocket
ハッシュ hash
チェックサム checksum hash
ランダム random rand
乱数 random rand seed
正規表現 regex regexp
カラム column
主キー primary key
外部キー foreign key
クエリ query
接頭辞 prefix
接尾辞 suffix
拡張子 extension ext
解凍 decompress unzip extract
ヘルプ help
使い方 usage
手順 guide steps
変更履歴 changelog
お知らせ news notice announcement
お気に入り favorite favourite bookmark
ブックマーク bookmark
ゴミ箱 trash
ごみ箱 trash
フォルダ folder directory
ディレクトリ directory dir
タスク task todo
メモ memo note
ラベル label
ステータス status state
進捗 progress
グループ group
チーム team
ロール role
プラン plan
サブスク subscription
トライアル trial
マイナス minus negative
プラス plus positive
ゼロ zero
小数 decimal fraction
整数 integer int
配列 array
文字列 string
文字数 length count
長さ length
スマホ mobile phone responsive
モバイル mobile
レスポンシブ responsive
ブラウザ browser
アクセシビリティ a11y aria accessibility
読み上げ aria screenreader
印刷用 print
フォント font
余白 margin padding spacing
高さ height
表示名 display name";
