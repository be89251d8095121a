//! Words that mean the same, the opposite, or nothing, in what people write about code.

/// They say nothing of what a sentence is about.
pub(crate) const SILENT: &str = "\
    a an the this that these those it its itself they them their there here our we us you your i \
    my is are was were be been being am do does did done has have had having can could may might \
    must shall should will would need ought of in on at to for from by with into onto upon as \
    per about via within inside under among and or so then than thus hence therefore because \
    since due if when whenever while where once until whether which who whom whose what how why \
    also too well just even still already yet very really quite simply actually always generally \
    usually often typically every each all any both some such same other another careful note \
    important remember sure ensure please make certain unfortunately correctly properly \
    currently current again anyway going thing way part able one single else up out off down \
    back explicit explicitly only before after over between longer otherwise against through \
    across during around along plus etc e.g i.e ie eg far want seem like much more few lot bit \
    however though altogether exactly particular particularly especially let possible whatever \
    whichever who's that's it's there's we're you're i'm ours okay ok good useful recommended \
    advisable best worth supposed expected meant";

/// They carry little: whoever exchanges one for another may still say the same.
pub(crate) const WEAK: &str = "\
    use set run call add change take work put go keep come live give find see look try leave \
    hold stay remain write create issue apply happen mean cause lead result depend help include \
    contain provide offer twice automatically better level new existing real own ready actual \
    whole entire full correct mention tell say state describe explain express case require \
    necessary next beside near alongside wrong bad easy easily hard difficult simple quickly \
    slow slowly fast handle treat deal manage process perform execute carry accomplish achieve \
    reach become turn switch move bring place stand sit belong refer show present appear occur \
    begin start stop end finish continue proceed follow stick obey respect honour check verify \
    confirm inspect examine watch notice observe detect recognise identify allow permit enable \
    let prevent avoid forbid prohibit block refuse reject deny build produce generate make \
    construct compose assemble prepare fix repair solve resolve improve enhance adjust adapt \
    modify alter edit update revise choose pick select prefer decide opt favour wait sleep pause \
    hang stall stuck freeze return yield answer respond reply deliver emit raise throw extra \
    additional further separate different various specific special certain common usual normal \
    regular approximately roughly about nearly almost exactly directly indirectly silently \
    quietly secretly implicitly always never sometimes rarely frequently repeatedly consistently \
    now later soon immediately eventually finally afterwards beforehand meanwhile together apart \
    alone instead rather merely solely purely accommodate acknowledge act adopt aim announce \
    assume attach await bear behave believe bind break capture catch caught cease claim clean \
    collect combine compete compile complain consider consist consult consume contribute convert \
    cope copy cover crash cut declare decline define defer delay delete demand derive deserve \
    destroy determine differ discard distinguish distribute double draw drop empty encounter \
    encourage enforce enter equal escape establish evaluate exceed exclude exist expand expect \
    experience expose extend extract fail fall fetch fill fire fit flush force forget forward \
    gain gather grab grow guarantee guard hide hit ignore implement imply indicate inform \
    inherit initialise inject insert install introduce involve isolate join judge jump kill know \
    land last launch learn leak lift limit listen load locate lock lose maintain mark match \
    matter measure merge mind miss monitor need note obtain omit open override overwrite pass \
    pay persist populate preserve promise propagate propose protect prove pull purge push \
    qualify quit react realise receive recommend recover redirect reduce regard register relate \
    rely remember remind remove rename render repeat replace represent reset restore restrict \
    resume retain retry reuse reveal save search send serve share shut skip sort spawn speak \
    specify spend split spread store strip suffer suggest supply support suppose suppress \
    survive swallow swap teach tend terminate tie toggle touch track transfer transform trigger \
    trim trust understand undo unify upgrade vary visit wake warn waste wear win wipe wonder \
    wrap wrapped able aware clear consistent convenient crucial dangerous efficient essential \
    exact expensive fine free harmful helpful high huge identical impossible independent \
    inefficient invalid large legal likely long low main mandatory minor nice obvious odd old \
    original poor possible proper quick reasonable relevant reliable right risky rough safe same \
    short silent similar small strange strict strong subtle sufficient suitable tiny total \
    tricky true typical ugly unable unclear unexpected unlikely unnecessary unsafe unusual valid \
    visible weak weird wide";

