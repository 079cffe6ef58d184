/** The sample novels: stories with planted faults, in English and Chinese. */
import { CopydeskError } from "copydesk";
import type { Workspace } from "copydesk/workspace";
import { loadPart } from "../lazy";
import { locale } from "../locale";

/** Writes the sample novel of the page's language. Files that exist stay. Returns the path of its first chapter. */
export async function addSample(workspace: Workspace): Promise<string | undefined> {
  const { files } = await loadPart(() =>
    locale() === "zh-CN" ? import("../content/novels/zh") : import("../content/novels/en"),
  );
  const paths: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = name.split("/").slice(2).join("/");
    paths.push(path);
    try {
      await workspace.write(path, text, { expected: null });
    } catch (error) {
      if (!(error instanceof CopydeskError) || error.code !== "file_exists") throw error;
    }
  }
  return paths.sort()[0];
}
