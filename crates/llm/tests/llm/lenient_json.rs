//! JSON with the escapes that models forget. A text is known, and written as models write it: the reader has to find
//! the text again.

use crate::random::Random;
use copydesk_base::lenient_json::{Mender, ReadError, read};
use serde_json::{Value, json};

/// A text in JSON as it should be.
fn careful(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A text in JSON with single backslashes.
fn careless(text: &str) -> String {
    careful(text).replace("\\\\", "\\")
}

/// Reads a JSON text whole and split, byte by byte and at random.
fn reads(json: &str, random: &mut Random) -> Result<Value, String> {
    let whole = read(json);
    for longest in [1, 7, 60] {
        let (mut mender, mut end) = (Mender::default(), 0);
        for piece in random.split(json.as_bytes(), longest) {
            end += piece.len();
            if json.is_char_boundary(end) {
                let before = mender.text().to_owned();
                mender.read(&json[..end], false);
                assert!(mender.text().starts_with(&before));
            }
        }
        mender.read(json, true);
        let split = (serde_json::from_str::<Value>(mender.text()).ok(), mender.ambiguous().is_some());
        let expected = (whole.as_ref().ok().cloned(), matches!(whole, Err(ReadError::Ambiguous(_))));
        assert_eq!((split.0.filter(|_| !split.1), split.1), expected, "split\n{json}");
    }
    whole.map_err(|error| match error {
        ReadError::Ambiguous(escape) => escape,
        ReadError::Json(error) => panic!("{error}\n{json}"),
    })
}

/// The LaTeX commands of the report whose first letters are JSON escapes.
const COMMANDS: [&str; 16] = [
    "\\frac", "\\forall", "\\beta", "\\bar", "\\binom", "\\nu", "\\nabla", "\\neq", "\\rho", "\\right", "\\rangle",
    "\\theta", "\\times", "\\text", "\\tan", "\\to",
];

/// Texts that are found again from single backslashes.
const WITH_BACKSLASHES: [&str; 25] = [
    r"Half is $\frac{1}{2}$, angle $\theta$, rate $\nu$.",
    r"$$\nabla \cdot \mathbf{E} = \frac{\rho}{\varepsilon_0}$$",
    "$$\n\\nabla f = \\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}\n$$",
    r"Then \(\tau \neq \nu\) and \[\sum_{n=1}^\infty \frac{1}{n^2}\]",
    r"$\alpha$, $\sqrt{2}$, $\left(\frac{a}{b}\right)$ and $x\to\infty$",
    r"若 $\nu$ 很大，则 $\theta\to 0$。",
    r"a 3$\times$3 kernel and 2$\neq$3",
    r"$\upsilon$ and $\underline{x}$ are no Unicode escapes",
    r"\textbf{Bold} and \newcommand{\half}{\frac12} and \ref{fig}",
    "\\begin{document}\n\\section{Tea}\n\\textit{Leaf}\n\\noindent{}\n\\end{document}",
    r"C:\new\files\book",
    r"Save it as C:\temp\files\report.docx, not on D:\backup\notes.",
    r"C:\Users\nora\tea.txt",
    r"c:\files\new\table",
    r"\bword\b",
    r"^\d+\s\w\.\bfoo\b$",
    r"costs \$5 and \*not\* 6",
    r"a \[link\] and \_this\_ in Markdown",
    "Price: $5\nunder the table: $6",
    "| Tea | $5 |\n| --- | --- |\n| nu | $6 |",
    "Tea\t$5\ntan\t$6\nto go\t$7",
    "```sh\nx=$HOME\nu=$USER\n```",
    "if x:\n\treturn `$a\to$b`",
    "Q:\nwhat is tea?\nA:\na leaf",
    "Save it on C:\nThen go on.",
];

/// Texts without a backslash that could be one, which say the same carefully and carelessly written.
const ORDINARY: [&str; 11] = [
    "Line one\nnew line\ntitle line\r\nreturn\tnow\r",
    "It costs $5\nunder $10\nnow, or $3\tto you",
    "| a | b |\n|---|---|\n| n | $t$ |",
    "for i in range(3):\n\tprint(i)\n\treturn",
    "export A=$HOME\nexport B=$A\nnu=$B\ntext=$C",
    "- $1\n- $2\n- not $3\n- to $4",
    "a = b\nne = c\nto = d",
    "Merhaba\nabla nasılsın",
    "$$\nx = 1\ny = 2\n$$\nbut then\nnot",
    "Tea \u{1F375}\n茶\t$x$\u{0}",
    "US$5\nequal to US$6\nnu",
];

#[test]
fn commands_of_latex_keep_their_backslash_in_formulas() {
    let mut random = Random::new();
    for command in COMMANDS {
        for text in [
            format!("${command}$"),
            format!("A ${command} x$ and a line\nnew"),
            format!("$$a{command}{{b}} = \\frac{{1}}{{2}}$$"),
            format!("价格 $5，速率 ${command}$。"),
        ] {
            assert_eq!(reads(&careless(&text), &mut random), Ok(json!(text)), "{text}");
            assert_eq!(reads(&careful(&text), &mut random), Ok(json!(text)), "{text}");
        }
    }
}

#[test]
fn text_is_found_again_however_its_backslashes_are_written() {
    let mut random = Random::new();
    for text in WITH_BACKSLASHES.into_iter().chain(ORDINARY) {
        assert_eq!(reads(&careful(text), &mut random), Ok(json!(text)), "careful: {text}");
        assert_eq!(reads(&careless(text), &mut random), Ok(json!(text)), "careless: {text}");
    }
}

#[test]
fn random_documents_are_found_again() {
    let mut random = Random::new();
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..1 + random.below(8) {
            text += random.pick::<&str>(&WITH_BACKSLASHES[..10]);
            // Paragraphs are apart: a dollar that nothing closes ends with its line.
            text += random.pick::<&str>(&["\n\n", "\n", "\r\n", "\n- "]);
            text += random.pick::<&str>(&ORDINARY);
            text += "\n\n";
        }
        assert_eq!(reads(&careful(&text), &mut random), Ok(json!(text)), "careful");
        let members = json!({ "edits": [{ "start_line": 1, "content": text }], "old": "\\" });
        let raw = serde_json::to_string(&members).unwrap();
        assert_eq!(reads(&raw, &mut random), Ok(members));
    }
}