/// Of these, the ones that carry nothing but a sentence.
pub(super) const LIGHT: &str = "\
    use set come take put go give run work keep need get make";

/// Groups of words that may stand for one another; a word may be in several.
pub(super) const SYNONYMS: &str = "\
    database db, environment env, variable var, config configuration configure cfg settings, \
    application app program, directory dir folder, production prod, development dev, \
    repository repo, documentation docs doc document, typescript tsc ts, javascript js, \
    python py, message msg, parameter param argument arg, function func fn method routine, \
    administrator admin, authentication auth authn authenticate login, \
    authorization authz authorize, postgres postgresql pg psql, kubernetes k8s kube, \
    specification spec, temporary temp tmp, information info data, maximum max most, \
    minimum min least, certificate cert, reference ref, package pkg, image img picture, \
    password passwd pwd, synchronize sync synchronization, asynchronous async asynchronously, \
    statistics stats, dependency dependencies dep deps, license licence, initialize init, \
    index indices indexes, command cmd, connection conn, transaction tx txn, address addr, \
    infrastructure infra, execute exec run, version ver, credentials creds credential, \
    permission perm right, previous prev, pr mr, identifier id, request req, number num count, \
    symlink symbolic, internationalization i18n, localization l10n, operation op ops, \
    organization org, management mgmt, library lib, source src, destination dest dst target, \
    attribute attr, element elem, object obj, string str text, integer int, boolean bool, \
    utility util utils helper, millisecond ms msec millis, second sec, minute min mins, hour hr, \
    kilobyte kb, megabyte mb, gigabyte gb, terabyte tb, percent percentage, average avg mean, \
    character char, regex regexp, error err exception, context ctx, manager mgr, service svc, \
    expression expr, response resp res reply, length len size, position pos place, \
    filesystem fs, frontend fe, backend be, github gh, accessibility a11y, \
    implementation impl implement, option opt optional, approximately approx roughly about, \
    timezone tz, language lang, button btn, system sys, performance perf speed, staging stage, \
    preferences prefs, metric metrics, network net, directory path, quality qa, generator gen, \
    declaration decl, website site web, architecture arch, component cmp, continuous ci, \
    memory mem ram, processor cpu, analysis analyses, catalog catalogue, dialog dialogue modal, \
    color colour, behavior behaviour, center centre, gray grey, \
    create make made build built generate produce construct, compile build built, \
    write wrote written create make, skip ignore omit disregard overlook, \
    ignore disregard drop swallow, start boot launch begin began begun startup bootstrap, \
    check verify validate confirm assert inspect examine test ensure, \
    store save persist keep kept retain preserve hold held cache record, \
    keep kept stay remain survive, contain include hold held have comprise carry, \
    block stop prevent halt forbid forbidden forbade prohibit disallow refuse reject deny decline ban, \
    delete remove erase drop strip discard eliminate purge cut, \
    fail break broke broken crash die, crash panic die, \
    finish end complete terminate conclude stop, return answer respond reply yield give gave, \
    receive get got obtain, appear show shown visible, show shown display print render present, \
    print output write log emit, change modify alter edit update adjust amend revise touch, \
    update upgrade bump refresh renew, fetch retrieve obtain get got download load read pull, \
    access touch reach read, send sent publish dispatch emit transmit deliver push, \
    receive accept take took taken, throw threw thrown raise, use utilize utilise employ prefer, \
    choose chose chosen pick select opt, set assign define specify put, call invoke, \
    allow permit accept let enable, happen occur arise, restart reboot, copy clone duplicate, \
    hide hid hidden mask conceal, split divide separate, join merge combine unite, \
    find found locate detect discover notice spot, see saw seen find found, depend rely base, \
    regenerate rebuild rebuilt recreate, \
    overwrite overwrote overwritten override clobber replace, bypass circumvent evade, \
    clear flush reset wipe purge empty invalidate, retry reattempt repeat, \
    cancel abort interrupt, wait await, move relocate rename mv, run ran execute start, \
    take took taken need last, give gave given pass, lose lost loss drop, \
    hang hung stuck stall freeze froze frozen block, obey respect honor follow observe, \
    share shared reuse common, replace substitute swap exchange, register subscribe, \
    compare comparison, increase grow grew raise, limit restrict cap quota restriction maximum, \
    match equal correspond, differ mismatch, conflict clash collide collision, \
    around about approximately, convert transform translate turn, wrap enclose surround, \
    trigger fire cause start, listen bind, close closed shut, forget forgot forgotten miss, \
    recommend suggest advise, try attempt, sort order arrange, search lookup query look, \
    enable activate on, disable deactivate off, support handle, explain describe document, \
    require demand need, expire lapse expiry expiration, quote escape, truncate cut shorten, \
    suppress swallow hide, schedule plan, quit exit leave left, \
    deploy deployment rollout ship release, notify alert inform warn, \
    live locate reside sit lie belong stand, begin start, insert add append attach, \
    add append attach include, mark tag label flag annotate, approve accept confirm sign, \
    calculate compute, protect guard secure, pin lock fix freeze, revert undo rollback, \
    test check try, cause lead result make, avoid prevent, affect influence, derive generate, \
    apply use, apply happen, evaluate interpret process, process handle treat, \
    mutate modify change, shut stop, connect attach join, mention name state say, name call, \
    commit check, slow sluggish long slowly, fast quick rapid quickly, manual manually hand, \
    automatic automatically auto, \
    large big huge great larger bigger higher greater longer exceed, email mail, \
    determine decide lookup look, several multiple many, \
    small tiny little smaller lower shorter fewer, wrong incorrect invalid bad, \
    fix repair resolve correct solve, bug defect problem issue fault, issue ticket, \
    problem trouble issue, twice double two, flaky unstable intermittent nondeterministic, \
    deterministic reproducible stable, lock mutex, inactive idle, empty blank, \
    missing absent lacking, outdated stale obsolete old, old legacy former previous, new fresh, \
    mandatory compulsory, mock stub fake, trap pitfall gotcha, job task, endpoint route path, \
    teardown cleanup, choice selection, default fallback, nightly night, \
    parallel concurrent concurrently simultaneous simultaneously, \
    serial sequential sequentially, unique distinct, visible seen shown, \
    comment remark annotation, developer engineer programmer, amount quantity number, \
    column field, entry item record, step stage phase, machine host computer server, \
    shape layout, rule guideline policy, redundant superfluous unnecessary, enough sufficient, \
    local locally, global globally, recursive recursively, whole entire full complete, \
    expensive costly, final last, direct directly straight, pipeline workflow, \
    runner worker agent, page screen view, hit result match, file document, class type, \
    size length, date day, place location position spot, beside next near alongside, \
    inside within, identical same equal, different distinct other, \
    important crucial critical essential, usual normal ordinary standard, case situation, \
    dangerous unsafe risky, readable legible, hidden invisible, offline disconnected, \
    folder directory, signature sign, uppercase upper, lowercase lower";

