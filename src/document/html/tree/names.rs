//! The names of elements that the rules of a tree know, and what is particular to each.
//!
//! The sets of <https://html.spec.whatwg.org/#parsing> ("special", the scopes, the implied end tags) are bits, so
//! that to ask what an open element is costs one test.

/// Ends what an end tag without rules of its own looks for.
pub(super) const SPECIAL: u32 = 1;
/// Bounds every scope but that of tables.
pub(super) const SCOPE: u32 = 1 << 1;
/// Bounds the scope of list items besides.
pub(super) const LIST: u32 = 1 << 2;
/// Bounds the scope of buttons besides.
pub(super) const BUTTON: u32 = 1 << 3;
/// Bounds the scope of tables.
pub(super) const TABLES: u32 = 1 << 4;
/// Bounds whatever is looked for: `html` and `template`.
pub(super) const ROOTS: u32 = 1 << 18;
/// Its end tag may be left out.
pub(super) const IMPLIED: u32 = 1 << 5;
/// Its end tag may be left out at the end of a template.
pub(super) const THOROUGH: u32 = 1 << 6;
pub(super) const HEADING: u32 = 1 << 7;
/// Its start tag ends SVG and MathML.
pub(super) const BREAKS_OUT: u32 = 1 << 8;
/// What may not stand directly in it goes before the table.
pub(super) const FOSTERS: u32 = 1 << 9;
pub(super) const CELL: u32 = 1 << 10;
/// `tbody`, `tfoot`, `thead`.
pub(super) const ROWS: u32 = 1 << 11;
/// An element of SVG or MathML.
pub(super) const FOREIGN: u32 = 1 << 12;
pub(super) const MATH: u32 = 1 << 13;
/// An element of MathML that holds text, and of HTML what stands in text.
pub(super) const TEXT_POINT: u32 = 1 << 14;
/// An element of SVG that holds HTML.
pub(super) const HTML_POINT: u32 = 1 << 15;
pub(super) const ANNOTATION: u32 = 1 << 16;
/// An `annotation-xml` that says that it holds HTML.
pub(super) const ANNOTATION_HTML: u32 = 1 << 17;

macro_rules! names {
    ($($name:ident $text:literal $($flag:ident)*;)*) => {
        /// The name of an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(in super::super) enum Name {
            /// One that no rule knows.
            Other,
            $($name,)*
        }

        static NAMES: &[(Name, &str, u32)] = &[(Name::Other, "", 0), $((Name::$name, $text, 0 $(| $flag)*),)*];
    };
}

