// Skills in Node: from a real git server, from forges, folders and workspaces; failures and hostile sources.
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryCache, skills } from "copydesk/skills";
import { memoryWorkspace } from "copydesk/workspace";
import { readFrontMatter } from "../../pkg/skills/front-matter.js";
import { readSkill } from "../../pkg/skills/skill-file.js";
import { fakeHost, never, until } from "../skills/host.mjs";
import { folderServer, forgeServer, gitServer, listen, repository, skillText, THREE } from "../skills/servers.mjs";

const NAMES = ["outline", "proofread", "translate"];

/** Connects an agent to sources and waits as it does before a request. */
async function connected(t, list, options = {}, given = {}) {
  const plugin = skills(list, { locale: "en", ...options });
  const host = fakeHost(given);
  const connection = plugin.connect(host);
  t.after(() => connection.close());
  await connection.ready(never);
  return { plugin, host, connection };
}

const isStored = (plugin) => () => plugin.list.every(({ isStored }) => isStored);

test("a source that failed is loaded again for the next agent, and for no agent while it works", async (t) => {
  const files = {};
  const server = await folderServer(t, files);
  const { plugin, host, connection } = await connected(t, [{ id: "tips", source: `${server.url}/tips` }]);
  assert.deepEqual([host.names, plugin.list[0].state], [[], "failed"]);
  assert.equal(host.notices.length, 1);
  const asked = server.requests.length;
  const connect = async () => {
    const next = fakeHost();
    const own = plugin.connect(next);
    t.after(() => own.close());
    await own.ready(never);
    return next;
  };
  await connection.ready(never);
  assert.equal(server.requests.length, asked);
  assert.equal((await connect()).notices.length, 1, "it has failed again");
  assert.ok(server.requests.length > asked);
  files["/tips/SKILL.md"] = skillText("tips");
  const next = await connect();
  assert.deepEqual([next.names, next.notices, host.names], [["tips"], [], ["tips"]]);
  await until(plugin, isStored(plugin));
  const loaded = server.requests.length;
  assert.deepEqual((await connect()).names, ["tips"]);
  assert.equal(server.requests.length, loaded, "what was loaded is not asked for again");
});

test("a git repository is cloned once, read offline afterwards, and refreshed to a newer commit", async (t) => {
  const { home, first, commit } = repository(t);
  const server = await gitServer(t, home, { cors: false });
  const cache = memoryCache();
  const list = [{ id: "tips", source: `${server.url}/tips.git` }];
  const { plugin, host, connection } = await connected(t, list, { cache });
  assert.deepEqual([host.names, host.notices], [NAMES, []]);
  const [outline] = host.contribution.skills;
  assert.deepEqual(outline, { name: "outline", description: "Use it for outline.", content: "# outline\n\nDo outline well.\nSee [the steps](references/steps.md).", files: ["cover.png", "references/steps.md"], trusted: false });
  await until(plugin, isStored(plugin));
  const [state] = plugin.list;
  assert.deepEqual([state.state, state.commit, state.origin, state.skills[0].commit], ["ready", first, `${server.url}/tips.git`, first]);
  const steps = await host.contribution.readSkillFile("outline", "references/steps.md");
  assert.deepEqual([steps.path, steps.text, steps.size], ["skills/outline/references/steps.md", "1. Read.\n2. Write.\n", 19]);
  assert.match(steps.version, /^[0-9a-f]{16}$/);
  assert.match((await host.contribution.readSkillFile("outline", "SKILL.md")).text, /^---\nname: outline/);
  const count = server.requests.length;
  // The refs, and for the fetch the refs again and the pack.
  assert.equal(count, 3, server.requests.join("\n"));

  // Another one with the same cache, as after a reload.
  const again = await connected(t, list, { cache });
  assert.deepEqual(again.host.names, NAMES);
  await until(again.plugin, isStored(again.plugin));
  assert.equal(server.requests.length, count, "nothing is fetched twice");
  await plugin.refresh("tips");
  assert.deepEqual(server.requests.slice(count).length, 1, "the same commit is not fetched again");

  const second = commit({ "skills/outline/SKILL.md": skillText("outline", "Now shorter.\n") });
  const provided = host.provided;
  await plugin.refresh("tips");
  assert.deepEqual([plugin.list[0].commit, host.names, host.provided - provided], [second, ["outline"], 1]);
  assert.match(host.contribution.skills[0].content, /Now shorter\.$/);
  await assert.rejects(host.contribution.readSkillFile("outline", "references/steps.md"), { code: "file_not_found" });
  await until(plugin, isStored(plugin));

  await server.close();
  const offline = await connected(t, list, { cache });
  assert.deepEqual([offline.host.names, offline.host.notices], [["outline"], []]);
  await plugin.refresh("tips");
  assert.deepEqual([plugin.list[0].state, plugin.list[0].error.code, host.names], ["ready", "skill_unreachable", ["outline"]]);
  assert.deepEqual(host.codes, ["skill_unreachable"]);
  connection.close();
});