/// Pairs that cannot both be said of one thing. The synonyms of each count as well.
pub(super) const OPPOSITES: &str = "\
    enable disable, increase decrease, raise lower, least most, first last, maximum minimum, \
    safe unsafe, honor ignore, include exclude, allow block, include omit, keep delete, \
    keep change, leave change, run skip, run stop, send skip, apply skip, set clear, start stop, \
    start finish, open close, read write, keep ignore, upload download, import export, \
    importer exporter, encode decode, pass fail, succeed fail, work fail, fast slow, old new, \
    public private, internal external, local remote, push pull, lock unlock, add delete, \
    create delete, hard soft, liveness readiness, inside outside, ascending descending, \
    asc desc, mutable immutable, online offline, optional mandatory, staging production, \
    development production, staging development, linux macos, linux windows, macos windows, \
    request response, client server, input output, parent child, upgrade downgrade, \
    ephemeral persistent, synchronous asynchronous, lazy eager, lazily eagerly, encrypt decrypt, \
    strict lenient, strict lax, stateless stateful, top bottom, upper lower, row column, \
    horizontal vertical, manual automatic, serial parallel, sensitive insensitive, \
    unit integration, rebase merge, lowercase uppercase, inner outer, left right, \
    positive negative, success fail, valid wrong, share separate, share own, share isolate, \
    send receive, show hide, debug release, tab space, cold warm, cold hot, acquire release, \
    take release, install uninstall, primary replica, leader follower, producer consumer, \
    frontend backend, fine deadlock, fine fail, fine wrong, connect disconnect, mount unmount, \
    store clear, expand collapse, grow shrink, split join, trusted untrusted, hourly daily, \
    daily weekly, hourly nightly, even odd, empty full, narrow wide, early late, \
    implicit explicit, immediately later, sorted unsorted, signed unsigned, typed untyped, \
    supported unsupported, stable flaky, shallow deep, ours theirs, author reviewer, \
    authentication authorization, get post, stdout stderr, stdin stdout, http https";

