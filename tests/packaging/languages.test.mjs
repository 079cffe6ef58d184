// Languages that are added to those that ship: complete, in their own words, and used by the wasm and the elements.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { addLanguage, Agent, CopydeskError, Document, init } from "copydesk";
import { agentActions, askOf, changeTone, slashBlocks, translateTo } from "copydesk/tiptap";
import { es } from "copydesk/languages/es";
import { words } from "copydesk/ui/words";

const ENGLISH = /\b(?:the|of|and|is|with|was|are|not|this|it|from)\b/gi;
/** Arguments with which every function of words returns a sentence. */
const ARGUMENTS = [[2, 3, 1], ["a", "b", "c"], [["a", "b"], 2, true], [1, "b", 2], []];

/** Calls `check` with each text of a table, as its path and text. Functions are called with several arguments. */
function eachText(table, check, path = "") {
  for (const [name, value] of Object.entries(table)) {
    const at = `${path}.${name}`;
    if (typeof value === "string") check(at, value);
    else if (typeof value === "object" && value) eachText(value, check, at);
    else if (typeof value === "function")
      for (const given of ARGUMENTS)
        try {
          check(at, String(value(...given)));
        } catch (error) {
          assert.ok(error instanceof TypeError, `${at}: ${error}`);
        }
  }
}

/** Returns the paths of a table: those of functions end with `()`. */
function keysOf(table, path = "") {
  return Object.entries(table).flatMap(([name, value]) => {
    if (typeof value === "object" && value && !Array.isArray(value)) return keysOf(value, `${path}.${name}`);
    return `${path}.${name}${typeof value === "function" ? "()" : ""}`;
  });
}

