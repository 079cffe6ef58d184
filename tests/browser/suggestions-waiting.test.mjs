// copydesk/suggestions: suggestions for the same text, of which one is pending and the others wait.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const open = opener("suggestions");

test("a suggestion that waits stays in its paragraph when somebody splits or joins that, also after an acceptance was undone", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(async () => {
    const rows = [];
    const at = ({ editor }, text) => {
      let found;
      editor.state.doc.descendants((node, position) => void (node.isText && node.text.includes(text) && (found ??= position + node.text.indexOf(text))));
      return found;
    };
    const split = (peer, text) => peer.editor.chain().setTextSelection(at(peer, text)).splitBlock().run();
    const changes = {
      "split before it": (peer) => split(peer, " leaf"),
      "split at its start": (peer) => split(peer, "leaf"),
      join: (peer) => peer.editor.chain().setTextSelection(at(peer, "One")).joinBackward().run(),
    };
    for (const name of ["Ada", "Bo", "Cy"]) {
      for (const [change, make] of Object.entries(changes)) {
        for (const isUndone of [false, true]) {
          const room = new Room();
          const [ada, bo] = [room.join("Ada"), room.join("Bo")];
          room.join("Cy", { plain: true });
          ada.editor.commands.setContent("<p>Tea is old.</p><p>One leaf here.</p><p>A cup.</p>");
          await room.settle();
          bo.replace("leaf", "herb");
          ada.replace("leaf", "bush");
          await room.settle();
          if (isUndone) {
            ada.document.accept("all");
            await room.settle();
            ada.undo();
            await room.settle();
          }
          const stored = () => JSON.stringify(ada.doc.getMap("copydesk:places"));
          const before = stored();
          make(room.peers.find((peer) => peer.name === name));
          await room.until(() => stored() !== before);
          // Somebody who comes later has what is stored.
          const dee = room.join("Dee");
          await room.settle();
          const pages = [ada, bo, dee];
          const states = pages.map(({ editor }) => editor.storage.suggestions.list.map(({ state }) => state).join());
          ada.document.reject("all");
          await room.settle();
          const left = pages.map((peer) => peer.proposed().replace(/herb|bush/, "new") + peer.hunks().map(({ originalText, conflict }) => originalText + conflict));
          rows.push([name, change, isUndone, [...new Set(states)].join(), [...new Set(left)].join()]);
          room.close();
        }
      }
    }
    return rows;
  });
  const texts = {
    "split before it": "<p>Tea is old.</p><p>One</p><p> new here.</p><p>A cup.</p>leaffalse",
    "split at its start": "<p>Tea is old.</p><p>One </p><p>new here.</p><p>A cup.</p>leaffalse",
    join: "<p>Tea is old.One new here.</p><p>A cup.</p>leaffalse",
  };
  const rows = ["Ada", "Bo", "Cy"].flatMap((name) =>
    Object.entries(texts).flatMap(([change, text]) => [false, true].map((isUndone) => [name, change, isUndone, "pending,waiting", text])),
  );
  assert.deepEqual(seen, rows);
});
