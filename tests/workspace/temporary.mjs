// A workspace in a new directory, for tests of files that other programs wrote.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directoryWorkspace } from "copydesk/workspace";
import { atEnd } from "../at-end.mjs";

/** Opens a workspace in a new directory, which is deleted after the test. `stored` reads the bytes of a file. */
export function workspaceIn(t) {
  const directory = mkdtempSync(join(tmpdir(), "copydesk-workspace-"));
  const files = directoryWorkspace(directory, { locale: "en" });
  atEnd(t, async () => {
    await files.close();
    rmSync(directory, { recursive: true });
  });
  const put = (path, content) => {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), content);
  };
  return { directory, files, put, stored: (path, encoding) => readFileSync(join(directory, path), encoding) };
}
