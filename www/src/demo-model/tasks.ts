/**
 * The tasks of a run, one after another: the parts of a request, and the requests that came while the model worked. The
 * model keeps no state. Which calls belong to which task follows from playing the tasks again with the calls so far.
 */
import type { PastCall, Step } from "./wire";

/** Returns the next step of a task after its calls so far; a step without a call ends the task. */
export type Task = (calls: PastCall[]) => Step;

export function nextStepOf(tasks: Task[], calls: PastCall[]): Step {
  const said: string[] = [];
  let rest = calls;
  for (const task of tasks) {
    const own: PastCall[] = [];
    let step = task(own);
    while (step.call && rest[0]?.name === step.call.name) {
      own.push(rest[0]);
      rest = rest.slice(1);
      step = task(own);
    }
    // The end of a task was said before the calls of the next one.
    if (rest.length === 0 && step.text) said.push(step.text);
    if (step.call) return { text: said.join("\n\n"), call: step.call };
  }
  return { text: said.join("\n\n") };
}
