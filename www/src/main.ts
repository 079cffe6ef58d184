/** The demo page: creates the layout, and opens the user's own document, or the room that the URL names. */
import "./preload";
import "copydesk/actions.css";
import "copydesk/review.css";
import "./styles/tokens.css";
import "./styles/layout.css";
import "./styles/page.css";
import "./styles/review.css";
import "./styles/actions.css";
import "./styles/chat.css";
import "./styles/dialog.css";
import "./styles/files.css";
import "./styles/find.css";
import { openDocument } from "./document-page";
import { Engine } from "./engine";
import { layOut } from "./layout";
import { loadPart, reasonOf } from "./lazy";
import { loadLocale } from "./locale";

// Not awaited: a language is in a file that imports this one.
void loadLocale().then(start);

function start(): void {
  const layout = layOut(document.getElementById("app")!);
  const engine = new Engine();
  const room = new URLSearchParams(location.search).get("room");
  engine.tryLoad();
  if (!room) void openDocument(layout, engine);
  else
    loadPart(() => import("./share/room-page"))
      .then(({ openRoomPage }) => openRoomPage(room, layout, engine))
      .catch((error: unknown) => {
        console.warn(error);
        layout.notices.failed("room", reasonOf(error), () => location.reload());
      });
}
