/** A decision that does not change the document as a step of the editor's history. */

import type { Node } from "@tiptap/pm/model";
import { Step, StepResult } from "@tiptap/pm/transform";

const NAME = "copydeskDecision";

/** Rejects hunks, or makes them pending again. The document stays as it is. */
export class DecisionStep extends Step {
  constructor(
    readonly hunks: readonly string[],
    /** True if the hunks are pending again. */
    readonly isUndo: boolean,
  ) {
    super();
  }

  apply(doc: Node): StepResult {
    return StepResult.ok(doc);
  }

  invert(): DecisionStep {
    return new DecisionStep(this.hunks, !this.isUndo);
  }

  map(): DecisionStep {
    return this;
  }

  toJSON(): unknown {
    return { stepType: NAME, hunks: this.hunks, isUndo: this.isUndo };
  }

  static override fromJSON(_: unknown, json: { hunks?: unknown; isUndo?: unknown }): DecisionStep {
    const hunks = Array.isArray(json.hunks) ? json.hunks.filter((id) => typeof id === "string") : [];
    return new DecisionStep(hunks, json.isUndo === true);
  }
}

try {
  Step.jsonID(NAME, DecisionStep);
} catch {
  // Another copy of this module has registered the name.
}
