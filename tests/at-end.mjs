// Functions that run when a test has ended, the last one first: a page is closed before the server that it talks to.

const stacks = new WeakMap();

/** Calls `undo` at the end of the test `t`, before those of earlier calls. All are called; the first error is thrown. */
export function atEnd(t, undo) {
  if (!stacks.has(t)) {
    stacks.set(t, []);
    t.after(() => undoAll(stacks.get(t)));
  }
  stacks.get(t).push(undo);
}

async function undoAll(stack) {
  const errors = [];
  while (stack.length) await Promise.resolve(stack.pop()()).catch((error) => errors.push(error));
  if (errors.length) throw errors[0];
}
