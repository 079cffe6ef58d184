// copydesk/insert: what users paste, drop and pick becomes content, or is left to others, or is refused with a reason.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildPage, openPage, root, serve } from "./harness.mjs";

const WORKER = readFileSync(join(root, "www/public/local-images.js"), "utf8");
const PNG = [...Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64")];

/** Opens the page, with the service worker of docs/insert.md beside it. */
async function open(t, options) {
  const dir = await buildPage(join(root, "tests/browser/pages/insert"));
  const answer = (request, response) => {
    if (request.url !== "/local-images.js") return false;
    response.writeHead(200, { "content-type": "text/javascript" }).end(WORKER);
    return true;
  };
  const { url } = await serve(dir, { answer });
  const prepare = (page) => page.route("https://images.example/**", (route) => route.fulfill({ contentType: "image/png", body: Buffer.from(PNG) }));
  const page = await openPage(t, url, { prepare, ...options });
  await page.waitForFunction(() => window.ready);
  return page;
}
const html = (page) => page.evaluate(() => editor.getHTML());

test("dropped images come in their order, where they were dropped, as one undo step", async (t) => {
  const page = await open(t);
  const [problem, typed, done] = await page.evaluate(async () => {
    let keep;
    const waiting = new Promise((resolve) => (keep = resolve));
    const problems = [];
    const keepImage = async ({ name }) => {
      await waiting;
      if (name === "bad.png") throw new Error("no room");
      return `https://images.example/${name}`;
    };
    edit("<p>First</p><p>Second</p>", { options: { keepImage, onProblem: (error, { name }) => problems.push([name, error.message]) } });
    const isTaken = give("drop", { files: ["a.b.png", "bad.png", "c.png"].map((name) => file(name, "image/png")) });
    if (!isTaken) throw new Error("the browser would leave the page");
    // The user types before them meanwhile.
    editor.commands.insertContentAt(0, "<p>Typed</p>");
    const typed = editor.getHTML();
    keep();
    await new Promise((resolve) => editor.on("update", resolve));
    return [problems, typed, editor.getHTML()];
  });
  assert.deepEqual(problem, [["bad.png", "no room"]]);
  const images = ["a.b", "c"].map((name) => `<img src="https://images.example/${name}.png" alt="${name}">`).join("");
  assert.equal(done, `<p>Typed</p><p>First</p>${images}<p>Second</p>`);
  await page.evaluate(() => editor.commands.undo());
  assert.equal(await html(page), typed);
});

test("an image goes into text where the schema has it there, and in place of an empty paragraph where it is a block", async (t) => {
  const page = await open(t);
  const inserted = async (content, image) =>
    page.evaluate(
      async ([content, image]) => {
        edit(content, image === "inline" ? { image: inlineImage } : {});
        editor.commands.setTextSelection(3);
        await inserting.insertImages(editor, [file("a.png", "image/png")], { keepImage: async () => "https://images.example/a.png" });
        return editor.getHTML();
      },
      [content, image],
    );
  const image = '<img src="https://images.example/a.png" alt="a">';
  assert.equal(await inserted("<p>Word</p>", "inline"), `<p>Wo${image}rd</p>`);
  assert.equal(await inserted("<p>Word</p>"), `<p>Word</p>${image}<p></p>`);
  assert.equal(await inserted("<p>a</p><p></p>"), `<p>a</p>${image}<p></p>`);
});

test("what the app does not take is left to the page, and a read-only editor stays as it is", async (t) => {
  const page = await open(t);
  const [left, taken, readOnly] = await page.evaluate(async () => {
    const [image, text] = [file("a.png", "image/png"), file("a.md", "text/markdown")];
    const keepImage = async () => "https://images.example/a.png";
    const files = [];
    const onFiles = (given) => files.push(given.map(({ name }) => name));
    const dropped = (options, files, more) => (edit("<p>Word</p>", { options, ...more }), give("paste", { files }));
    // Files that are pasted are nothing that a browser inserts.
    const seen = [];
    document.addEventListener("paste", (event) => seen.push(event.defaultPrevented), { capture: false });
    const left = [dropped({}, [image]), dropped({ keepImage }, [text]), dropped({ onFiles }, [image, text]), dropped({ keepImage }, [image], { image: null })].map(() => editor.getHTML());
    const none = files.length;
    const taken = [dropped({ keepImage, onFiles }, [image, text]), dropped({ onFiles }, [text])];
    edit("<p>Word</p>", { options: { keepImage, onFiles }, editable: false });
    give("drop", { files: [image] });
    await inserting.insertImages(editor, [image], { keepImage });
    return [[...left, none], [taken, files], editor.getHTML()];
  });
  assert.deepEqual(left, ["<p>Word</p>", "<p>Word</p>", "<p>Word</p>", "<p>Word</p>", 0]);
  assert.deepEqual(taken, [[true, true], [["a.md"], ["a.md"]]]);
  assert.equal(readOnly, "<p>Word</p>");
});

test("text in the form of Markdown becomes blocks, unless the app or the place wants text", async (t) => {
  const page = await open(t);
  const pasted = async (text, content = "<p></p>", options = {}) => {
    await page.evaluate(([text, content, options]) => (edit(content, { options, autofocus: "end" }), void give("paste", { texts: { "text/plain": text } })), [text, content, options]);
    await page.waitForFunction(() => editor.getText().trim());
    return html(page);
  };
  assert.equal(await pasted("# Tea\n\n- green"), "<h1>Tea</h1><ul><li><p>green</p></li></ul><p></p>");
  assert.match(await pasted("# Tea", undefined, { markdown: false }), /^<p># Tea<\/p>/);
  assert.match(await pasted("# Tea", "<pre><code></code></pre>"), /^<pre><code># Tea<\/code><\/pre>/);
  const forms = await page.evaluate(() =>
    ["# a", "1. a", "> a", "```", "| a |", "---", "a **b**\n\nc", "a - b", "2 * 3", "#tag", "a **b**", "", "-5 degrees", "12. May"].map((text) => inserting.looksLikeMarkdown(text)),
  );
  assert.deepEqual(forms, [true, true, true, true, true, true, true, false, false, false, false, false, false, true]);
});

test("files that are dropped beside the document are taken, until that is ended", async (t) => {
  const page = await open(t);
  const { prevented, taken } = await page.evaluate(() => {
    edit("<p>Word</p>");
    const taken = [];
    const end = inserting.takeDroppedFiles((files) => taken.push(files.map(({ name }) => name)));
    const drop = (files, texts) => ["dragover", "drop"].map((type) => give(type, { files, texts }, document.body));
    const prevented = [drop([file("a.md", "")]), drop([], { "text/plain": "words" })];
    end();
    return { prevented: [...prevented, drop([file("b.md", "")])], taken };
  });
  assert.deepEqual(prevented, [[true, true], [false, false], [false, false]]);
  assert.deepEqual(taken, [["a.md"]]);
});

test("what a user types as a link is a URL, or nothing", async (t) => {
  const page = await open(t);
  const cases = {
    " https://a.example/x?y#z ": "https://a.example/x?y#z",
    "example.com/tea": "https://example.com/tea",
    "localhost:3000": "https://localhost:3000",
    "ann@example.com": "mailto:ann@example.com",
    "tel:+123": "tel:+123",
    "茶.例子": "https://茶.例子",
    "javascript:alert(1)": null,
    "JavaScript://example.com/%0aalert(1)": null,
    "data:text/html,x": null,
    "two words": null,
    word: null,
    "https://": null,
    "http://[": null,
    "": null,
  };
  const found = await page.evaluate((texts) => texts.map((text) => inserting.linkOf(text)), Object.keys(cases));
  assert.deepEqual(Object.fromEntries(Object.keys(cases).map((text, at) => [text, found[at]])), cases);
});

test("text files become documents of the schema: by their format, in their encoding, without scripts", async (t) => {
  // The images are not there.
  const page = await open(t, { expected: [/status of 404/, /ERR_INVALID_URL/] });
  const read = (name, content, { type = "", locale } = {}) =>
    page.evaluate(
      async ([name, type, content, locale]) => {
        edit("<p></p>", { image: anyImage });
        const options = { locale, keepImage: async ({ type }) => (type === "image/gif" ? Promise.reject(new Error("no room")) : `https://images.example/${type.slice(6)}`) };
        return outcome(async () => {
          editor.commands.setContent(await readTextFile(file(name, type, content), editor.schema, options));
          return editor.getHTML();
        });
      },
      [name, type, content, locale],
    );
  const bytes = (text) => [...Buffer.from(text)];
  assert.equal(await read("a.md", "# Tea\n\n*leaf*"), "<h1>Tea</h1><p><em>leaf</em></p>");
  assert.equal(await read("a.MD", "x ".repeat(5000)).then((html) => html.length), 10_006, "a long one is read in a worker");
  assert.equal(await read("README", "# Tea", { type: "text/markdown" }), "<h1>Tea</h1><p></p>");
  assert.equal(await read("a.txt", "one\r\n\r\n# two"), "<p>one</p><p># two</p>");
  assert.equal(await read("a.txt", ""), "<p></p>");
  const unsafe = "<title>no</title><script>window.ran = 1</script><img src=/x.png onerror='window.ran = 1'><form><input name=nodeName></form><p onclick=x>One</p>";
  assert.equal(await read("a.html", unsafe), '<img src="/x.png"><p>One</p>');
  assert.equal(await page.evaluate(() => window.ran), undefined);
  const image = (type) => `data:image/${type};base64,AAAA`;
  assert.equal(
    await read("a.htm", `<img src="${image("png")}"><img src="${image("gif")}"><img src="data:image/svg+xml,x">`),
    `<img src="https://images.example/png"><img src="${image("gif")}"><img src="data:image/svg+xml,x"><p></p>`,
    "what is not kept stays",
  );
  const gbk = [0xb2, 0xe8];
  for (const [name, content, locale, expected] of [
    ["utf-16.txt", [0xfe, 0xff, 0x83, 0x36], "en", "茶"],
    ["bom.txt", [0xef, 0xbb, 0xbf, 0x61], "en", "a"],
    ["latin.txt", [0x63, 0x61, 0x66, 0xe9], "en", "café"],
    ["gbk.html", [...bytes("<meta charset=gbk><p>"), ...gbk], "en", "茶"],
    ["cyrillic.html", [...bytes('<meta http-equiv=content-type content="text/html; charset=windows-1251"><p>'), 0xd7, 0xe0, 0xe9], "zh", "Чай"],
    ["gbk.txt", gbk, "zh", "茶"],
    // Two bytes say little; a text of Chinese is known without the language of the page.
    ["chinese.txt", [0xce, 0xd2, 0xb5, 0xc4, 0xb2, 0xe8, 0xca, 0xc7, 0xc2, 0xcc, 0xb5, 0xc4], "en", "我的茶是绿的"],
  ])
    assert.equal(await read(name, content, { locale }), `<p>${expected}</p>`, name);

  const refused = async (...given) => {
    const { name, code, texts } = await read(...given);
    assert.deepEqual([name, Object.keys(texts).sort()], ["FileError", ["en", "zh-CN"]]);
    return [code, texts.en];
  };
  const format = "is not an image, and not a text that can be opened: Markdown (.md), HTML (.html) or plain text (.txt).";
  assert.deepEqual(await refused("a.pdf", "%PDF", { type: "text/plain" }), ["unsupported_file", `“a.pdf” ${format}`]);
  assert.deepEqual(await refused("folder", ""), ["unsupported_file", `“folder” ${format}`]);
  assert.deepEqual(await refused("a.txt", [0x61, 0, 0x62]), ["not_text", "“a.txt” is not a text, or in an encoding that is not known. Save it as UTF-8."]);
  assert.deepEqual(await page.evaluate(() => outcome(() => readTextFile(file("a.md", "", "x".repeat(10_000_001)), editor.schema)).then(({ code, message }) => [code, message])), ["file_too_large", "“a.md” is larger than 10 MB."]);
});

test("images stay in the browser under URLs that a service worker answers, until nothing names them", async (t) => {
  const page = await open(t);
  const { urls, type, others, left } = await page.evaluate(async (png) => {
    const images = new inserting.LocalImages({ serviceWorker: "local-images.js" });
    images.start();
    const urls = [await images.keep(file("a.png", "image/png", png)), await images.keep(file("b.svg", "image/svg+xml", "<svg/>"))];
    const type = (await fetch(urls[0])).headers.get("content-type");
    const others = [await images.read("https://images.example/images/own/x.png"), await images.read(`${urls[0]}x`), (await images.read(urls[0])).size];
    await images.removeUnused(async (pattern) => new Set(`<img src="${urls[0]}">`.match(pattern)));
    return { urls, type, others, left: await Promise.all(urls.map(async (url) => (await images.read(url))?.type)) };
  }, PNG);
  assert.match(urls[0], /^http:\/\/127\.0\.0\.1:\d+\/images\/own\/[\w-]{36}\.png$/);
  assert.match(urls[1], /\.svg$/);
  assert.equal(type, "image/png");
  assert.deepEqual(others, [undefined, undefined, PNG.length]);
  assert.deepEqual(left, ["image/png", undefined]);
  await page.reload();
  assert.equal(await page.evaluate(async (url) => (await fetch(url)).status, urls[0]), 200, "also on a later visit");
});

test("an image that cannot be kept is refused with the reason", async (t) => {
  const page = await open(t, { expected: [/status of 404/, /bad HTTP response code \(404\)/] });
  const failures = await page.evaluate(async () => {
    const images = new inserting.LocalImages({ serviceWorker: "missing.js" });
    images.start();
    const large = new File([new Uint8Array(10_000_001)], "large.png", { type: "image/png" });
    const given = [file("a.txt", "text/plain"), large, file("a.png", "image/png")];
    return Promise.all(given.map((one) => outcome(() => images.keep(one)).then(({ code, message }) => [code, message])));
  });
  assert.deepEqual(failures, [
    ["not_an_image", "“a.txt” is not an image."],
    ["image_too_large", "“large.png” is larger than 10 MB. Make it smaller first."],
    ["image_not_kept", "This browser cannot keep images for this page. Use an image from the web."],
  ]);
});

test("docs/insert.md has the service worker of the demo", () => {
  const [, script] = /^```js service-worker\n([^]*?)^```$/m.exec(readFileSync(join(root, "docs/insert.md"), "utf8"));
  assert.equal(script, WORKER);
});
