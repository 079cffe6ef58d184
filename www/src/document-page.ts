/** The page with the user's own documents and files. */
import { SavedDocuments } from "copydesk/autosave";
import { insertImages, sortFiles, takeDroppedFiles } from "copydesk/insert";
import { exportMenu } from "./content/export-menu";
import { openButton } from "./content/open-button";
import { documentOpener } from "./content/open-document";
import { ownImages } from "./content/own-images";
import { createEditor, schema } from "./editor";
import type { Engine } from "./engine";
import type { Layout } from "./layout";
import { reasonOf } from "./lazy";
import { connectPage } from "./page";
import { registerPanels } from "./panels";
import type { ProjectView } from "./project/project";
import { showSavedState } from "./saved-notices";
import { Session } from "./session";
import { shareButton } from "./share/button";
import { loadItem, saveItem } from "./storage";

/** Set in `localStorage` once the user has a place for files. */
const HAS_FILES = "project";

/** Opens the document. It can be edited, and requests be written, while the wasm is loading. */
export async function openDocument(layout: Layout, engine: Engine): Promise<void> {
  ownImages.start();
  let released = () => layout.setReadOnly(true);
  const saved = await SavedDocuments.open({
    schema: schema(),
    onReleased: () => released(),
    onShow: () => editor.view.dom.closest<HTMLElement>("[data-scroller]")?.scrollTo({ top: 0 }),
    load: () => engine.load(),
  });
  showSavedState(saved, layout.notices);
  // Everything could be read, and this tab alone can add images. Those of files may be in any of their versions.
  if (saved.isOwned && saved.isWhole && loadItem(HAS_FILES) === null)
    void ownImages.removeUnused((pattern) => saved.matches(pattern)).catch(() => {});
  const images = {
    keepImage: ownImages.keep,
    onProblem: (error: unknown) => layout.notices.tell("image", reasonOf(error)),
  };
  const editor = createEditor(layout.mount, {
    content: saved.document?.json,
    pending: saved.pending,
    actions: () => session.actions,
    insert: { ...images, onFiles: (files) => open(files) },
  });
  const session = new Session(editor, engine);
  let loading: Promise<ProjectView> | undefined;
  let opened: ProjectView | undefined;
  /** Loads what files need, with the first panel that is opened, and in later visits from the start. */
  const project = () => {
    loading ??= import("./project/project").then(
      ({ ProjectView }) => {
        saveItem(HAS_FILES, "1");
        return ProjectView.open({ editor, saved, session, chat, layout }).then((project) => (opened = project));
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const closeFile = async () => opened?.close();
  const { chat, find, start } = connectPage({ layout, engine, editor, session, images, saved, closeFile });
  const open = documentOpener(editor, layout.notices, {
    saved,
    isWorking: () => chat.working,
    settle: () => chat.settle(),
    closeFile,
  });
  takeDroppedFiles((files) => {
    const sorted = sortFiles(files);
    if (sorted.images.length) void insertImages(editor, sorted.images, images);
    if (sorted.others.length) open(sorted.others);
  });
  saved.start(editor, () => chat.stored());
  released = () => {
    chat.stop();
    editor.setEditable(false, false);
    editor.view.dom.setAttribute("aria-readonly", "true");
    layout.setReadOnly(true);
  };
  if (!saved.isOwned) released();
  layout.addAction((m) => openButton(m, open));
  layout.addAction(
    exportMenu(editor, {
      notices: layout.notices,
      file: () => opened?.file,
      chapters: async () => (await project()).chapters(),
      image: async (path) => (await project()).image(path),
      hasBook: () => !!session.fileCount,
    }),
  );
  layout.addAction(shareButton(editor, layout.notices, engine));
  registerPanels({ layout, editor, session, project, hasFiles: () => loadItem(HAS_FILES) !== null, find });
  start(async () => {
    await Promise.allSettled([editor.storage.copydesk.restored]);
    // The agent gets the files when it is created.
    if (loadItem(HAS_FILES)) await project().catch((error: unknown) => console.warn(error));
  });
}
