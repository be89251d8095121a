//! Lists of words with a special effect when two sentences are compared: abbreviations, units,
//! negations, restrictions and opposites. All other words are only compared.

/// Common abbreviations and numerals, each followed by its normal form.
pub(super) const READ_AS: &str = "\
    db database, データベース database, k8s kubernetes, js javascript, ts typescript, \
    msg message, btn button, img image, cmd command, ctx context, pkg package, pwd password, \
    req request, src source, err error, fn function, os system, postgresql postgres, \
    licence license, mail email, tsc typescript, py python, cfg config, tmp temporary, \
    tx transaction, txn transaction, pg postgres, psql postgres, passwd password, svc service, \
    ns namespace, fs filesystem, gh github, ram memory, \
    num number, mgmt management, tz timezone, conf config, regexp regex, params parameter, \
    mins minute, secs second, hrs hour, i18n internationalization, l10n localization, \
    a11y accessibility, folder directory, prs pr, mr pr, \
    zero 0, one 1, two 2, twice 2, three 3, four 4, five 5, six 6, seven 7, eight 8, \
    nine 9, ten 10, twelve 12, twenty 20, thirty 30, sixty 60, hundred 100";

/// Units. A different unit means a different fact.
pub(super) const UNITS: &str = "\
    millisecond second minute hour day week month year byte kb mb gb tb kib mib gib percent";

/// Abbreviations of units after a number, each with the unit's normal form.
pub(super) const SHORT_UNITS: &[(&str, &str)] = &[
    ("ms", "millisecond"),
    ("s", "second"),
    ("sec", "second"),
    ("m", "minute"),
    ("min", "minute"),
    ("h", "hour"),
    ("d", "day"),
    ("%", "percent"),
];

/// Words that negate a statement and the words after them.
pub(super) const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "cannot",
    "nothing",
    "nobody",
    "nowhere",
    "none",
    "neither",
    "nor",
    "avoid",
    "non",
    "forbidden",
    "prohibited",
];
/// Words that say that something is absent.
pub(super) const LACKS: &[&str] = &["without", "unless", "instead", "otherwise"];
/// Words of forbidding or failing. They negate without `not`.
pub(super) const DENIALS: &str = "\
    ignore skip forbid prohibit refuse reject fail prevent disable lose drop omit exclude miss \
    unable deny block stop lack remove delete strip break";
/// Negations in Japanese. Searched in the unparsed text, because inflection hides them.
pub(super) const JAPANESE_NEGATIONS: &[&str] =
    &["ない", "ません", "ではなく", "せず", "ずに", "わず", "なし", "禁止", "避け"];
/// Japanese negations of the verb or noun before them.
pub(super) const JAPANESE_DENIALS: &[&str] = &["ない", "ません", "ではなく"];
/// Japanese endings that mean absence.
pub(super) const JAPANESE_LACKS: &[&str] = &["せず", "ずに", "わず", "なければ", "ないと"];
/// Japanese phrases that express a duty. The negations in them don't count.
pub(super) const JAPANESE_DUTIES: &[&str] = &["なければ", "ないと", "ない限り", "必要がない"];

/// Words that begin a restriction of the sentence.
pub(super) const LIMITS: &[&str] = &[
    "only", "but", "except", "however", "although", "unless", "until", "since", "earlier", "later",
];
/// Japanese words of restriction.
pub(super) const JAPANESE_LIMITS: &[&str] = &["だけ", "のみ", "以外", "ただし", "しかし"];

/// Words that say that one thing comes first.
pub(super) const FIRST: &[&str] = &["first", "beforehand"];
/// Words that name an order or an occasion.
pub(super) const OCCASIONS: &[&str] =
    &["before", "after", "until", "once", "prior", "then", "when", "whenever", "if", "while"];

/// Prefixes that turn a word into its opposite.
pub(super) const REVERSING: &[&str] = &["un", "in", "im", "ir", "dis", "de", "non"];

/// Pairs of opposite words that don't differ by a prefix only.
pub(super) const OPPOSITES: &str = "\
    enable disable, increase decrease, raise lower, least most, first last, maximum minimum, \
    max min, honor ignore, include exclude, allow block, allow forbid, include omit, keep delete, \
    keep change, leave change, only except, fail ignore, stop continue, run skip, run stop, send skip, apply skip, \
    set clear, start stop, start finish, open close, read write, upload download, import export, \
    importer exporter, encode decode, pass fail, succeed fail, work fail, fast slow, old new, \
    public private, internal external, local remote, push pull, add remove, add delete, \
    create delete, hard soft, liveness readiness, inside outside, ascending descending, \
    asc desc, online offline, optional mandatory, optional required, staging production, \
    development production, staging development, linux macos, linux windows, macos windows, \
    request response, client server, input output, parent child, upgrade downgrade, \
    sync async, lazy eager, strict lenient, stateless stateful, top bottom, upper lower, \
    row column, manual automatic, serial parallel, unit integration, rebase merge, \
    lowercase uppercase, inner outer, left right, positive negative, send receive, show hide, \
    debug release, tab space, cold warm, cold hot, acquire release, primary replica, \
    leader follower, producer consumer, frontend backend, net gross, split join, hourly daily, \
    daily weekly, even odd, empty full, early late, sorted unsorted, \
    stable flaky, shallow deep, authentication authorization, get post, \
    stdout stderr, http https, \
    有効 無効, 論理 物理, 追加 削除, 作成 削除, 開始 終了, 許可 禁止, 必須 任意, 本番 開発, 成功 失敗, \
    昇順 降順, 入力 出力, 最大 最小, 送信 受信, 手動 自動";
