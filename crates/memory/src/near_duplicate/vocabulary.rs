//! Words that mean the same, the opposite, or nothing, in what people write about code.

/// They say nothing of what a sentence is about.
pub(super) const SILENT: &str = "\
    a an the this that these those it its itself they them their there here our we us you your i my \
    is are was were be been being am do does did done has have had having can could may might must \
    shall should will would need require ought of in on at to for from by with into onto upon as per \
    about via within under among and or so then than thus hence therefore because since due if when \
    whenever while where once until whether which who whom whose what how why also too well just \
    even still already yet very really quite simply actually always generally usually often every \
    each all any both some such own same other another careful note important remember sure ensure \
    please make certain strictly unfortunately correctly properly currently current default again \
    anyway get got going thing way time case part able one single else up out off down back explicit \
    explicitly only before after over between longer";

/// They carry little: whoever exchanges one for another may still say the same.
pub(super) const WEAK: &str = "\
    use set run call add change take work put go keep come live let give find see look try want \
    prefer write create issue apply happen mean cause lead result depend help include contain twice \
    immediately automatically better level new existing real whole entire full correct mention tell \
    say file name";

/// Groups of words that stand for one another; the first names its group.
pub(super) const SYNONYMS: &str = "\
    database db, environment env, variable var, config configuration configure cfg, application app, \
    directory dir folder, production prod, development dev, repository repo, documentation docs doc, \
    typescript tsc, message msg, parameter param argument arg, function func fn, \
    administrator admin, authentication auth authn, postgres postgresql, kubernetes k8s, \
    specification spec, temporary temp tmp, information info, maximum max, minimum min, \
    certificate cert, reference ref, package pkg, image img, password passwd, \
    synchronize sync synchronise, asynchronous async, statistics stats, \
    dependency dependencies dep deps, license licence, color colour, initialize initialise init, \
    index indices indexes, command cmd, connection conn, transaction tx txn, address addr, \
    infrastructure infra, execute exec, version ver, credentials creds, permission perm, \
    previous prev, create make made build built generate produce construct, \
    skip ignore omit disregard, start boot launch begin startup, \
    check verify validate confirm assert, store save persist keep kept, \
    block stop prevent halt forbid prohibit disallow refuse reject, \
    delete remove erase drop strip discard, fail break broke broken crash die abort, \
    slow sluggish long, fast quick rapid, manual manually hand, return answer respond come, \
    show display print render, change modify alter edit update adjust, \
    fetch retrieve read load obtain, send sent publish dispatch emit, large big huge, \
    small tiny little, wrong incorrect invalid, fix repair resolve, bug defect, \
    error exception failure, use utilize employ prefer choose, set assign define specify, \
    call invoke, allow permit let, finish end complete terminate, happen occur, twice double two, \
    automatic automatically auto, expire lapse, restart reload reboot, trap pitfall gotcha, \
    job task, empty blank, missing absent, outdated stale obsolete, copy clone, hide mask conceal, \
    split divide separate, join merge combine, sequence order, find locate detect discover, \
    flaky unstable intermittent, deterministic reproducible, depend rely, lock mutex, \
    regenerate rebuild rebuilt recreate, overwrite override clobber, inactive idle, \
    bypass circumvent, share common, clear flush reset wipe, mandatory compulsory, mock stub fake, \
    pr mr, log logging, quota limit, speed performance, duplicate repeat, retry reattempt, \
    request req, number num, fork forked, serialize serialise, normalize normalise, \
    optimize optimise, behavior behaviour, center centre, honor honour respect, timeout timed, \
    symbolic_link symlink, endpoint route, teardown cleanup, identifier id, javascript js, python py";

