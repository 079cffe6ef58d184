/** Modules of Node, in Node and runtimes like it. */

/** The part of Node's `process` that gives its modules, also in CommonJS and in sandboxes without `import()`. */
interface Process {
  getBuiltinModule?(name: string): unknown;
}

/** Returns a module of Node, such as `fs/promises`; `Module` is the part of it that is used. */
export async function nodeModule<Module>(path: string): Promise<Module> {
  const { process } = globalThis as { process?: Process };
  // Hides the import from bundlers for browsers; they would resolve a string literal.
  const name = new URL(`node:${path}`).href;
  return (process?.getBuiltinModule?.(name) ??
    (await import(/* @vite-ignore */ /* webpackIgnore: true */ name))) as Module;
}