#[test]
fn valid_json_without_dollars_and_paths_is_unchanged() {
    let mut random = Random::new();
    const PARTS: [&str; 14] =
        ["\n", "\n\t", "\r\n", "a", "new", "to", " ", "茶", "\\", "\"", "{", "\\\\n", "\u{1}", "`"];
    for _ in 0..3_000 {
        let text: String = (0..random.below(20)).map(|_| *random.pick(&PARTS)).collect();
        assert_eq!(reads(&careful(&text), &mut random), Ok(json!(text)));
    }
}

#[test]
fn what_has_two_plausible_meanings_is_refused() {
    let mut random = Random::new();
    for (json, escape) in [
        (r#"{"folder":"C:\new"}"#, r"\new"),
        (r#"{"text":"Save it in D:\temp today."}"#, r"\temp"),
        (r#"{"text":"C:\new\table"}"#, r"\new"),
        (r#"{"text":"$$\nu = 1$$"}"#, r"\nu"),
        (r#"{"text":"5$\nu pay 6$."}"#, r"\nu"),
        (r#"{"text":"x$\nu y$ z"}"#, r"\nu"),
        (r#"{"text":"Run .\new now"}"#, r"\new"),
        (r#"{"text":".\new"}"#, r"\new"),
        (r#"{"text":"Run `..\new` now"}"#, r"\new"),
        (r#"{"text":"运行`.\new`"}"#, r"\new"),
        (r#"{"text":"open('.\new')"}"#, r"\new"),
        (r#"{"text":"say \".\new\""}"#, r"\new"),
        (r#"{"text":"<p>Run <code>.\new</code></p>"}"#, r"\new"),
        (r#"{"text":"<a href=\"b\">.\new</a>"}"#, r"\new"),
        (r#"{"text":"a, b;.\new"}"#, r"\new"),
    ] {
        assert_eq!(reads(json, &mut random), Err(escape.to_owned()), "{json}");
        // Both ways out that the error names.
        let doubled = json.replace('\\', "\\\\").replace("\\\\\"", "\\\"");
        let expected: Value = serde_json::from_str(&doubled).unwrap();
        assert_eq!(reads(&doubled, &mut random), Ok(expected), "{doubled}");
        let unicode = json.replace("\\n", "\\u000a").replace("\\t", "\\u0009");
        let expected: Value = serde_json::from_str(&unicode).unwrap();
        assert_eq!(reads(&unicode, &mut random), Ok(expected), "{unicode}");
    }
}

#[test]
fn after_a_dollar_that_nothing_closes_a_tab_is_a_tab() {
    let mut random = Random::new();
    // Text whose end is too far away is not a formula either.
    let far = "x ".repeat(100_000);
    for raw in [r#""A $\tau and no end""#.to_owned(), format!(r#""A $\tau and {far} an end$""#)] {
        let expected: Value = serde_json::from_str(&raw).unwrap();
        assert!(read(&raw).ok().as_ref() == Some(&expected), "{}", &raw[..20]);
    }
    assert_eq!(reads(r#""A $\tau and no end""#, &mut random), Ok(json!("A $\tau and no end")));
}

#[test]
fn line_breaks_and_tabs_in_strings_need_no_escape() {
    let mut random = Random::new();
    let raw = "{\"content\":\"One\n\tTwo\r\nIt\\'s\u{1}\",\n\t\"n\":1}";
    assert_eq!(reads(raw, &mut random), Ok(json!({ "content": "One\n\tTwo\r\nIt's\u{1}", "n": 1 })));
}

/// Text after an escape that needs a decision is read again only as far as a formula or a path may be long.
#[test]
fn hostile_text_is_read_in_linear_time() {
    for unit in ["$\\nu ", "$$\\nu ", "C:\\new", "`", "$", "\\\\", "$\\theta", "\\(\\nu "] {
        let json = format!("\"{}", unit.repeat(20_000));
        let mut mender = Mender::default();
        for end in (0..json.len()).step_by(97) {
            mender.read(&json[..end], false);
        }
        mender.read(&json, true);
        assert!(mender.text().len() >= json.len());
    }
}

/// Paths and commands whose backslashes models do not double.
const SINGLE: [&str; 13] = [
    r"src\routes\table.ts",
    r"\\server\new\files",
    r"Copy from \\nas\reports\text now",
    r"%APPDATA%\npm\node_modules",
    r"See docs\notes\tables",
    r#"fopen(\".\new\result.txt\")"#,
    r"HKEY_LOCAL_MACHINE\run\tools",
    r"Density \rho, angle \theta and \nu.",
    r"\\begin{align}\nx &= \nu \\\\ny &= \tau\n\\end{align}",
    r"a\rb",
    r"C:\reports",
    r"文档\routes\new",
    r"src\blocks\table",
];

/// Returns the text that a JSON string has if none of its backslashes escapes anything but a quote.
fn literal(raw: &str) -> String {
    raw.replace("\\\"", "\"")
}

/// Returns whether two neighbours of the lines have the same number of tabs, if a text is read as JSON has it.
fn has_rows(text: &str) -> bool {
    let read: Result<String, _> = serde_json::from_str(&format!("\"{text}\""));
    let tabs: Vec<usize> =
        read.iter().flat_map(|text| text.split('\n')).map(|line| line.matches('\t').count()).collect();
    tabs.windows(2).any(|two| two[0] > 0 && two[0] == two[1])
}

#[test]
fn a_path_with_single_backslashes_is_found_again_or_refused() {
    let mut random = Random::new();
    for raw in SINGLE {
        let read = reads(&format!("\"{raw}\""), &mut random);
        assert!(read.is_err() || read == Ok(json!(literal(raw))), "{raw}: {read:?}");
    }
    const NAMES: [&str; 12] = [
        "notes",
        "new",
        "routes",
        "reports",
        "table",
        "text",
        "tools",
        "files",
        "blocks",
        "assets",
        "node_modules",
        "u1",
    ];
    for _ in 0..2_000 {
        let root = *random.pick(&["docs", ".", "..", "%TEMP%", "C:", "src\\routes", "~", "\\\\nas\\files"]);
        let names: Vec<&str> = (0..2 + random.below(4)).map(|_| *random.pick(&NAMES)).collect();
        let (before, after) =
            (random.pick(&["", "See ", "(", "Copy it from "]), random.pick(&["", " now", ")", ", or"]));
        let text = format!("{before}{root}\\{}{after}", names.join("\\"));
        assert_eq!(reads(&careful(&text), &mut random), Ok(json!(text)), "careful");
        // `docs\new\notes` may be three lines, and `docs\table\text` rows of a table.
        let all = |letter: char| names.iter().all(|name| name.starts_with(letter));
        if matches!(root, "docs" | "~" | "%TEMP%") && (all('n') || all('t') || has_rows(&text)) {
            continue;
        }
        let read = reads(&format!("\"{text}\""), &mut random);
        assert!(read.is_err() || read == Ok(json!(text)), "{text}: {read:?}");
    }
}

#[test]
fn ordinary_lines_tabs_and_tables_are_unchanged() {
    let mut random = Random::new();
    const WORDS: [&str; 30] = [
        "u",
        "e",
        "ot",
        "abla",
        "less",
        "au",
        "an",
        "o",
        "ew",
        "otes",
        "ables",
        "ext",
        "tea",
        "Tea",
        "12",
        "x",
        "end",
        "if",
        "return",
        "README",
        "node_modules",
        "%PATH%",
        "a.b",
        "f(x)",
        "«thé»",
        "茶",
        "it's",
        "\"so\"",
        "parallel",
        "USA",
    ];
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..1 + random.below(5) {
            let (kind, columns) = (random.below(6), 2 + random.below(3));
            let row = |random: &mut Random| {
                let word = *random.pick(&WORDS);
                match kind {
                    // A row of a table, indented code, a hard break of Markdown, an item, prose, a word.
                    0 => (0..columns).map(|_| *random.pick(&WORDS)).collect::<Vec<_>>().join("\t"),
                    1 => format!("{}{word}", "\t".repeat(random.below(3))),
                    2 => format!("{word}  "),
                    3 => format!("- {word}"),
                    4 => format!("{word} {}", random.pick(&WORDS)),
                    _ => word.to_owned(),
                }
            };
            let rows: Vec<String> = (0..2 + random.below(3)).map(|_| row(&mut random)).collect();
            text += &rows.join(random.pick::<&str>(&["\n", "\r\n"]));
            text += random.pick::<&str>(&["\n\n", "\n## ", "\nend.\n", "\n\n\\alpha in C:\\new\n\n"]);
        }
        assert_eq!(reads(&careful(&text), &mut random), Ok(json!(text)));
    }
}

/// What a sentence may end with before its period, and what the next line may begin with.
#[test]
fn a_line_break_behind_the_period_of_a_sentence_is_one() {
    let mut random = Random::new();
    const ENDS: [&str; 27] = [
        "`x`",
        "``a ` b``",
        "`Vec<u8>`",
        "`f(`",
        "`|`",
        "`<br>`",
        "a `b\nc`",
        "\"no\"",
        "'no'",
        "it 'is \"so\"'",
        "(\"no\")",
        "“no”",
        "[a](b)",
        "[a]",
        "(a)",
        "{a}",
        "**`x`**",
        "*\"no\"*",
        "<https://a.example/?b=c>",
        "<me@a.example>",
        "<code>x</code>",
        "<em>\"no\"</em>",
        "&quot;no&quot;",
        "运行 `x`",
        "运行`x`",
        "\"né\"",
        "etc.",
    ];
    const BEGINNINGS: [&str; 7] = ["next", "and", "there", "then he left", "run", "notes", "to `x`"];
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..1 + random.below(4) {
            text += random.pick::<&str>(&["", "Use ", "use the ", "- ", "> "]);
            text += random.pick::<&str>(&ENDS);
            text += random.pick::<&str>(&[".", "..", ".\"", ".)", ".  ", ".\r"]);
            text += random.pick::<&str>(&["\n", "\n\n", "\n  ", "\n\t"]);
            text += random.pick::<&str>(&BEGINNINGS);
            text += random.pick::<&str>(&["", ".", " ", "\n"]);
        }
        assert_eq!(reads(&careful(&text), &mut random), Ok(json!(text)));
    }
}

#[test]
fn a_carriage_return_ends_a_line_or_is_refused() {
    let mut random = Random::new();
    for (raw, text) in [(r"a\r\nb", "a\r\nb"), (r"a\r", "a\r"), (r"a\r\r\nb", "a\r\r\nb"), (r"a\u000db", "a\rb")] {
        assert_eq!(reads(&format!("\"{raw}\""), &mut random), Ok(json!(text)), "{raw}");
    }
    for raw in [r"a\rb", r"Line one\rLine two", r"50%\r100%", r"one\r two"] {
        assert!(reads(&format!("\"{raw}\""), &mut random).is_err(), "{raw}");
    }
}

#[test]
fn a_formula_ends_at_its_own_end_and_not_at_that_of_a_later_one() {
    let json = r#"{"a": "\\(\theta \\) and \\(\nu\\)"}"#;
    assert_eq!(reads(json, &mut Random::from_seed(1)), Ok(json!({ "a": r"\(\theta \) and \(\nu\)" })));
}

#[test]
fn text_that_stops_in_a_path_is_read_to_its_end() {
    let mut mender = Mender::default();
    mender.read(r#"{"a": "D:\new\caf\u00e9.txt"#, true);
    assert_eq!(mender.text(), r#"{"a": "D:\\new\\caf\u00e9.txt"#);
}

#[test]
fn a_path_without_an_end_does_not_hold_text_back_for_long() {
    let (mut mender, json) = (Mender::default(), format!(r#"{{"a": "D:\new\{}"#, "x".repeat(10_000)));
    mender.read(&json, false);
    assert!(mender.text().starts_with(r#"{"a": "D:\\new\\x"#), "{:.20}", mender.text());
}