test("a branch, a tag and a commit of a git server are read, and others are named", async (t) => {
  const { home, git, first, commit } = repository(t);
  git("tag", "-a", "v1", "-m", "One");
  const second = commit({ "SKILL.md": skillText("tips") });
  git("branch", "feature/x");
  const server = await gitServer(t, home);
  const source = `${server.url}/tips.git`;
  const list = [
    { id: "main", source },
    { id: "tag", source, ref: "v1", path: "skills/outline" },
    { id: "branch", source, ref: "feature/x" },
    { id: "commit", source, ref: second },
    { id: "none", source, ref: "v9" },
  ];
  const { plugin, host } = await connected(t, list);
  const [main, tag, branch, pinned, none] = plugin.list;
  assert.deepEqual([main.commit, tag.commit, branch.commit, pinned.commit], [second, first, second, second]);
  assert.deepEqual([main.skills[0].name, tag.skills[0].name, none.state, none.error.code], ["tips", "outline", "failed", "skill_ref_not_found"]);
  assert.match(none.error.message, /no branch, tag or commit v9/);
  // Three sources have the same skill: the first one counts.
  assert.deepEqual([host.names, host.codes.sort()], [["tips", "outline"], ["skill_duplicate", "skill_ref_not_found"]]);
});

const URLS = {
  github: ["/ann/tips", "/ann/tips.git", "/ann/tips/tree/main/skills", "/ann/tips/blob/main/skills/outline/SKILL.md", "/raw/ann/tips/refs/heads/main/skills/outline"],
  gitlab: ["/ann/tips", "/ann/tips.git", "/ann/tips/-/tree/main/skills", "/ann/tips/-/blob/main/skills/outline/SKILL.md", "/ann/tips/-/raw/main/skills/outline/SKILL.md"],
  gitea: ["/ann/tips", "/ann/tips.git", "/ann/tips/src/branch/main/skills", "/ann/tips/src/branch/main/skills/outline/SKILL.md", "/ann/tips/raw/branch/main/skills/outline"],
  bitbucket: ["/ann/tips", "/ann/tips.git", "/ann/tips/src/main/skills", "/ann/tips/src/main/skills/outline/SKILL.md", "/ann/tips/raw/main/skills/outline"],
};

for (const [type, urls] of Object.entries(URLS)) {
  test(`a repository is read by the URLs and the API of ${type}, and is there offline`, async (t) => {
    const { first, ...local } = repository(t, { ...THREE, ...Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`notes/${at}.txt`, `${at}`])) });
    const server = await forgeServer(t, type, local);
    const cache = memoryCache();
    const options = { cache, forges: [{ type, url: `${server.url}/` }] };
    const found = [];
    for (const url of urls) {
      const { plugin, host } = await connected(t, [{ id: "tips", source: server.url + url }], options);
      found.push(host.names.join());
      assert.deepEqual([host.notices, plugin.list[0].commit], [[], first], url);
      await until(plugin, isStored(plugin));
    }
    assert.deepEqual(found, [NAMES.join(), NAMES.join(), NAMES.join(), "outline", "outline"]);
    const missing = await connected(t, [{ id: "tips", source: `${server.url}/ann/tips`, ref: "nope" }], options);
    assert.deepEqual(missing.host.codes, ["skill_ref_not_found"]);
    // What several URLs name is fetched once.
    const files = server.requests.filter((request) => /SKILL\.md|steps\.md|cover\.png/.test(decodeURIComponent(request)));
    assert.equal(new Set(files).size, files.length, files.join("\n"));
    assert.equal(files.length, 5);
    await server.close();
    const { host } = await connected(t, [{ id: "tips", source: server.url + urls[0] }], options);
    assert.deepEqual(host.names, NAMES);
    assert.equal((await host.contribution.readSkillFile("outline", "references/steps.md")).text, "1. Read.\n2. Write.\n");
    await assert.rejects(host.contribution.readSkillFile("outline", "cover.png"), { code: "not_text" });
  });
}

