// Shows each element of the folder `elements` beside its code.
const codes = import.meta.glob("./elements/*.js", { query: "?raw", import: "default", eager: true });
const modules = import.meta.glob("./elements/*.js");

for (const [path, code] of Object.entries(codes)) {
  const name = path.slice("./elements/".length, -".js".length);
  const link = Object.assign(document.createElement("a"), { href: `#${name}`, textContent: name });
  document.querySelector("nav").append(link);
  const section = Object.assign(document.createElement("section"), { id: name });
  const heading = Object.assign(document.createElement("h2"), { textContent: `<copydesk-${name}>` });
  const stage = Object.assign(document.createElement("div"), { className: "stage" });
  const source = Object.assign(document.createElement("pre"), { textContent: code, tabIndex: 0 });
  const pair = Object.assign(document.createElement("div"), { className: "pair" });
  pair.append(stage, source);
  section.append(heading, pair);
  document.querySelector("main").append(section);
  const { default: element } = await modules[path]();
  stage.append(element);
}
document.documentElement.dataset.ready = "";
