// Refused edits, which leave document, selection and history unchanged.
import { b, doc, h2, lines, p, range, ranges, row, table, text, ul, whole } from "./notation.mjs";

const two = doc(p("tea ", b("and tea")), p("z"));
const code = (code, more) => ({ code, ...more });

export default [
  ["line 0", two, lines(0, 1, "x"), code("line_out_of_range")],
  ["a line behind the last", two, lines(3, 3, "x"), code("line_out_of_range")],
  ["a range that ends behind the last line", two, lines(1, 3, "x"), code("line_out_of_range")],
  ["a range that ends before it begins", two, lines(2, 1, "x"), code("line_out_of_range")],
  ["a line before the first", two, lines(-1, 1, "x"), code("line_out_of_range")],
  ["one of two ranges out of the document", two, ranges(range(1, 1, "x"), range(4, 4, "y")), code("line_out_of_range")],
  ["two ranges over one line", two, ranges(range(1, 2, "x"), range(2, 2, "y")), code("overlapping_edits")],
  ["the same range twice", two, ranges(range(1, 1, "x"), range(1, 1, "x")), code("overlapping_edits")],
  ["the whole document beside a range", two, ranges({ content: "all" }, range(1, 1, "x")), code("invalid_parameter")],
  ["no content for the whole document", two, whole("  \n "), code("invalid_parameter")],
  ["content of another type", two, lines(1, 1, { a: 7 }), code("invalid_parameter")],
  ["a format that there is not", two, lines(1, 1, "x", "markup"), code("invalid_parameter")],
  ["a text that stands nowhere", two, text("coffee", "x"), code("text_not_found")],
  ["a text that stands in two places", two, text("tea", "x"), code("text_ambiguous")],
  ["a text twice in the line that is named", two, text("tea", "x", { near_line: 1 }), code("text_ambiguous")],
  ["a text as near on both sides", doc(p("tea"), p("x"), p("tea")), text("tea", "x", { near_line: 2 }), code("text_ambiguous")],
  ["a line to look near to that is not there", two, text("tea", "x", { near_line: 9 }), code("line_out_of_range")],
  ["no text to replace", two, text(" ", "x"), code("invalid_parameter")],
  ["a text over two cells", doc(table(row("tea", "milk"))), text("tea\nmilk", "x"), code("invalid_parameter")],
  ["a section that is not there", doc(h2("A"), p("x")), { operation: "delete", sectionIndex: 4 }, code("section_out_of_range")],
  ["a section moved to an index that is not there", doc(h2("A"), p("x"), h2("B")), { operation: "move_section", sectionIndex: 1, toIndex: 3 }, code("section_out_of_range")],
  ["section 0 is moved", doc(p("x"), h2("A"), h2("B")), { operation: "move_section", sectionIndex: 0, toIndex: 1 }, code("section_out_of_range")],
  ["an address that runs code", two, lines(1, 1, '<a href="javascript:alert(1)">x</a>'), code("invalid_url")],
  ["two edits of a list, one of them out of it", doc(ul("a", "b")), ranges(range(1, 1, "A"), range(3, 3, "C")), code("line_out_of_range")],
  ["a row that is not there", doc(table(row("a", "b"))), lines(3, 3, "c"), code("line_out_of_range")],
];