test("a folder on a web server is read with the files that SKILL.md links to, and is there offline", async (t) => {
  const links = "[a](guide/a.md#top) ![b](b.txt?x=1) [c][ref] [out](../secret.md) [abs](https://example.test/x.md) [esc](x%2F..%2F..%2Fsecret.md) `[no](no.md)`\n\n[ref]: <with space.md>\n";
  const files = { "/s/skill/SKILL.md": skillText("tips", links), "/s/skill/guide/a.md": "A", "/s/skill/b.txt": "B", "/s/skill/with space.md": "C", "/s/secret.md": "secret" };
  const server = await folderServer(t, files);
  const cache = memoryCache();
  const list = [{ id: "a", source: `${server.url}/s/skill/`, trusted: true }];
  const { plugin, host } = await connected(t, list, { cache });
  await until(plugin, isStored(plugin));
  assert.deepEqual(host.contribution.skills[0].files, ["b.txt", "guide/a.md", "with space.md"]);
  assert.deepEqual([host.contribution.skills[0].trusted, plugin.list[0].commit], [true, undefined]);
  assert.deepEqual(host.codes, ["skill_files_skipped"]);
  assert.deepEqual(server.requests.map((request) => decodeURIComponent(request)).sort(), ["GET /s/skill/SKILL.md", "GET /s/skill/b.txt", "GET /s/skill/guide/a.md", "GET /s/skill/with space.md"]);
  files["/s/skill/SKILL.md"] = skillText("tips", "[a](guide/a.md)\n");
  files["/s/skill/guide/a.md"] = "A2";
  await plugin.refresh("a");
  await until(plugin, isStored(plugin));
  assert.deepEqual(host.contribution.skills[0].files, ["guide/a.md"]);
  await server.close();
  const offline = await connected(t, [{ ...list[0], source: `${server.url}/s/skill/SKILL.md` }], { cache });
  assert.equal((await offline.host.contribution.readSkillFile("tips", "guide/a.md")).text, "A2");
  await offline.plugin.removeFromCache("a");
  const removed = await connected(t, list, { cache });
  assert.deepEqual([removed.host.names, removed.host.codes], [[], ["skill_unreachable"]]);
});

test("a folder of the workspace is read, trusted, and followed; README.md stands in for SKILL.md", async (t) => {
  const workspace = memoryWorkspace({ "how/to write/README.md": "# Writing\n\n[![badge](b.svg)](x)\n\nShort *sentences*.\n\nMore.\n", "how/to write/more.md": "More.", "other.md": "x" }, { locale: "en" });
  t.after(() => workspace.close());
  const { plugin, host } = await connected(t, [{ id: "own", source: "how" }], {}, { workspace });
  assert.deepEqual(host.contribution.skills, [{ name: "to-write", description: "Short sentences.", content: "# Writing\n\n[![badge](b.svg)](x)\n\nShort *sentences*.\n\nMore.", files: ["more.md"], trusted: true }]);
  assert.deepEqual(await host.contribution.readSkillFile("to-write", "more.md").then(({ path, text }) => [path, text]), ["skills/to-write/more.md", "More."]);
  assert.deepEqual(host.contribution.readOnlyPaths, ["how"]);
  await workspace.write("how/edit/SKILL.md", skillText("edit"));
  await until(plugin, () => host.names.join() === "edit");
  const root = await connected(t, [{ id: "own", source: "." }], {}, { workspace });
  assert.deepEqual([root.host.contribution.skills.map(({ name, trusted }) => [name, trusted]), root.host.contribution.readOnlyPaths], [[["edit", false]], ["**/SKILL.md", "**/README.md", "how/edit"]]);
  await workspace.remove("how/edit/SKILL.md");
  await until(plugin, () => host.names.join() === "to-write");
  for (const [path, code] of [["../other.md", "invalid_path"], ["/etc/passwd", "invalid_path"], ["a/../../other.md", "invalid_path"], [".env", "invalid_path"], ["nope.md", "file_not_found"]])
    await assert.rejects(host.contribution.readSkillFile("to-write", path), { code }, path);
  await assert.rejects(host.contribution.readSkillFile("other", "more.md"), { code: "file_not_found" });
  const without = await connected(t, [{ id: "own", source: "how" }]);
  assert.deepEqual(without.host.codes, ["skill_no_workspace"]);
});