/// Directions: a sentence that has words of one side and one that has words of the other differ.
pub(super) const POLES: &str = "\
    over above exceed more larger bigger greater higher longer beyond / under below less fewer smaller lower shorter, \
    up / down, must need required requires mandatory / optional optionally, \
    same identical / different, first / last, inside within / outside, \
    one single once only / several multiple many, most / least, top / bottom, \
    always / sometimes rarely, early / late, all every each / none, hot warm / cold, \
    local locally / remote remotely";

/// They turn a statement round.
pub(super) const NEGATIONS: &str = "\
    not no never cannot nothing none neither nor without avoid unless instead rather non unable \
    impossible";

/// Words that hold a negation, and what they negate.
pub(super) const NEGATED: &str = "\
    invalid valid, inactive active, inactivity activity, incorrect correct, incomplete complete, \
    inconsistent consistent, insecure secure, insensitive sensitive, insensitively sensitive, \
    incompatible compatible, immutable mutable, irreversible reversible, nonempty empty, \
    illegal legal, disallowed allowed, unauthorized authorized, unavailable available, \
    uncached cached, unchanged changed, unclear clear, uncommitted committed, \
    unencrypted encrypted, unescaped escaped, unexpected expected, unhandled handled, \
    uninitialized initialized, unknown known, unlimited limited, unnecessary necessary, \
    unpublished published, unreachable reachable, unread read, unrelated related, \
    unreliable reliable, unsafe safe, unset set, unsigned signed, unsorted sorted, \
    unstable stable, unsupported supported, untested tested, untrusted trusted, untyped typed, \
    unused used, unvalidated validated";

/// They speak of harm, or of what does not happen, and so may stand for a negation.
pub(super) const HARM: &str = "\
    fail break broke broken crash deadlock leak wrong bug bypass ignore skip stop lose loss \
    corrupt panic refuse reject drop miss missing bad swallow hang leave keep block better \
    danger dangerous poison overwrite replace throw raise slow prevent forbid lack disable \
    exclude stuck stale orphan remain otherwise down";

/// They take back a part of what was said before.
pub(super) const CONTRASTS: &str = "\
    but except however although whereas unlike";

/// Another unit is another fact.
pub(super) const UNITS: &str = "\
    millisecond second minute hour day week month year byte kilobyte megabyte gigabyte terabyte \
    kib mib gib percent";

/// Numbers that people write out.
pub(super) const NUMERALS: &str = "\
    zero 0, two 2, three 3, four 4, five 5, six 6, seven 7, eight 8, nine 9, ten 10, twelve 12, \
    eleven 11, thirteen 13, fourteen 14, fifteen 15, sixteen 16, eighteen 18, thirty 30, \
    forty 40, fifty 50, sixty 60, ninety 90, million 1000000, twenty 20, hundred 100, \
    thousand 1000";

/// Words that say how many without being a number.
pub(super) const COUNTS: &str = "\
    once 1, one 1, single 1, twice 2, double 2, both 2, thrice 3, triple 3, none 0";
