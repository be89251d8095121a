//! Forms of words that no rule gives, and phrases that stand for a word.

/// Forms and their verbs.
pub(super) const IRREGULAR: &str = "\
    written write, wrote write, built build, broken break, broke break, taken take, \
    chosen choose, chose choose, thrown throw, threw throw, held hold, kept keep, sent send, \
    lost lose, found find, hung hang, frozen freeze, froze freeze, hidden hide, \
    forgotten forget, forgot forget, given give, gave give, shown show, seen see, began begin, \
    begun begin, grew grow, grown grow, drawn draw, known know, meant mean, spent spend, \
    came come, caught catch, brought bring, told tell, paid pay, made make, stood stand, \
    spoken speak, stuck stick, led lead, dealt deal, slept sleep, ran run, fallen fall, \
    fell fall, driven drive, ridden ride, bound bind, fed feed, won win";

/// Words whose last letters are no ending.
pub(super) const WHOLE: &str = "\
    access aws css dns express https ios jenkins locale news postgres process rails redis \
    staging windows wss";

/// Phrases and what is read for them; nothing for mere filling.
pub(super) const PHRASES: &[(&str, &str)] = &[
    ("not documented anywhere", ""),
    ("not documented", ""),
    ("not obvious", ""),
    ("not mentioned", ""),
    ("not clear", ""),
    ("not well known", ""),
    ("not described", ""),
    ("not intuitive", ""),
    ("for no apparent reason", ""),
    ("for no obvious reason", ""),
    ("for no good reason", ""),
    ("for no reason", ""),
    ("no idea why", ""),
    ("not sure why", ""),
    ("cannot stress enough", ""),
    ("can't stress enough", ""),
    ("no more than", "at most"),
    ("not more than", "at most"),
    ("no less than", "at least"),
    ("no fewer than", "at least"),
    ("not less than", "at least"),
    ("not fewer than", "at least"),
    ("no later than", "before"),
    ("used to", "formerly"),
    ("is supposed to", "supposedly"),
    ("never forget to", ""),
    ("don't forget to", ""),
    ("do not forget to", ""),
    ("no matter what", ""),
    ("no matter how", ""),
    ("no matter which", ""),
    ("no matter where", ""),
    ("without exception", "always"),
    ("without fail", "always"),
    ("not only", ""),
    ("not just", ""),
    ("nothing but", "only"),
    ("no doubt", ""),
    ("make sure that", ""),
    ("get rid of", "delete"),
    ("gets rid of", "delete"),
    ("show up", "appear"),
    ("shows up", "appear"),
    ("take place", "happen"),
    ("takes place", "happen"),
    ("make use of", "use"),
    ("in order to", "to"),
    ("a lot of", "many"),
    ("on the fly", "onthefly"),
    ("on-the-fly", "onthefly"),
    ("pull request", "pr"),
    ("merge request", "pr"),
    ("end to end", "e2e"),
    ("user interface", "ui"),
    ("operating system", "os"),
    ("file system", "filesystem"),
    ("continuous integration", "ci"),
    ("github actions", "gha"),
    ("by hand", "manually"),
    ("at once", "immediately"),
    ("no longer", "not"),
    ("as well as", "and"),
    ("upper case", "uppercase"),
    ("lower case", "lowercase"),
    ("single sign on", "sso"),
    ("command line", "cli"),
    ("every night", "nightly"),
    ("each night", "nightly"),
    ("every day", "daily"),
    ("every hour", "hourly"),
    ("in parallel", "parallel"),
    ("time zone", "timezone"),
    ("in front of", "before"),
    ("prior to", "before"),
    ("ahead of", "before"),
    ("such that", "so that"),
];
