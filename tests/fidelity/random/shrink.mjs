// Shrinks a failing edit: drops the blocks of the document, and the marks, that the failure does not need.
import { clone, TEXTBLOCKS, walk } from "./tree.mjs";

/** Returns the edit with as little as possible around it for which `fails(edit)` resolves to true. */
export async function shrinkEdit(edit, fails) {
  let best = edit;
  for (let found = true; found;) {
    found = false;
    for (const change of changesOf(best)) {
      const smaller = changed(best, change);
      if (!(await fails(smaller))) continue;
      best = smaller;
      found = true;
    }
  }
  return best;
}

/** The changes that may make an edit smaller, as functions of a tree: the same block loses the same in both trees. */
function changesOf({ before }) {
  const drops = [];
  const others = [];
  walk(before, ({ uid, type, content }, parents) => {
    if (!parents.length) return;
    drops.push((tree) => removeBlock(tree, uid));
    if (TEXTBLOCKS.has(type) && content?.some(({ marks }) => marks)) others.push((tree) => unmark(tree, uid));
  });
  return [...drops, ...others];
}

function changed(edit, change) {
  const apply = (tree) => {
    const made = tree && clone(tree);
    if (made) change(made);
    return made;
  };
  return { ...edit, before: apply(edit.before), after: apply(edit.after), loose: apply(edit.loose) };
}

function removeBlock(tree, uid) {
  walk(tree, (node) => {
    if (node.content && !TEXTBLOCKS.has(node.type)) node.content = node.content.filter((child) => child.uid !== uid);
  });
}

function unmark(tree, uid) {
  walk(tree, (node) => {
    if (node.uid === uid) node.content = node.content?.map(({ marks: _, ...part }) => part);
  });
}