test("a source that fails is named with its cause, in both languages, and the others load", async (t) => {
  const html = (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Log in</title>");
  const elsewhere = await folderServer(t, { "/SKILL.md": skillText("evil") });
  const redirect = (to) => (_, response) => response.writeHead(302, { location: to }).end();
  const status = (code, headers = {}) => (_, response) => response.writeHead(code, headers).end();
  const server = await folderServer(t, {
    "/good/SKILL.md": skillText("good"),
    "/moved/SKILL.md": redirect("/good/SKILL.md"),
    "/yaml/SKILL.md": "---\n[a, b\n---\nText.",
    "/open/SKILL.md": "---\nname: a\ndescription: b\n\nText.",
    "/login/SKILL.md": html,
    "/page/SKILL.md": "<!DOCTYPE html><p>Log in",
    "/away/SKILL.md": redirect(`${elsewhere.url}/SKILL.md`),
    "/loop/SKILL.md": redirect("/loop/SKILL.md"),
    "/denied/SKILL.md": status(403),
    "/often/SKILL.md": status(429, { "retry-after": "60" }),
    "/broken/SKILL.md": status(500),
    "/lfs/SKILL.md": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
    "/binary/SKILL.md": Buffer.from([0xff, 0xfe, 0x00]),
    "/empty/SKILL.md": "---\nname: a\ndescription: b\n---\n",
  });
  const git = await folderServer(t, { "/x.git/info/refs": html });
  const causes = {
    good: undefined, yaml: "skill_invalid", open: "skill_invalid", login: "skill_html", page: "skill_html", away: "skill_redirected", loop: "skill_unreachable",
    denied: "skill_denied", often: "skill_rate_limited", broken: "skill_unreachable", lfs: "skill_invalid", binary: "skill_invalid", empty: "skill_invalid", none: "skill_missing",
  };
  const list = [
    ...Object.keys(causes).map((id) => ({ id, source: `${server.url}/${id}` })),
    { id: "down", source: "http://127.0.0.1:1/x" },
    { id: "git", source: `${git.url}/x.git` },
    { id: "no-git", source: `${git.url}/y.git` },
  ];
  const { plugin, host } = await connected(t, list, { timeoutMs: 5000 });
  const found = Object.fromEntries(plugin.list.map(({ id, error }) => [id, error?.code]));
  assert.deepEqual(found, { ...causes, down: "skill_unreachable", git: "skill_not_git", "no-git": "skill_not_found" });
  assert.deepEqual(host.names, ["good"]);
  assert.equal(host.codes.length, list.length - 1);
  assert.deepEqual(elsewhere.requests, [], "the other server was not asked");
  const chinese = await connected(t, list, { timeoutMs: 5000 }, { locale: "zh-CN" });
  for (const { message } of chinese.host.notices) assert.match(message, /\p{Script=Han}/u);
  for (const { message } of host.notices) assert.doesNotMatch(message, /\p{Script=Han}|undefined|\[object/u);
  // A redirect within the server is followed.
  assert.deepEqual((await connected(t, [{ id: "moved", source: `${server.url}/moved` }])).host.names, ["good"]);
});

test("a load is waited for within the time limit, once; its skills come later", async (t) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const server = await folderServer(t, {
    "/slow/SKILL.md": async (_, response) => (await held, response.end(skillText("slow"))),
    "/never/SKILL.md": () => {},
    "/good/SKILL.md": skillText("good"),
  });
  const list = ["good", "slow", "never"].map((id) => ({ id, source: `${server.url}/${id}` }));
  const plugin = skills(list, { locale: "en", timeoutMs: 150 });
  const host = fakeHost();
  const connection = plugin.connect(host);
  t.after(() => connection.close());
  const stopped = new AbortController();
  stopped.abort();
  await connection.ready(stopped.signal);
  assert.deepEqual(host.notices, []);
  await connection.ready(never);
  assert.deepEqual([host.names, host.codes], [["good"], ["skill_late", "skill_late"]]);
  const late = new Promise((resolve) => setTimeout(resolve, 10, "late"));
  assert.equal(await Promise.race([connection.ready(never).then(() => "at once"), late]), "at once");
  release();
  await until(plugin, () => host.names.length === 2);
  await until(plugin, () => plugin.list[2].state === "failed");
  assert.deepEqual(host.codes.slice(2), ["skill_timeout"]);
});

test("disabling, other sources and trust take effect at once, without loading again", async (t) => {
  const server = await folderServer(t, { "/a/SKILL.md": skillText("alpha"), "/b/SKILL.md": skillText("beta") });
  const [a, b] = ["a", "b"].map((id) => ({ id, source: `${server.url}/${id}` }));
  const { plugin, host, connection } = await connected(t, [a, { ...b, enabled: false }]);
  assert.deepEqual([host.names, plugin.list.map(({ state }) => state)], [["alpha"], ["ready", "disabled"]]);
  assert.equal(server.requests.length, 1);
  plugin.configure([{ ...a, enabled: false }, b]);
  assert.deepEqual([host.names, plugin.list[0].skills.length], [[], 1]);
  await connection.ready(never);
  assert.deepEqual(host.names, ["beta"]);
  plugin.configure([b, { ...a, trusted: true }]);
  assert.deepEqual(host.contribution.skills.map(({ name, trusted }) => [name, trusted]), [["beta", false], ["alpha", true]]);
  assert.equal(server.requests.length, 2);
  const before = host.provided;
  plugin.configure([b, { ...a, trusted: true }]);
  assert.equal(host.provided, before, "nothing changed, nothing is provided");
  connection.close();
  plugin.configure([]);
  assert.equal(host.provided, before);
});

test("a configuration with a fault is refused, and a password is never shown", () => {
  const wrong = [
    [{ id: "", source: "x" }], [{ id: "a", source: "" }], [{ id: "a" }], [{ id: "a", source: "x" }, { id: "a", source: "y" }], [{ id: "a", source: "ftp://x.test/y" }],
    [{ id: "a", source: "https://github.com/ann" }], [{ id: "a", source: "x", path: "../y" }], [{ id: "a", source: "a/../../b" }], [{ id: "a", source: "https://x.test/a.git", ref: "--upload-pack=x" }], 5,
    [{ id: "a", source: "https://ann:s3cret@x.test/y.git" }], [{ id: "a", source: "https://s3cret@github.com/ann/tips" }],
  ];
  for (const list of wrong) {
    assert.throws(() => skills(list), ({ code, message, details }) => code === "invalid_parameter" && !/s3cret/.test(message + JSON.stringify(details)), JSON.stringify(list));
  }
  const [state] = skills([{ id: "a", source: "https://x.test/y?token=s3cret", enabled: false }]).list;
  assert.doesNotMatch(JSON.stringify(state), /s3cret/);
});

test("the front matter is read safely, and what breaks the format is mended and named", async (t) => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh".split("").map((name, at) => `${name}: &${name} [${`*${"abcdefg"[at]},`.repeat(9)}]`).join("\n")}`;
  const matters = {
    ok: "name: ok\ndescription: >\n  Two\n  lines.\nlicense: MIT\ncompatibility: Any\nmetadata:\n  author: Ann\n  version: 1.0\nallowed-tools: Read Write",
    Loud_Name: "name: Loud Name!\ndescription: x",
    folder: "name: another\ndescription: x",
    unnamed: "description: x",
    plain: "name: plain",
    colon: "name: colon\ndescription: Use it when: the \"user\" asks \\n: twice\nlicense: 'A: B'",
    long: `name: long\ndescription: ${"很".repeat(2000)}`,
    bomb: `name: bomb\ndescription: x\n${bomb}`,
    tag: "name: !!js/function 'x'\ndescription: x",
    custom: "name: custom\ndescription: !boom x",
    twice: "name: twice\nname: two\ndescription: x",
    deep: `name: deep\ndescription: x\nx: ${"[".repeat(20_000)}`,
    list: "- a\n- b",
    huge: `name: huge\ndescription: x\nx: ${"y".repeat(70_000)}`,
    proto: "name: proto\ndescription: x\n__proto__: { polluted: true }",
    "中文": "name: 中文\ndescription: x",
  };
  const files = Object.fromEntries(Object.entries(matters).map(([folder, matter]) => [`s/${folder}/SKILL.md`, `---\r\n${matter.replaceAll("\n", "\r\n")}\r\n---\r\n\r\nFirst paragraph.\r\n`]));
  files["s/bare/SKILL.md"] = "\ufeffNo front matter.\n";
  const workspace = memoryWorkspace(files, { locale: "en" });
  t.after(() => workspace.close());
  const { plugin, host } = await connected(t, [{ id: "own", source: "s" }], {}, { workspace });
  const [{ skills: found, warnings }] = plugin.list;
  assert.deepEqual(found.map(({ name }) => name).sort(), ["another", "bare", "bomb", "colon", "custom", "deep", "js-function-x", "long", "loud-name", "ok", "plain", "proto", "two", "unnamed"]);
  const ok = found.find(({ name }) => name === "ok");
  assert.deepEqual([ok.description, ok.license, ok.compatibility, ok.allowedTools, ok.metadata, ok.content], ["Two lines.", "MIT", "Any", "Read Write", { author: "Ann", version: "1.0" }, "First paragraph."]);
  const colon = found.find(({ name }) => name === "colon");
  assert.deepEqual([colon.description, colon.license], ['Use it when: the "user" asks \\n: twice', "A: B"]);
  assert.equal(found.find(({ name }) => name === "plain").description, "First paragraph.");
  assert.equal(found.find(({ name }) => name === "long").description.length, 1024);
  assert.equal({}.polluted, undefined);
  const count = (code) => warnings.filter((one) => one.code === code).length;
  assert.deepEqual([count("skill_invalid"), count("skill_adapted")], [3, 14], JSON.stringify(warnings, null, 1));
  assert.equal(host.notices.length, 17);
});

