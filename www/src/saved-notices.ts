/** Shows above the document which parts of it are kept, and which are not. */
import type { SavedDocuments, SavedState, SaveProblem } from "copydesk/autosave";
import { download } from "./files";
import type { Messages } from "./locale";
import type { Notices } from "./notices";

/** Shows notices about the state, now and after each change. */
export function showSavedState(saved: SavedDocuments, notices: Notices): void {
  let shown: Partial<SavedState> = { problem: null, previous: null, isElsewhere: false, lostHunks: 0 };
  const draw = () => {
    const now = saved.getSnapshot();
    const before = shown;
    shown = now;
    if (now.problem !== before.problem) showProblem(notices, now.problem, now.setAside);
    if (now.previous !== before.previous) showPrevious(saved, notices, now.previous);
    if (now.isElsewhere && !before.isElsewhere) showElsewhere(saved, notices);
    if (now.lostHunks && !before.lostHunks) notices.show("hunks", (m) => m.storage.lostHunks(now.lostHunks));
  };
  saved.subscribe(draw);
  draw();
}

function showProblem(notices: Notices, problem: SaveProblem | null, setAside: string | null): void {
  if (problem === null) return notices.remove("storage");
  notices.show("storage", (m) => m.storage[problem], [
    ...(problem === "replaced" ? [{ name: (m: Messages) => m.storage.reload, run: () => location.reload() }] : []),
    ...(problem === "unreadable" && setAside !== null
      ? [{ name: (m: Messages) => m.storage.download, run: () => download("copydesk-document.json", setAside) }]
      : []),
  ]);
}

function showPrevious(saved: SavedDocuments, notices: Notices, previous: SavedState["previous"]): void {
  if (!previous) return notices.remove("previous");
  const { opened } = previous;
  const back = () => void saved.bringBack().catch((error: unknown) => console.warn(error));
  notices.show("previous", (m) => (opened ? m.storage.opened(opened) : m.storage.recording), [
    { name: (m) => m.storage.backToDocument, run: back },
    ...(opened ? [{ name: (m: Messages) => m.close, run: () => notices.remove("previous") }] : []),
  ]);
}

/** States that another tab edits the document, with a button that moves it here. */
function showElsewhere(saved: SavedDocuments, notices: Notices): void {
  const moveHere = async () => {
    await saved.takeOver();
    location.reload();
  };
  const name = (m: Messages) => m.storage.moveHere;
  notices.show("elsewhere", (m) => m.storage.elsewhere, [{ name, run: () => void moveHere() }]);
}
