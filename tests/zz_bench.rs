use copydesk::document::*;
use std::time::Instant;
#[test]
fn bench() {
    let mut html = String::new();
    let mut n = 0;
    while html.len() < 1_000_000 {
        n += 1;
        html.push_str(&format!("<h2>Section {n} &amp; more</h2>\n<p>The <strong>quick</strong> brown fox jumps over the <em>lazy</em> dog and <a href=\"https://example.com/{n}\">links</a> to it. Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.</p>\n<ul><li>one</li><li><p>two</p></li></ul>\n<table><tr><td>a</td><td>b</td></tr></table>\n"));
    }
    for _ in 0..3 {
        let t = Instant::now();
        let d = Document::from_html(&html).unwrap();
        let a = t.elapsed();
        let t = Instant::now();
        let l = d.lines().len();
        let s = d.sections().len();
        let b = t.elapsed();
        let t = Instant::now();
        let j = d.to_json();
        let c = t.elapsed();
        let t = Instant::now();
        let d2 = Document::from_json(&j, Schema::tiptap()).unwrap();
        let e = t.elapsed();
        let t = Instant::now();
        let h = d2.to_html();
        let f = t.elapsed();
        let mut d3 = d2.clone();
        let t = Instant::now();
        d3.sync(500, 1, r#"[{"type":"paragraph","content":[{"type":"text","text":"xx"}]}]"#).unwrap();
        let g0 = t.elapsed();
        let t = Instant::now();
        d3.sync(500, 1, r#"[{"type":"paragraph","content":[{"type":"text","text":"xxy"}]}]"#).unwrap();
        let g = t.elapsed();
        println!(
            "parse {a:?} lines+sections {b:?} ({l},{s}) to_json {c:?} ({}) from_json {e:?} to_html {f:?} ({}) sync {g0:?} {g:?} blocks {}",
            j.len(),
            h.len(),
            d.blocks().len()
        );
    }
}