test("a name and a description that a person can read are read, whatever YAML says of them", async () => {
  const read = async (matter, fence = "---") => {
    const about = { origin: "x", path: "x/SKILL.md", folderName: "x", isNamedByFolder: false, isReadme: false };
    const { skill, remarks } = await readSkill(`---\n${matter}\n${fence}\nText.\n`, about);
    return { name: skill.name, description: skill.description, metadata: skill.metadata, isMended: remarks.length > 0 };
  };
  // The value as it is written, and as it is read.
  const values = {
    "Begins here\n  and goes on: with a colon\n  and ends.": "Begins here and goes on: with a colon and ends.",
    "Begins here\nand goes on without indentation.": "Begins here and goes on without indentation.",
    '"Quoted" words begin it.': '"Quoted" words begin it.',
    "'One' or 'two'": "'One' or 'two'",
    '"One" or "two"': '"One" or "two"',
    "*Bold* words begin it.": "*Bold* words begin it.",
    "{x} is replaced.": "{x} is replaced.",
    "[Draft] of a tool": "[Draft] of a tool",
    "[a, b": "[a, b",
    "@ann wrote it.": "@ann wrote it.",
    "`code` begins it.": "`code` begins it.",
    "%x is a format.": "%x is a format.",
    "& so on.": "& so on.",
    "!important things": "!important things",
    "- a dash": "- a dash",
    "? a question": "? a question",
    "Use when: asked: twice": "Use when: asked: twice",
    "'Don't do it by hand'": "Don't do it by hand",
    '"Says "hello" to all"': 'Says "hello" to all',
    '"\\d+ is no escape of YAML"': "\\d+ is no escape of YAML",
    ">\nNot indented.": "Not indented.",
    "|-\n  One: a\n  Two": "One: a Two",
    "写作时使用：先列提纲": "写作时使用：先列提纲",
    "1.10": "1.10",
  };
  for (const [written, expected] of Object.entries(values)) {
    for (const rest of ["", "\nlicense: MIT", "\nmetadata:\n\tauthor: Ann\n\tversion: 1.0", "\nlicense: A\nlicense: B", "\nnote: *x"]) {
      const { name, description, metadata } = await read(`name: plain\ndescription: ${written}${rest}`);
      assert.deepEqual([name, description], ["plain", expected], written + rest);
      if (rest.includes("metadata")) assert.deepEqual(metadata, { author: "Ann", version: "1.0" }, written);
    }
    assert.deepEqual((await read(`description: ${written}\nname: plain`)).description, expected, written);
  }
  assert.deepEqual((await read("name: plain\ndescription: All is well.")).isMended, false);
  assert.deepEqual((await read("name: plain\ndescription: @x")).isMended, true);
  assert.equal((await read("name: one\nname: two\ndescription: x")).name, "two");
  assert.equal((await read('"name": quoted\n\'description\': x')).name, "quoted");
  assert.equal((await read("name: dots\ndescription: x", "...")).name, "dots");
});

