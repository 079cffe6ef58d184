// The components of copydesk/ui/react and copydesk/ui/vue in apps: rendered by a server, built by Vite, and taken over by the
// framework in Chromium. In the long form the apps have installed the packed package; else they have the packages of this folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isLong } from "../browser/budget.mjs";
import { openPage, root, serve } from "../browser/harness.mjs";
import { npmInstall, packed } from "./environments/environment.mjs";
import { TIPTAP } from "./environments/targets/common.mjs";

/** The frameworks: those that are installed here, and in the long form an older one. */
const FRAMEWORKS = {
  ...(isLong && { "React 18": ["react", { react: "18.3.1", "react-dom": "18.3.1" }] }),
  "React 19": ["react", { react: "19.3.1", "react-dom": "19.3.1" }],
  "Vue 3": ["vue", { vue: "3.5.45" }],
};

for (const [name, [framework, packages]] of Object.entries(FRAMEWORKS)) {
  test(`an app has properties, events, refs and slots of elements: ${name}`, async (t) => {
    const dir = mkdtempSync(join(isLong ? tmpdir() : join(root, "target"), "copydesk-components-"));
    t.after(() => rmSync(dir, { recursive: true, force: true }));
    cpSync(join(root, "tests/packaging/components"), dir, { recursive: true });
    cpSync(join(dir, `${framework}.js`), join(dir, "framework.js"));
    const dependencies = isLong ? { copydesk: `file:${packed(dir)}`, ...TIPTAP, ...packages, vite: "8.3.8" } : {};
    writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
    if (isLong) npmInstall(dir);
    const vite = join(isLong ? dir : root, "node_modules/vite/bin/vite.js");

    const node = (...args) => execFileSync(process.execPath, args, { cwd: dir, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const html = node("server.js").trim();
    assert.match(html, /<copydesk-diff [^>]*class="comparison"[^>]*><\/copydesk-diff>.*<copydesk-outline><\/copydesk-outline>.*<p.*>Hello<\/p>/);
    assert.doesNotMatch(html, /Green tea|object Object/, "what is a property is no attribute");
    writeFileSync(join(dir, "index.html"), `<!doctype html><html lang="en"><title>Tea</title><link rel="icon" href="data:,"><div id="page"></div><div id="app">${html}</div><script type="module" src="./client.js"></script>`);
    node(vite, "build", "--logLevel", "error");

    const warnings = [];
    const prepare = (page) => page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
    const page = await openPage(t, (await serve(join(dir, "dist"))).url, { prepare });
    // Attributes, and properties that an app changes.
    await page.waitForFunction(() => document.querySelector("copydesk-diff").shadowRoot?.querySelector("ins"));
    const comparison = page.locator("copydesk-diff");
    assert.deepEqual(await comparison.evaluate((one) => [one.className, one.hidden, one.dataset.name]), ["comparison", true, "tea"]);
    await page.evaluate(() => app.set({ newText: "White tea.", isHidden: false }));
    await page.locator("copydesk-diff ins >> text=White").waitFor();
    // Only what is shown was loaded.
    assert.ok(await page.evaluate(() => !customElements.get("copydesk-files") && !!customElements.get("copydesk-outline")));
    // Without an editor they wait; what was missing at first is said once.
    await page.waitForFunction(() => app.elements().every((one) => one.shadowRoot));
    await page.evaluate(() => app.set({ editor: app.editor() }));
    await page.locator("copydesk-outline [part=section] >> text=Kinds").click();
    assert.deepEqual(await page.evaluate(() => app.chosen), ["Kinds"]);
    // Refs are the elements, with their methods.
    assert.deepEqual(await page.evaluate(() => app.elements().map((one) => [one.localName, typeof one.announce])), [["copydesk-assistant", "function"], ["copydesk-outline", "undefined"]]);
    assert.ok(await page.isVisible("copydesk-assistant p >> text=Hello"), "what is in a slot is shown");
    // Of what is null again, the element has its default.
    await page.waitForSelector("copydesk-assistant [part~=composer]");
    const choices = () => page.locator("copydesk-assistant .mode-select").count();
    assert.equal(await choices(), 0);
    await page.evaluate(() => app.set({ modes: null }));
    await page.locator("copydesk-assistant .mode-select").waitFor();
    await page.evaluate(() => app.set({ modes: ["ask"] }));
    await page.locator("copydesk-assistant .mode-select").waitFor({ state: "detached" });
    for (const one of ["copydesk-assistant", "copydesk-outline", "copydesk-diff"])
      assert.deepEqual((await page.locator(one).evaluate((element) => element.getAttributeNames())).filter((attribute) => !["class", "hidden", "data-name", "data-v-app"].includes(attribute)), [], one);
    await page.evaluate(() => app.stop());
    assert.equal(await page.locator("copydesk-assistant").count(), 0);
    for (const text of warnings) assert.match(text, /^<copydesk-(?:outline|assistant)> needs /);
  });
}

test("every element of the package has a component in both, of its name", () => {
  const { modules } = JSON.parse(readFileSync(join(root, "pkg/custom-elements.json"), "utf8"));
  const names = modules.flatMap(({ declarations }) => declarations.map((one) => one.name)).sort();
  for (const framework of ["react", "vue"]) {
    const source = readFileSync(join(root, `pkg/ui/${framework}.js`), "utf8");
    assert.deepEqual([...source.matchAll(/^export const (\w+)/gm)].map(([, name]) => name).sort(), names);
    for (const [, module] of source.matchAll(/import\("\.\/([\w-]+\.js)"\)/g)) assert.ok(readdirSync(join(root, "pkg/ui")).includes(module), module);
  }
});