/** Returns the groups of words in a folder of catalogs, by the names of their exports. */
async function catalogsOf(tag) {
  const folder = new URL(`../../pkg/languages/${tag}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith(".js") && file !== "wasm-messages.js");
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(new URL(file, folder))))));
}

/** The groups whose tables are not in `languages/en`: the words of elements. */
const ELSEWHERE = ["conversation", "panels", "attachments", "rowDetails"];
/** Texts that are the same in English and Spanish. */
const SAME = /^(?:Original|Final|Formal|Error|(?:[\d.,]+|NaN) tokens?|chapters\/\*\.md)$/;

test("every language has the words that English has", async () => {
  const english = await catalogsOf("en");
  const groups = Object.keys(english);
  assert.ok(groups.length > 15, String(groups));
  assert.deepEqual(Object.keys(es.words).sort(), [...groups, ...ELSEWHERE].sort());
  const chinese = await catalogsOf("zh-CN");
  assert.deepEqual(Object.keys(chinese).sort(), [...groups].sort());
  for (const [tag, words] of [["zh-CN", chinese], [es.tag, es.words]])
    for (const group of groups)
      assert.deepEqual(keysOf(words[group]).sort(), keysOf(english[group]).sort(), `${group} in ${tag}`);
  const { conversation, panels, attachments, rowDetails } = es.words;
  const own = { ...conversation, ...panels, ...attachments, ...rowDetails };
  assert.deepEqual(keysOf(own).sort(), keysOf(words.en).sort());
  assert.deepEqual(keysOf(words["zh-CN"]).sort(), keysOf(words.en).sort());
});

test("no word of Spanish is English", async () => {
  eachText(es.words, (at, text) => {
    const found = text.match(ENGLISH) ?? [];
    assert.ok(found.length < 2, `${at}: ${text}`);
  });
  const [texts, same] = [new Map(), []];
  eachText({ ...(await catalogsOf("en")), ...words.en }, (at, text) => texts.set(at, text));
  const { conversation, panels, attachments, rowDetails, ...rest } = es.words;
  eachText({ ...rest, ...conversation, ...panels, ...attachments, ...rowDetails }, (at, text) => {
    const isText = /\p{L}{4}/u.test(text.replace(/undefined|true|false/g, "")) && !SAME.test(text);
    if (isText && texts.get(at) === text) same.push(`${at}: ${text}`);
  });
  assert.deepEqual(same, []);
});

test("texts in Chinese are in catalogs only", () => {
  /** Other files with Chinese: tables that the text of users is compared with. */
  const others = [
    "insert/word-lists.ts", "markdown-document/syntax.ts", "project/chapters.ts", "workspace/encoding.ts",
  ];
  const root = new URL("../../pkg-template/src/", import.meta.url);
  const files = readdirSync(root, { recursive: true }).map((file) => file.replaceAll("\\", "/"));
  const isCatalog = (file) => file.startsWith("languages/zh-CN/") || /^ui\/words\/(?:.+-)?zh\.ts$/.test(file);
  const found = files.filter((file) => {
    if (!file.endsWith(".ts") || isCatalog(file)) return false;
    return /\p{Script=Han}/u.test(readFileSync(new URL(file, root), "utf8"));
  });
  assert.deepEqual(found.sort(), others);
});

test("every ready action and block has its words, and no other has", () => {
  const actions = agentActions.flatMap((action) => [action, ...(action.choices ?? [])]);
  const ids = [...actions, ...slashBlocks].map(({ id }) => id);
  assert.deepEqual(Object.keys(es.words.ready).sort(), ids.sort());
  for (const { id, instruction, choices } of actions)
    for (const text of [instruction.en, instruction["zh-CN"], es.words.ready[id].instruction])
      assert.equal(!!text, !choices, `${id} has an instruction for the model`);
});

test("the messages of the wasm are Spanish once the language is added, also after init()", async () => {
  await init();
  const failure = () => {
    const article = Document.fromHTML("<h2>Té</h2><p>Una hoja.</p>", { locale: "es-MX" });
    try {
      article.apply({ operation: "delete", sectionIndex: 4 }, { locale: "es-MX" });
    } catch (error) {
      return error;
    }
    throw new Error("nothing was thrown");
  };
  assert.match(failure().message, /^sectionIndex 4 is out of range/);
  addLanguage(es);
  assert.ok(failure() instanceof CopydeskError);
  assert.equal(
    failure().message,
    "sectionIndex 4 está fuera del intervalo válido: delete admite las secciones 1–1. Llama a get_document para ver el esquema actual.",
  );
});

test("an agent in Spanish gives its model the prompt and the tools in Spanish", async () => {
  await init();
  addLanguage(es);
  let request;
  const agent = new Agent({
    document: Document.fromHTML("<p>Una hoja.</p>"),
    locale: "es",
    llmConfig: {
      model: { api: "openai-completions", modelId: "m" },
      streamOptions: { baseUrl: "https://model.example/v1", apiKey: "k" },
    },
    maxRetries: 0,
    fetch: async (_, { body }) => {
      request = JSON.parse(body);
      return new Response("", { status: 400 });
    },
  });
  const { error } = await agent.prompt("Hola");
  assert.match(error.message, /^El proveedor ha rechazado la petición \(estado 400/);
  assert.match(request.messages[0].content, /^Eres experto en escribir documentos\./);
  const texts = JSON.stringify(request.messages) + JSON.stringify(request.tools.map(({ function: { description } }) => description));
  assert.match(texts, /Documento actual \(1 línea\):/);
  for (const { function: tool } of request.tools) {
    const described = [tool.description, ...Object.values(tool.parameters.properties).map((one) => one.description ?? "")];
    for (const text of described) assert.ok((text.match(ENGLISH) ?? []).length < 2, `${tool.name}: ${text}`);
  }
});

test("placeholders of the wasm's messages are numbers of the English ones", () => {
  for (const [crate, texts] of Object.entries(es.messages))
    for (const text of texts) {
      assert.equal(typeof text, "string", crate);
      for (const [, number] of text.matchAll(/\{(\d)[}|]/g)) assert.ok(Number(number) < 8, `${crate}: ${text}`);
      assert.doesNotMatch(text, /\{[a-z_]+\}/, `${crate}: ${text}`);
    }
});

test("an app's translation and tone have a sentence in each language that they are named in", () => {
  const korean = translateTo("ko", { en: "Korean", "zh-CN": "韩语", es: "coreano" });
  const witty = changeTone("witty", { en: "Witty", "zh-CN": "风趣" });
  addLanguage(es);
  assert.match(askOf(korean, "en").instruction, /^Translate the selected text into Korean\. Keep/);
  assert.match(askOf(korean, "zh").instruction, /^把选中的文字翻译成韩语。/);
  assert.match(askOf(korean, "es-MX").instruction, /^Traduce el texto seleccionado al coreano\. Conserva/);
  assert.match(askOf(witty, "es").instruction, /^Rewrite the selected text in a witty tone\./);
  assert.equal(askOf(agentActions[0], "es").label, "Mejorar");
});