test("hostile front matter takes time in proportion to its length", async () => {
  const yaml = await import("js-yaml");
  const families = {
    keys: ["? ", "x"], lists: ["- ", "x"], mixed: ["? - ", "x"], open: ["[", ""], flows: ["[", "]"], maps: ["{a: ", "}"], "flow keys": ["{? ", "}"], braces: ["{", "}"], merges: ["<<: ", ""],
    tags: ["!a ", "x"], anchors: ["&a ", "x"], "same keys": ["a: 1\n", ""], comments: ["#\n", "a: b"], quotes: ["''", "'"], escapes: ["\\x41", '"'], folds: ["  x\n\n", ""], colons: ["x: ", ""], lines: ["a:\n", ""],
    documents: ["---\n", ""], digits: ["1_", "x"], aliases: ["*a ", ""], blanks: ["\n ", "a"], spaces: [" ", "b"], tabs: ["\t", "b"], "nested lists of keys": ["- ? - ", "x"], percent: ["%a b\n", ""],
  };
  // Of the process, so that what else runs on the machine does not count; in ms.
  const took = (text, runs) => {
    let best = Infinity;
    for (let run = 0; run < runs; run++) {
      const start = process.cpuUsage();
      try {
        readFrontMatter(text, yaml);
      } catch {
        // Most of them are no YAML; only the work counts.
      }
      const { user, system } = process.cpuUsage(start);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  };
  for (const [name, [one, end]] of Object.entries(families)) {
    for (const start of ["", "a: ", "name: x\na: '", 'a: "']) {
      const of = (length) => start + one.repeat(length / one.length) + end.repeat(end === "x" ? 1 : Math.min(1000, length / one.length));
      // Work that grows with the square would take 4 times as long; that of short texts is not measurable.
      const isTooMuch = ([half, whole]) => whole >= 3.5 * half + 100;
      const times = (runs) => [took(of(32_000), runs), took(of(64_000), runs)];
      const first = times(1);
      const [half, whole] = isTooMuch(first) ? times(3) : first;
      assert.ok(!isTooMuch([half, whole]), `${name} after ${JSON.stringify(start)}: ${half} ms, then ${whole} ms`);
    }
  }
});

test("a source of 50 MB is given up at the limit while it is downloaded, and so are too many files", async (t) => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024, "a");
  const endless = (_, response) => {
    response.on("error", () => {});
    const more = () => {
      while (sent < 50_000_000 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return response.once("drain", more);
      }
      response.end();
    };
    more();
  };
  const server = await folderServer(t, { "/big/SKILL.md": endless, "/x.git/info/refs": endless, "/half/SKILL.md": skillText("half", "[a](big.txt) [b](small.txt)"), "/half/big.txt": endless, "/half/small.txt": "small" });
  for (const source of ["/big", "/x.git"]) {
    sent = 0;
    const { host } = await connected(t, [{ id: "big", source: server.url + source }], { maxBytes: 1_000_000 });
    assert.deepEqual([host.names, host.codes], [[], ["skill_too_large"]], source);
    // Buffers of the system hold some more.
    assert.ok(sent < 20_000_000, `${sent} bytes of ${source}`);
  }
  sent = 0;
  const { plugin, host } = await connected(t, [{ id: "half", source: `${server.url}/half` }], { maxBytes: 1_000_000 });
  await until(plugin, () => host.codes.length > 0);
  assert.deepEqual([host.names, host.codes], [["half"], ["skill_files_skipped"]]);
  assert.ok(sent < 20_000_000);

  const { home } = repository(t, { "SKILL.md": skillText("many"), ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f/${at}.md`, "x"])) });
  const git = await gitServer(t, home);
  const many = await connected(t, [{ id: "many", source: `${git.url}/tips.git` }], { maxFiles: 50 });
  assert.deepEqual([many.host.contribution.skills[0].files.length, many.host.codes], [50, ["skill_files_skipped"]]);
  assert.match(many.host.notices[0].message, /^250 files/);

  // git compresses 50 MB of one letter to a few.
  const packed = repository(t, { "a/SKILL.md": skillText("a") + "a".repeat(50_000_000), "b/SKILL.md": skillText("b"), "b/big.txt": "b".repeat(50_000_000) });
  const bomb = await connected(t, [{ id: "x", source: `${(await gitServer(t, packed.home)).url}/tips.git` }]);
  await until(bomb.plugin, () => bomb.host.codes.length > 1);
  assert.deepEqual([bomb.host.names, bomb.host.codes, bomb.host.contribution.skills[0].files], [["b"], ["skill_too_large", "skill_files_skipped"], []]);
});

test("links, submodules, LFS and escapes in a repository are left out and named", async (t) => {
  const lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
  const local = repository(t, { "skills/a/SKILL.md": skillText("a"), "skills/a/data.md": lfs, "skills/a/.hidden/x.md": "x", "skills/a/ok.md": "ok", "skills/a/back\\slash.md": "A name that isomorphic-git refuses.", "top.md": "secret" }, { "skills/a/passwd": "/etc/passwd", "skills/b/SKILL.md": "../../top.md" });
  local.git("update-index", "--add", "--cacheinfo", `160000,${local.first},skills/a/module`);
  local.git("commit", "-qm", "Add a submodule");
  const git = await gitServer(t, local.home);
  const forge = await forgeServer(t, "github", local);
  const forges = [{ type: "github", url: forge.url }];
  for (const source of [`${git.url}/tips.git`, `${forge.url}/ann/tips`]) {
    const { plugin, host } = await connected(t, [{ id: "x", source }], { forges });
    await until(plugin, isStored(plugin));
    assert.deepEqual([host.names, host.contribution.skills[0].files], [["a"], ["ok.md"]], source);
    assert.deepEqual(host.codes.sort(), [...Array(4).fill("skill_files_skipped"), "skill_invalid"], source);
    for (const path of ["passwd", "module", "data.md", "../../top.md"]) await assert.rejects(host.contribution.readSkillFile("a", path), { name: "CopydeskError" });
  }
});

test("random answers of a forge never lead outside of a skill", async (t) => {
  const seed = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
  t.diagnostic(`seed ${seed}`);
  let state = seed;
  const random = (below) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), Math.floor((state / 2 ** 32) * below));
  const pick = (items) => items[random(items.length)];
  const parts = ["skills", "a", "b", "..", ".", ".git", "", "SKILL.md", "README.md", "c:", "x\\y", "con", "e\u0301", "é", "\u202e", "a\0b", " ", "long".repeat(80), "steps.md"];
  const odd = [null, 5, {}, [], "x", true, -1, 1e300];
  let asked = [];
  const server = await listen(t, (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    response.setHeader("content-type", "application/json");
    if (pathname.includes("/commits/")) return response.end(JSON.stringify({ sha: "a".repeat(40) }));
    if (pathname.includes("/git/trees/")) return response.end(JSON.stringify(random(20) === 0 ? pick(odd) : { tree }));
    asked.push(decodeURIComponent(pathname.slice(`/raw/ann/tips/${"a".repeat(40)}/`.length)));
    return response.end(pathname.endsWith(".md") ? pick([skillText("any"), "text", "", "---\nname: [\n---\nx"]) : "data");
  });
  let tree;
  let count = 0;
  for (let round = 0; round < 150; round++) {
    asked = [];
    tree = Array.from({ length: random(30) }, () => ({
      path: random(15) === 0 ? pick(odd) : Array.from({ length: 1 + random(4) }, () => pick(parts)).join("/"),
      mode: random(10) === 0 ? pick(odd) : pick(["100644", "100644", "100755", "120000", "160000", "040000"]),
      size: random(10) === 0 ? pick(odd) : random(1000),
    }));
    if (random(3)) tree.push(...["skills/a/SKILL.md", "skills/a/x.md", "skills/a/y.md", "skills/b/SKILL.md", "skills/b/x.md"].map((path) => ({ path, mode: "100644" })));
    const { plugin, host } = await connected(t, [{ id: "x", source: `${server.url}/ann/tips` }], { cache: memoryCache(), forges: [{ type: "github", url: server.url }] });
    await until(plugin, () => plugin.list[0].state === "failed" || plugin.list[0].isStored);
    for (const { files, name } of host.contribution.skills) {
      assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      for (const path of files) {
        assert.doesNotMatch(path, /(?:^|\/)\.|^\/|\\|:|\0/);
        assert.equal(path, path.normalize("NFC"));
        count++;
        await host.contribution.readSkillFile(name, path);
      }
    }
    const real = new Set(tree.filter(({ mode }) => typeof mode === "string" && mode.startsWith("100")).map(({ path }) => path));
    for (const path of asked) assert.ok(real.has(path) && !path.split("/").includes(".."), path);
  }
  assert.ok(count > 50, `${count} files`);
});

test("a cache that fails is named, and the skills work without it", async (t) => {
  const server = await folderServer(t, { "/a/SKILL.md": skillText("alpha", "[x](x.md)"), "/a/x.md": "X" });
  const fail = () => Promise.reject(new Error("the disk is full"));
  const { plugin, host } = await connected(t, [{ id: "a", source: `${server.url}/a` }], { cache: { get: fail, set: fail, remove: fail } });
  await until(plugin, () => host.codes.length > 0);
  assert.deepEqual([host.names, host.codes, plugin.list[0].isStored], [["alpha"], ["skill_not_stored"], false]);
  assert.equal((await host.contribution.readSkillFile("alpha", "x.md")).text, "X");
  assert.equal(server.requests.length, 2);
});