/// Pairs that cannot both be said of one thing.
pub(super) const OPPOSITES: &str = "\
    enable disable, increase decrease, raise lower, least most, first last, maximum minimum, \
    safe unsafe, honour ignore, include exclude, allow block, keep delete, start stop, start finish, \
    open close, read write, upload download, import export, importer exporter, encode decode, \
    pass fail, succeed fail, fast slow, old new, public private, internal external, local remote, \
    push pull, lock unlock, add delete, hard soft, liveness readiness, inside outside, \
    ascending descending, asc desc, mutable immutable, online offline, staging production, \
    development production, staging development, linux macos, linux windows, macos windows, \
    request response, client server, input output, parent child, upgrade downgrade, \
    ephemeral persistent, synchronize asynchronous, lazy eager, encrypt decrypt, strict lenient, \
    stateless stateful, top bottom, row column, horizontal vertical, manual automatic, \
    sequential parallel, unit integration, rebase merge, lower upper, lowercase uppercase, \
    inner outer, success fail, valid invalid, share separate, share isolate, debug release, \
    tab space, cold warm, primary replica, leader follower, producer consumer, frontend backend, \
    fine deadlock, fine fail, 有効 無効, 論理 物理, 前 後, 追加 削除, 開始 終了, 許可 禁止, 必須 任意, 本番 開発, 本番 検証, 成功 失敗, \
    増 減, 昇順 降順, 読 書, 入力 出力, 内部 外部, 最大 最小, 最初 最後, 安全 危険, 送信 受信, 圧縮 展開, 同期 非同";

/// They turn a statement round.
pub(super) const NEGATIONS: &str = "\
    not no never cannot nothing none neither nor without avoid unless instead rather non";

/// They speak of harm, or of what does not happen, and so may stand for a negation.
pub(super) const HARM: &str = "\
    fail break crash deadlock leak wrong bug bypass ignore skip stop lose loss corrupt panic down \
    refuse drop miss bad swallow hang leave keep block better danger dangerous poison overwrite \
    replace";

/// They take back a part of what was said before.
pub(super) const CONTRASTS: &str = "\
    but except however although whereas unlike";

/// Another unit is another fact.
pub(super) const UNITS: &str = "\
    ms millisecond second sec minute min hour day week month year byte kb mb gb tb kib mib gib \
    percent";

/// Numbers that people write out.
pub(super) const NUMERALS: &str = "\
    two 2, three 3, four 4, five 5, six 6, seven 7, eight 8, nine 9, ten 10, twelve 12, twenty 20, \
    hundred 100, thousand 1000";

/// Katakana and what they are loaned from, without long vowels at the end.
pub(super) const LOAN_WORDS: &str = "\
    データベース database, サーバ server, テスト test, ユーザ user, キャッシュ cache, ログ log, ファイル file, \
    ディレクトリ directory, フォルダ directory, リポジトリ repository, コマンド command, ブランチ branch, コミット commit, \
    ビルド build, デプロイ deploy, トークン token, インデックス index, テーブル table, モック mock, エラ error, バグ bug";

/// Phrases of duty that hold a negation without meaning one.
pub(super) const JAPANESE_DUTIES: &[&str] =
    &["なければならない", "ないといけない", "なければいけない", "必要がある", "ざるを得ない"];

/// As [`NEGATIONS`].
pub(super) const JAPANESE_NEGATIONS: &[&str] =
    &["いけない", "ない", "ません", "せず", "ずに", "なし", "禁止", "避け", "代わり"];

/// As [`HARM`].
pub(super) const JAPANESE_HARM: &[&str] = &["失敗", "壊", "落ち", "エラー", "無視", "漏"];

/// As [`CONTRASTS`].
pub(super) const JAPANESE_CONTRASTS: &[&str] = &["以外", "ただし", "しかし"];

/// As [`SILENT`].
pub(super) const JAPANESE_SILENT: &[&str] =
    &["必要", "時", "用", "事", "際", "必", "方", "的", "化"];

/// As [`WEAK`].
pub(super) const JAPANESE_WEAK: &[&str] = &["実行", "設定", "利用", "場合", "環境", "適用"];

/// Verbs of two characters that stand for one of one.
pub(super) const JAPANESE_USE: &[&str] = &["使用", "利用"];