names! {
    A "a"; Address "address" SPECIAL; AnnotationXml "annotation-xml"; Applet "applet" SPECIAL SCOPE;
    Area "area" SPECIAL; Article "article" SPECIAL; Aside "aside" SPECIAL; B "b" BREAKS_OUT; Base "base" SPECIAL;
    Basefont "basefont" SPECIAL; Bgsound "bgsound" SPECIAL; Big "big" BREAKS_OUT;
    Blockquote "blockquote" SPECIAL BREAKS_OUT; Body "body" SPECIAL BREAKS_OUT; Br "br" SPECIAL BREAKS_OUT;
    Button "button" SPECIAL BUTTON; Caption "caption" SPECIAL SCOPE THOROUGH; Center "center" SPECIAL BREAKS_OUT;
    Code "code" BREAKS_OUT; Col "col" SPECIAL; Colgroup "colgroup" SPECIAL THOROUGH;
    Dd "dd" SPECIAL IMPLIED BREAKS_OUT; Desc "desc"; Details "details" SPECIAL; Dialog "dialog"; Dir "dir" SPECIAL;
    Div "div" SPECIAL BREAKS_OUT; Dl "dl" SPECIAL BREAKS_OUT; Dt "dt" SPECIAL IMPLIED BREAKS_OUT; Em "em" BREAKS_OUT;
    Embed "embed" SPECIAL BREAKS_OUT; Fieldset "fieldset" SPECIAL; Figcaption "figcaption" SPECIAL;
    Figure "figure" SPECIAL; Font "font"; Footer "footer" SPECIAL; ForeignObject "foreignobject"; Form "form" SPECIAL;
    Frame "frame" SPECIAL; Frameset "frameset" SPECIAL; H1 "h1" SPECIAL HEADING BREAKS_OUT;
    H2 "h2" SPECIAL HEADING BREAKS_OUT; H3 "h3" SPECIAL HEADING BREAKS_OUT; H4 "h4" SPECIAL HEADING BREAKS_OUT;
    H5 "h5" SPECIAL HEADING BREAKS_OUT; H6 "h6" SPECIAL HEADING BREAKS_OUT; Head "head" SPECIAL BREAKS_OUT;
    Header "header" SPECIAL; Hgroup "hgroup" SPECIAL; Hr "hr" SPECIAL BREAKS_OUT;
    Html "html" SPECIAL SCOPE TABLES ROOTS; I "i" BREAKS_OUT; Iframe "iframe" SPECIAL; Image "image";
    Img "img" SPECIAL BREAKS_OUT; Input "input" SPECIAL; Isindex "isindex" SPECIAL; Keygen "keygen";
    Li "li" SPECIAL IMPLIED BREAKS_OUT; Link "link" SPECIAL; Listing "listing" SPECIAL BREAKS_OUT;
    Main "main" SPECIAL; Malignmark "malignmark"; Marquee "marquee" SPECIAL SCOPE; Math "math";
    Menu "menu" SPECIAL BREAKS_OUT; Meta "meta" SPECIAL BREAKS_OUT; Mglyph "mglyph"; Mi "mi"; Mn "mn"; Mo "mo";
    Ms "ms"; Mtext "mtext"; Nav "nav" SPECIAL; Nobr "nobr" BREAKS_OUT; Noembed "noembed" SPECIAL;
    Noframes "noframes" SPECIAL; Noscript "noscript" SPECIAL; Object "object" SPECIAL SCOPE;
    Ol "ol" SPECIAL LIST BREAKS_OUT; Optgroup "optgroup" IMPLIED; Option "option" IMPLIED;
    P "p" SPECIAL IMPLIED BREAKS_OUT; Param "param" SPECIAL; Plaintext "plaintext" SPECIAL;
    Pre "pre" SPECIAL BREAKS_OUT; Rb "rb" IMPLIED; Rp "rp" IMPLIED; Rt "rt" IMPLIED; Rtc "rtc" IMPLIED;
    Ruby "ruby" BREAKS_OUT; S "s" BREAKS_OUT; Script "script" SPECIAL; Search "search"; Section "section" SPECIAL;
    Select "select" SPECIAL SCOPE; Small "small" BREAKS_OUT; Source "source" SPECIAL; Span "span" BREAKS_OUT;
    Strike "strike" BREAKS_OUT; Strong "strong" BREAKS_OUT; Style "style" SPECIAL; Sub "sub" BREAKS_OUT;
    Summary "summary" SPECIAL; Sup "sup" BREAKS_OUT; Svg "svg";
    Table "table" SPECIAL SCOPE TABLES FOSTERS BREAKS_OUT; Tbody "tbody" SPECIAL THOROUGH FOSTERS ROWS;
    Td "td" SPECIAL SCOPE THOROUGH CELL; Template "template" SPECIAL SCOPE TABLES ROOTS; Textarea "textarea" SPECIAL;
    Tfoot "tfoot" SPECIAL THOROUGH FOSTERS ROWS; Th "th" SPECIAL SCOPE THOROUGH CELL;
    Thead "thead" SPECIAL THOROUGH FOSTERS ROWS; Title "title" SPECIAL; Tr "tr" SPECIAL THOROUGH FOSTERS;
    Track "track" SPECIAL; Tt "tt" BREAKS_OUT; U "u" BREAKS_OUT; Ul "ul" SPECIAL LIST BREAKS_OUT;
    Var "var" BREAKS_OUT; Wbr "wbr" SPECIAL; Xmp "xmp" SPECIAL;
}

impl Name {
    /// The name that a text in lower case is.
    pub(in super::super) fn of(text: &str) -> Name {
        let mut slot = hash(text.as_bytes());
        loop {
            let (name, known, _) = NAMES[SLOTS[slot] as usize];
            if name == Name::Other || known == text {
                return name;
            }
            slot = (slot + 1) % SLOTS.len();
        }
    }

    /// Its text, none for one that no rule knows.
    pub(in super::super) fn text(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// What is particular to an element of HTML with this name.
    pub(super) fn flags(self) -> u32 {
        NAMES[self as usize].2
    }
}

/// Where each name is, found by its hash, or in one of the slots that follow.
static SLOTS: [u8; 512] = {
    let mut slots = [0; 512];
    let mut index = 1;
    while index < NAMES.len() {
        let mut slot = hash(NAMES[index].1.as_bytes());
        while slots[slot] != 0 {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = index as u8;
        index += 1;
    }
    slots
};

const fn hash(text: &[u8]) -> usize {
    let (mut hash, mut at) = (0_u32, 0);
    // No name is longer than these.
    while at < text.len() && at < 16 {
        hash = (hash ^ text[at] as u32).wrapping_mul(0x9E37_79B1).rotate_left(7);
        at += 1;
    }
    (hash >> 9) as usize % 512
}
