// Random blocks of several lines, in random containers with random indentation.

const WORDS = ["tea", "green tea", "x = 1", "茶", "a_b", "the end"];
/** The ends of lines that are hard breaks. */
const BREAKS = ["  ", "   ", "\\", "<br>", " <br/>"];
const MARKERS = [["-", "-"], ["*", "*"], ["+", "+"], ["1.", "2."], ["12)", "13)"]];

const spaces = (count) => " ".repeat(count);
/** Puts the first line behind a sign and the others behind another one. */
const within = (lines, first, others) => lines.map((line, at) => (line === "" ? "" : (at === 0 ? first : others) + line));

function words(random, indents) {
  const lines = random.times(2, 5, () => random.pick(indents) + random.pick(WORDS));
  return lines.map((line, at) => (at > 0 && at < lines.length - 1 && random.chance(0.15) ? "" : line));
}

/** Each line has the indentation of the fence or less. */
function fenced(random) {
  const [indent, fence] = [random.below(4), random.pick(["```", "````", "~~~"])];
  const code = words(random, ["", "", " ", "   ", "     "]).map((line) => spaces(random.pick([indent, random.below(indent + 1)])) + line);
  return [`${spaces(indent)}${fence}${random.pick(["", "js", " c++ x"])}`, ...code, spaces(indent) + fence];
}

const indented = (random) => words(random, ["    ", "    ", "     ", "      "]);

function broken(random) {
  const lines = random.times(2, 5, () => random.pick(["", "", spaces(random.below(4))]) + random.pick(WORDS));
  return lines.map((line, at) => (at === 0 ? line.trim() : line) + (at < lines.length - 1 ? random.pick(BREAKS) : ""));
}

function quote(random, lines) {
  const sign = random.pick(["> ", "> ", ">", ">  "]);
  return lines.map((line) => sign + line);
}

function list(random, lines) {
  const [first, second] = random.pick(MARKERS);
  const outer = spaces(random.below(4));
  const gap = spaces(1 + random.below(4));
  const inner = outer + spaces(first.length) + gap;
  const content = random.chance(0.5) ? within(lines, outer + first + gap, inner) : [`${outer}${first}${gap}item`, "", ...within(lines, inner, inner)];
  return random.chance(0.5) ? content : [...content, `${outer}${second}${gap}next`];
}

function details(random, lines) {
  return ["<details>", `${spaces(random.below(3))}<summary>More</summary>`, "", ...lines, "", "</details>"];
}

/** Replaces spaces before the content of a line that reach to a multiple of four columns by a tab. */
function withTabs(line) {
  const [start] = /^(?:[ >]|[-+*](?= )|\d+[.)](?= ))*/.exec(line);
  return start.replace(/ +/g, (found, at) => {
    const end = at + found.length;
    const tabs = Math.floor(end / 4) - Math.floor(at / 4);
    return tabs > 0 ? "\t".repeat(tabs) + spaces(end % 4) : found;
  }) + line.slice(start.length);
}

/** Returns the source of a block with several lines. */
export function randomContainers(random) {
  let lines = random.pick([fenced, indented, broken])(random);
  for (let depth = random.below(4); depth > 0; depth -= 1) {
    lines = random.pick([quote, list, list, details])(random, lines);
    if (random.chance(0.5)) lines = [random.pick(["# Before", "before"]), "", ...lines];
    if (random.chance(0.5)) lines = [...lines, "", random.pick(["# Behind", "***"])];
  }
  const lineEnd = random.pick(["\n", "\n", "\r\n"]);
  const tabs = random.pick([0, 0, 0.5, 1]);
  lines = lines.map((line) => (random.chance(tabs) ? withTabs(line) : line));
  return lines.join(lineEnd) + random.pick([lineEnd, ""]);
}
