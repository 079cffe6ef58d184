// Servers of skills on 127.0.0.1: a real git repository, answers as forges give them, and plain folders. Each counts the
// requests that it gets.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { atEnd } from "../at-end.mjs";

export const skillText = (name, more = "") => `---\nname: ${name}\ndescription: Use it for ${name}.\n---\n# ${name}\n\nDo ${name} well.\n${more}`;

/** The files of a repository with three skills. */
export const THREE = {
  "README.md": "# Three skills\n\nA collection.\n",
  "skills/outline/SKILL.md": skillText("outline", "See [the steps](references/steps.md).\n"),
  "skills/outline/references/steps.md": "1. Read.\n2. Write.\n",
  "skills/outline/cover.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]),
  "skills/proofread/SKILL.md": skillText("proofread"),
  "skills/translate/SKILL.md": skillText("translate"),
};

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type", "access-control-allow-methods": "GET, POST" };

/**
 * Listens on a free port: `{ url, requests, close }`; `url` has no slash at its end. `cors: false` leaves out the headers
 * for pages.
 */
export async function listen(t, answer, { cors = true } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (cors) for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    try {
      await answer(request, response);
    } catch (error) {
      response.writeHead(500).end(String(error.stack));
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const handle = {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
  atEnd(t, () => handle.close());
  return handle;
}

/** A repository on the disk. `commit(files)` replaces its content and returns the commit; `links` are symbolic links. */
export function repository(t, files = THREE, links = {}) {
  const home = mkdtempSync(join(tmpdir(), "copydesk-skills-"));
  atEnd(t, () => rmSync(home, { recursive: true, force: true }));
  const dir = join(home, "tips.git");
  mkdirSync(dir);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...args) => execFileSync("git", ["-C", dir, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.test");
  const commit = (content, others = {}) => {
    git("rm", "-rfq", "--ignore-unmatch", ".");
    for (const [path, text] of Object.entries(content)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    for (const [path, target] of Object.entries(others)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      symlinkSync(target, join(dir, path));
    }
    git("add", "-A", "-f");
    git("commit", "-qm", "Change the skills", "--allow-empty");
    return git("rev-parse", "HEAD");
  };
  const first = commit(files, links);
  return { home, dir, git, commit, first };
}

/** Serves the repositories of a folder by `git http-backend`. */
export function gitServer(t, home, options) {
  return listen(
    t,
    (request, response) =>
      new Promise((resolve, reject) => {
        const { pathname, search } = new URL(request.url, "http://localhost");
        const backend = spawn("git", ["http-backend"], {
          env: {
            ...process.env,
            GIT_PROJECT_ROOT: home,
            GIT_HTTP_EXPORT_ALL: "1",
            PATH_INFO: pathname,
            QUERY_STRING: search.slice(1),
            REQUEST_METHOD: request.method,
            CONTENT_TYPE: request.headers["content-type"] ?? "",
            CONTENT_LENGTH: request.headers["content-length"] ?? "",
            GIT_CONFIG_COUNT: "1",
            GIT_CONFIG_KEY_0: "safe.directory",
            GIT_CONFIG_VALUE_0: "*",
          },
          stdio: ["pipe", "pipe", "ignore"],
        });
        request.pipe(backend.stdin).on("error", () => {});
        const chunks = [];
        backend.stdout.on("data", (chunk) => chunks.push(chunk));
        backend.on("error", reject);
        backend.on("close", () => {
          const output = Buffer.concat(chunks);
          const end = output.indexOf("\r\n\r\n");
          let status = 200;
          for (const line of output.subarray(0, end).toString().split("\r\n")) {
            const [, name, value] = /^([^:]+): *(.*)$/.exec(line) ?? [];
            if (name?.toLowerCase() === "status") status = parseInt(value, 10);
            else if (name) response.setHeader(name, value);
          }
          response.writeHead(status).end(output.subarray(end + 4));
          resolve();
        });
      }),
    options,
  );
}

/** Serves texts by their path; a function answers itself. */
export function folderServer(t, files, options) {
  return listen(
    t,
    (request, response) => {
      const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
      const file = files[path];
      if (file === undefined) return response.writeHead(404).end();
      if (typeof file === "function") return file(request, response);
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(file);
    },
    options,
  );
}

const json = (response, value) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));

/**
 * Answers as the API of a forge does for a repository `ann/tips` on the disk, as its documentation says. Commits and
 * trees are those of git.
 */
export function forgeServer(t, type, { git }) {
  const has = (ref) => {
    try {
      return git("rev-parse", "--verify", "-q", `${ref}^{commit}`);
    } catch {
      return undefined;
    }
  };
  const entries = (commit) =>
    git("ls-tree", "-r", "-l", "-z", commit)
      .split("\0")
      .filter(Boolean)
      .map((line) => {
        const [, mode, kind, sha, size, path] = /^(\d+) (\w+) (\w+) +(\S+)\t([^]*)$/.exec(line);
        return { mode, type: kind, sha, size: Number(size) || 0, path };
      });
  const content = (commit, path) => Buffer.from(git("show", `${commit}:${path}`) + "\n");
  const routes = {
    github: {
      "/api/v3/repos/ann/tips/commits/([^/]+)": ([ref], _query, response) => {
        const sha = has(ref);
        return sha ? json(response, { sha }) : response.writeHead(422).end('{"message":"No commit found"}');
      },
      "/api/v3/repos/ann/tips/git/trees/(\\w+)": ([commit], _query, response) => json(response, { sha: commit, tree: entries(commit), truncated: false }),
      "/raw/ann/tips/(\\w+)/(.+)": ([commit, path], _query, response) => response.end(content(commit, path)),
    },
    gitlab: {
      "/api/v4/projects/ann%2Ftips/repository/commits/([^/]+)": ([ref], _query, response) => {
        const id = has(ref);
        return id ? json(response, { id }) : response.writeHead(404).end('{"message":"404 Commit Not Found"}');
      },
      "/api/v4/projects/ann%2Ftips/repository/tree": (_, query, response) => {
        // Pages of a size that makes more than one of them.
        const page = Number(query.get("page"));
        const all = entries(query.get("ref"));
        return json(response, all.slice((page - 1) * 100, page * 100).map(({ mode, type, path, sha }) => ({ id: sha, mode, type, path })));
      },
      "/api/v4/projects/ann%2Ftips/repository/files/([^/]+)/raw": ([path], query, response) => response.end(content(query.get("ref"), decodeURIComponent(path))),
    },
    gitea: {
      "/api/v1/repos/ann/tips/commits": (_, query, response) => {
        const sha = has(query.get("sha") ?? "HEAD");
        return sha ? json(response, [{ sha }]) : response.writeHead(404).end("{}");
      },
      "/api/v1/repos/ann/tips/git/trees/(\\w+)": ([commit], query, response) => {
        const all = entries(commit);
        const page = Number(query.get("page"));
        return json(response, { tree: all.slice((page - 1) * 3, page * 3), truncated: page * 3 < all.length, total_count: all.length });
      },
      "/api/v1/repos/ann/tips/raw/(.+)": ([path], query, response) => response.end(content(query.get("ref"), decodeURIComponent(path))),
    },
    bitbucket: {
      "/api/2.0/repositories/ann/tips": (_, _query, response) => json(response, { mainbranch: { name: "main" } }),
      "/api/2.0/repositories/ann/tips/commit/([^/]+)": ([ref], _query, response) => {
        const hash = has(ref);
        return hash ? json(response, { hash }) : response.writeHead(404).end("{}");
      },
      "/api/2.0/repositories/ann/tips/src/(\\w+)/": ([commit], query, response, url) => {
        const all = entries(commit);
        const page = Number(query.get("page") ?? 1);
        const values = all.slice((page - 1) * 3, page * 3).map(({ path, size, mode }) => ({ type: "commit_file", path, size, attributes: mode === "120000" ? ["link"] : [] }));
        return json(response, { values, ...(page * 3 < all.length && { next: `${url}?max_depth=10&pagelen=100&page=${page + 1}` }) });
      },
      "/api/2.0/repositories/ann/tips/src/(\\w+)/(.+)": ([commit, path], _query, response) => response.end(content(commit, decodeURIComponent(path))),
    },
  };
  return listen(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    for (const [pattern, answer] of Object.entries(routes[type])) {
      const match = new RegExp(`^${pattern}$`).exec(pathname);
      if (match) return answer(match.slice(1), searchParams, response, `http://${request.headers.host}${pathname}`);
    }
    response.writeHead(404).end("{}");
  });
}
