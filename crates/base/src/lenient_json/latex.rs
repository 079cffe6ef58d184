//! The LaTeX commands whose first letter makes a JSON escape of their backslash.

/// The longest name of a command, in bytes.
pub(super) const LONGEST: usize = 24;

/// Commands that begin with `n`, `r` or `t`, sorted.
#[rustfmt::skip]
const COMMANDS: [&str; 161] = [
    "nLeftarrow", "nLeftrightarrow", "nRightarrow", "nVDash", "nVdash", "nabla", "natural", "ncong", "ne", "nearrow",
    "neg", "neq", "newcommand", "newcounter", "newenvironment", "newfontfamily", "newlength", "newline", "newpage",
    "newtheorem", "nexists", "ngeq", "ngeqq", "ngeqslant", "ngtr", "ni", "nicefrac", "nleftarrow", "nleftrightarrow",
    "nleq", "nleqq", "nleqslant", "nless", "nmid", "nobreak", "nobreakspace", "noindent", "nolimits", "nolinebreak",
    "nonumber", "nopagebreak", "norm", "normalfont", "normalsize", "not", "notag", "notin", "nparallel", "nprec",
    "npreceq", "nrightarrow", "nshortmid", "nshortparallel", "nsim", "nsubseteq", "nsucc", "nsucceq", "nsupseteq",
    "ntriangleleft", "ntrianglelefteq", "ntriangleright", "ntrianglerighteq", "nu", "numberwithin", "nvDash",
    "nvdash", "nwarrow", "rVert", "raggedleft", "raggedright", "raise", "raisebox", "rangle", "rbrace", "rbrack",
    "rceil", "ref", "reflectbox", "relax", "renewcommand", "renewenvironment", "restriction", "rfloor", "rgroup",
    "rhd", "rho", "right", "rightarrow", "rightarrowtail", "rightharpoondown", "rightharpoonup", "rightleftarrows",
    "rightleftharpoons", "rightline", "rightrightarrows", "rightsquigarrow", "rightthreetimes", "risingdotseq",
    "rlap", "rm", "rmfamily", "rmoustache", "root", "rotatebox", "rtimes", "rule", "rvert", "tableofcontents",
    "tabular", "tag", "tan", "tanh", "tau", "tbinom", "text", "textasciitilde", "textbackslash", "textbf",
    "textcircled", "textcolor", "textit", "textmd", "textnormal", "textrm", "textsc", "textsf", "textsl", "textstyle",
    "textsubscript", "textsuperscript", "texttt", "textup", "textwidth", "tfrac", "thanks", "therefore", "theta",
    "thickapprox", "thicksim", "thickspace", "thinspace", "thispagestyle", "tilde", "times", "tiny", "title",
    "titlepage", "to", "today", "top", "triangle", "triangledown", "triangleleft", "trianglelefteq", "triangleq",
    "triangleright", "trianglerighteq", "tt", "ttfamily", "twoheadleftarrow", "twoheadrightarrow",
];

/// Returns whether this is the name of a command that begins with `n`, `r` or `t`.
pub(super) fn is_command(name: &str) -> bool {
    COMMANDS.binary_search(&name).is_ok()
}

/// Returns whether a line that begins with the rest of this name is as likely as the command: `\nu` may be a line break
/// and a variable.
pub(super) fn is_short(name: &str) -> bool {
    name.len() == 2
}

/// Returns whether this is the name of a command, and no word after a tab or a carriage return: `\theta`, not `\tan`.
pub(super) fn is_unmistakable(name: &str) -> bool {
    is_command(name) && (name.starts_with('r') || name.starts_with('t') && name.len() >= 5)
}
