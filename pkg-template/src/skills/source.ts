/** Reads the configuration of a source. */

import { check } from "../base/error.js";
import type { SkillSource } from "../types/index.js";
import { isPath } from "../workspace/paths.js";
import { FolderRemote } from "./folder.js";
import type { Forges } from "./forges.js";
import { GitRemote } from "./git.js";
import type { Remote } from "./remote.js";

/** The place of a source: elsewhere, or a folder of the workspace. */
export type Place = { remote: Remote } | { workspacePath: string };

/** A configured source with its place. */
export interface Configured {
  source: SkillSource;
  place: Place;
  /** Equal for sources with the same content. */
  key: string;
}

/**
 * Returns true if the model may follow the skills of a source as it follows the app. In the root of the workspace it
 * could write skills itself.
 */
export function isTrusted({ source, place }: Configured): boolean {
  return source.trusted ?? ("workspacePath" in place && place.workspacePath !== "");
}

const EXPECTED =
  "the URL of a repository (https://github.com/owner/name, https://host/name.git) or of a folder, without a " +
  "password, or a path in the workspace such as notes/skills";

/**
 * Returns the place that a source names.
 *
 * @throws CopydeskError `invalid_parameter`; the message never contains credentials.
 */
export function placeOf(source: SkillSource, name: string, forges: Forges, corsProxy: string | undefined): Place {
  const given: unknown = source.source;
  const wrong = (holds: boolean) => check(holds, `${name}.source`, withoutCredentials(String(given)), EXPECTED);
  wrong(typeof given === "string" && given.trim() !== "");
  for (const member of ["ref", "path"] as const) {
    const value = source[member];
    check(value === undefined || typeof value === "string", `${name}.${member}`, value, "a text");
  }
  const own = folderOf(source.path ?? "");
  check(own === "" || isPath(own), `${name}.path`, own, "a relative path such as skills/writing");
  check(!/\s|^-/.test(source.ref ?? ""), `${name}.ref`, source.ref, "the name of a branch or tag, or a commit");
  const inFolder = (folder: string) => [folderOf(folder), own].filter(Boolean).join("/");

  const { url: text, isGit, isSSH } = urlIn((given as string).trim());
  if (!isURL(text)) {
    const path = inFolder(text);
    wrong(path === "" || isPath(path));
    return { workspacePath: path };
  }
  const base = (globalThis as { location?: { href?: string } }).location?.href;
  wrong(URL.canParse(text, base));
  const url = new URL(text, base);
  wrong(/^https?:$/.test(url.protocol) && !url.username && !url.password);
  const remote = isGit ? undefined : forges.remote(url, source.ref, inFolder);
  wrong(remote !== null);
  if (remote) {
    wrong(remote.path === "" || isPath(remote.path));
    return { remote };
  }
  if (isGit || isSSH || /\.git\/?$/.test(url.pathname))
    return { remote: new GitRemote(url, source.ref ?? "", own, corsProxy) };
  const last = /\/(?:SKILL|README)\.md$/i.exec(url.pathname);
  if (last) url.pathname = url.pathname.slice(0, last.index);
  return { remote: new FolderRemote(url, own) };
}

/** Returns the text of a URL without credentials, query and fragment, which may be secret. */
export function withoutCredentials(text: string): string {
  return text.replace(/(\/\/|^)[^/@\s]*@/, "$1").replace(/[?#].*$/, "");
}

/** Takes off `git+`, and turns URLs of SSH into those of HTTPS. */
function urlIn(text: string): { url: string; isGit?: boolean; isSSH?: boolean } {
  const [, ssh, path] = /^(?:ssh:\/\/)?git@([^/:]+)[/:](.+)$/.exec(text) ?? [];
  if (ssh) return { url: `https://${ssh}/${path}`, isSSH: true };
  return text.startsWith("git+") ? { url: text.slice(4), isGit: true } : { url: text };
}

/** Returns true if a text refers to something on the web, also relative to the page, rather than in the workspace. */
function isURL(text: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/|\.\.?\/)/i.test(text);
}

/** Returns the folder of a path that may name its SKILL.md, without slashes at its ends. */
function folderOf(path: string): string {
  const clean = path.replace(/^(?:\.?\/)+|^\.$|\/+$/g, "");
  return clean.replace(/(?:^|\/)(?:SKILL|README)\.md$/i, "").normalize("NFC");
}
