//! SVG and MathML, and where HTML stands in them.

use super::names::{ANNOTATION, ANNOTATION_HTML, BREAKS_OUT, FOREIGN, HTML_POINT, MATH, Name, SCOPE, TEXT_POINT};
use super::{Builder, DomData, Open, Tag};

impl<'a> Builder<'a> {
    /// Whether a tag is one of SVG or MathML where it stands. A text counts as a start tag that no rule knows.
    pub(super) fn is_foreign(&self, starts: bool, name: Name) -> bool {
        let flags = self.current().flags;
        let is_html = || {
            flags & (HTML_POINT | ANNOTATION_HTML) != 0
                || flags & TEXT_POINT != 0 && !matches!(name, Name::Mglyph | Name::Malignmark)
                || flags & ANNOTATION != 0 && name == Name::Svg
        };
        flags & FOREIGN != 0 && !(starts && is_html())
    }

    /// Takes a tag in SVG or MathML; whether it comes again.
    pub(super) fn in_foreign(&mut self, tag: &mut Tag<'a>) -> bool {
        let breaks_out = match (tag.is_end, tag.name) {
            (true, name) => matches!(name, Name::Br | Name::P),
            (false, Name::Font) => ["color", "face", "size"].iter().any(|name| tag.attribute(name).is_some()),
            (false, name) => name.flags() & BREAKS_OUT != 0,
        };
        if breaks_out {
            while self.current().flags & (FOREIGN | TEXT_POINT | HTML_POINT) == FOREIGN {
                self.pop();
            }
            return self.in_mode(self.mode, tag);
        }
        if !tag.is_end {
            self.insert_foreign(tag, self.current().flags & MATH);
            return false;
        }
        for (at, open) in self.open.iter().enumerate().skip(1).rev() {
            if open.flags & FOREIGN == 0 {
                return self.in_mode(self.mode, tag);
            }
            if self.dom.name(open.id) == Some(&*tag.local) {
                self.open.truncate(at);
                return false;
            }
        }
        false
    }

    /// Opens an element of SVG or MathML.
    pub(super) fn insert_foreign(&mut self, tag: &mut Tag<'a>, math: u32) {
        let says_html = || {
            let encoding = tag.attribute("encoding").unwrap_or_default();
            ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
        };
        let flags = match tag.name {
            Name::Mi | Name::Mn | Name::Mo | Name::Ms | Name::Mtext if math != 0 => TEXT_POINT | SCOPE,
            Name::AnnotationXml if math != 0 => ANNOTATION | if says_html() { ANNOTATION_HTML } else { 0 },
            Name::ForeignObject | Name::Desc | Name::Title if math == 0 => HTML_POINT | SCOPE,
            _ => 0,
        };
        let (name, attrs) = (std::mem::take(&mut tag.local), tag.attrs.take());
        let id = self.create(DomData::Element { name, attrs, template: None, foreign: true });
        self.put(self.place(None), id);
        if !tag.self_closing {
            self.open.push(Open { id, name: Name::Other, flags: FOREIGN | math | flags });
        }
    }
}
