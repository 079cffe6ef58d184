/** TEMPORARY: stands in for the review of the core. */
import type { Editor } from "@tiptap/core";
import type { Binding } from "./binding.js";
import { Document } from "./document.js";
import type { ApplyResult, Change, DocUpdate, Hunk, NodeJSON } from "./types.js";
import { Fragment, Slice } from "@tiptap/pm/model";
import { ReplaceStep } from "@tiptap/pm/transform";

type Which = "all" | { hunk: string } | { toolId: string } | { turnId: string };
declare module "./document.js" {
  interface Document {
    mode: "auto" | "review";
    hunks(): Hunk[];
    accept(which: Which): { hunks: string[] };
    reject(which: Which): { hunks: string[] };
    undoTurn(turnId: string): { restored: number; left: { from: number; to: number; text: string }[] };
  }
}
const P = Document.prototype as any;
const texts = (n: NodeJSON): string => (n.text ?? "") + (n.content ?? []).map(texts).join("");
P.hunks = () => [];
P.mode = "auto";
let serial = 0;
export function stub(binding: Binding, editor: Editor): void {
  let pending: Hunk[] = [];
  let seen = editor.state.doc;
  const document = binding.document as any;
  editor.on("transaction", ({ transaction: tr }) => {
    if (!tr.docChanged) return;
    pending = pending.map((h) => {
      const inside = !tr.getMeta("copydesk") && h.from < h.to && tr.steps.some((s: any) => s.from < h.to && s.to > h.from || (s.from > h.from && s.from < h.to));
      const from = tr.mapping.map(h.from, 1);
      const to = Math.max(from, tr.mapping.map(h.to, -1));
      return { ...h, from, to, conflict: h.conflict || inside, originalText: tr.doc.textBetween(from, to, "\n", "\ufffc") };
    });
  });
  document.mode = "auto";
  document.hunks = () => pending.slice().sort((a, b) => a.from - b.from);
  const apply = P.apply;
  let trying = false;
  let last: ApplyResult | undefined;
  document.apply = (update: DocUpdate) => {
    if (trying || document.mode === "auto") return (last = apply.call(document, update));
    trying = true;
    try { binding.try(update); } finally { trying = false; }
    const { doc } = editor.state;
    seen = doc;
    const turn = (window as any).stubTurn ?? "t1";
    pending.push(...last!.changes.map((c: Change): Hunk => ({
      id: `h${++serial}`, from: c.from, to: c.to, content: c.content, proposedFrom: 0, proposedTo: 0,
      kind: c.from === c.to ? "insertion" : c.content.length ? "edit" : "deletion", block: 0, conflict: false,
      turnIds: [turn], toolIds: [(window as any).stubTool ?? "c1"], originalText: doc.textBetween(c.from, c.to, "\n", "\ufffc"), newText: c.content.map(texts).join("\n"),
      originalStartLine: 0, originalEndLine: 0, startLine: 0, endLine: 0,
    })));
    binding.onReview?.();
    return last;
  };
  const settle = (take: boolean) => (which: Which) => {
    const isMeant = (h: Hunk) => which === "all" || ("hunk" in which ? h.id === which.hunk : "toolId" in which ? h.toolIds.includes(which.toolId) : h.turnIds.includes(which.turnId));
    const meant = pending.filter(isMeant).sort((a, b) => b.from - a.from);
    pending = pending.filter((h) => !isMeant(h));
    if (take && meant.length) {
      const tr = editor.state.tr;
      for (const h of meant) tr.step(new ReplaceStep(h.from, h.to, new Slice(Fragment.fromJSON(editor.schema, h.content), 0, 0)));
      editor.view.dispatch(tr.setMeta("copydesk", true));
    }
    binding.onReview?.();
    return { hunks: meant.map(({ id }) => id) };
  };
  document.accept = settle(true);
  document.reject = settle(false);
  document.undoTurn = (turnId: string) => { settle(false)({ turnId }); return { restored: 1, left: [] }; };
  void seen;
}
