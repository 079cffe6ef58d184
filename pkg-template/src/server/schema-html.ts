/**
 * HTML of a schema without a DOM: the wasm has the rules of TipTap's nodes and marks, for those that the schema has.
 */

import type { Schema } from "@tiptap/pm/model";
import { guarded } from "../document/calls.js";
import { Document, handleOf } from "../document/document.js";
import { schemaData } from "../document/schema.js";
import type { NodeJSON } from "../types/index.js";
import type { DocumentSource } from "../wasm/page/copydesk.js";

export class SchemaHTML {
  readonly data: unknown;
  readonly #schema: Schema;
  /** The source of an empty document, which parses and changes nothing. */
  readonly #source: DocumentSource;
  readonly #revision: number;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.data = schemaData(schema);
    const empty = this.#documentOf(schema.topNodeType.createAndFill()?.toJSON().content ?? []);
    this.#source = guarded((wasm) => new wasm.DocumentSource(handleOf(empty)));
    const { update } = JSON.parse(this.#source.begin()) as { update: { revision: number } };
    this.#revision = update.revision;
  }

  /** Returns HTML as a JSON array of blocks. */
  parse(html: string, at: number): string {
    const question = { revision: this.#revision, turn: null, request: { Parse: { html, at } } };
    const [, answer] = this.#source.answer(JSON.stringify(question)) as [unknown, string];
    const { Parsed: parsed, Failed: failed } = JSON.parse(answer) as { Parsed?: string; Failed?: unknown };
    if (parsed === undefined) throw new Error(`the HTML cannot be parsed: ${JSON.stringify(failed)}`);
    return parsed;
  }

  /** Returns blocks as HTML. */
  htmlOf(blocks: readonly NodeJSON[]): string {
    return blocks.length ? this.#documentOf(blocks).toHTML() : "";
  }

  release(): void {
    this.#source.free();
  }

  #documentOf(content: readonly NodeJSON[]): Document {
    return Document.fromJSON({ type: this.#schema.topNodeType.name, content: [...content] }, this.data);
  }
}
