// Who wrote a document, in the metadata of exported files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { DOMParser } from "@xmldom/xmldom";
import { Authorship, disclosureOf } from "copydesk/authorship";
import { embedImages, toDOCX, toEPUB } from "copydesk/export";
import { Copydesk } from "copydesk/tiptap";
import JSZip from "jszip";
import { examples } from "../exports/examples.mjs";

const { publication } = examples().find(({ name }) => name === "disclosure");

async function xmlIn({ bytes }, path) {
  const file = (await JSZip.loadAsync(bytes)).file(path);
  return file && new DOMParser().parseFromString(await file.async("text"), "text/xml").documentElement;
}

/** The custom properties of a DOCX file. */
async function propertiesOf(file) {
  const root = await xmlIn(file, "docProps/custom.xml");
  return Object.fromEntries([...root.getElementsByTagName("property")].map((one) => [one.getAttribute("name"), one.textContent]));
}

/** The metadata of an EPUB file that a disclosure makes. */
async function metadataOf(file) {
  const root = await xmlIn(file, "EPUB/package.opf");
  const all = [...root.getElementsByTagName("metadata")[0].childNodes].filter(({ nodeType }) => nodeType === 1);
  return all.map((one) => [one.getAttribute("property") || one.nodeName, one.textContent]).filter(([name]) => /^(ai|iptcExt):|contributor|source/.test(name));
}

test("DOCX tells in custom properties who wrote a document", async () => {
  assert.deepEqual(await propertiesOf(await toDOCX(publication)), {
    "ai-disclosure": "mixed",
    "ai-digital-source-type": "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia",
    "ai-agents": "Robot & <b> (m-1, Acme ), AI",
    "ai-characters": "7",
    "people-characters": "6",
    "ai-sources": "https://a.example/?a=1&b=<2>",
  });
});

test("EPUB tells it in its metadata", async () => {
  assert.deepEqual(await metadataOf(await toEPUB(publication)), [
    ["ai:disclosure", "mixed"],
    ["ai:characters", "7"],
    ["ai:people-characters", "6"],
    ["iptcExt:DigitalSourceType", "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"],
    ["dc:contributor", "Robot & <b> (m-1, Acme )"],
    ["ai:role", "agent"],
    ["dc:contributor", "AI"],
    ["ai:role", "agent"],
    ["dc:source", "https://a.example/?a=1&b=<2>"],
  ]);
});

test("a document of people says so, and one without a disclosure says nothing", async () => {
  const people = { ...publication, disclosure: { kind: "none", agents: [], people: 9, sources: [] } };
  assert.deepEqual(await propertiesOf(await toDOCX(people)), { "ai-disclosure": "none", "ai-characters": "0", "people-characters": "9" });
  const { disclosure: _, ...none } = publication;
  assert.deepEqual(await metadataOf(await toEPUB(none)), []);
  assert.doesNotMatch(await (await JSZip.loadAsync((await toDOCX(none)).bytes)).file("docProps/custom.xml").async("text"), /ai-/);
});

test("of an editor with authorship it is known, and survives embedded images", async (t) => {
  const record = { v: 1, agent: { kind: "agent", name: "Robot", model: "m-1" }, time: 5, sources: [] };
  const stored = { records: { a1: record }, ranges: [{ from: 8, to: 13, id: "a1" }] };
  const editor = new Editor({ element: null, extensions: [StarterKit, Copydesk, Authorship.configure({ stored })], content: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Tea is young." }] }] } });
  t.after(() => editor.destroy());
  assert.deepEqual(disclosureOf(editor), { kind: "mixed", agents: [{ name: "Robot", model: "m-1", characters: 5 }], people: 6, sources: [] });
  for (const given of [editor, await embedImages(editor, async () => undefined)]) assert.equal((await propertiesOf(await toDOCX(given)))["ai-agents"], "Robot (m-1)");
});

test("damaged disclosures are refused", async () => {
  for (const disclosure of [null, 7, "mixed", {}, { kind: "x", agents: [], people: 0, sources: [] }, { kind: "mixed", agents: [1], people: 0, sources: [] }, { kind: "mixed", agents: [], people: "0", sources: [] }, { kind: "mixed", agents: [], people: 0 }])
    for (const write of [toDOCX, toEPUB]) await assert.rejects(write({ ...publication, disclosure }), { code: "invalid_parameter" });
});
