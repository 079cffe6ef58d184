// Assertions that run in Node and in pages.

/** Fails unless both are equal as JSON. */
export function same(actual, expected, what = "") {
  const [one, other] = [actual, expected].map((value) => JSON.stringify(value) ?? "undefined");
  if (one !== other) throw new Error(`${what}\n  actual: ${one.slice(0, 1500)}\nexpected: ${other.slice(0, 1500)}`);
}

/** Returns the CopydeskError that a promise rejects with. */
export async function failure(promise, code) {
  const error = await Promise.resolve(promise).then(
    (value) => {
      throw new Error(`expected ${code}, not the result ${JSON.stringify(value)}`);
    },
    (error) => error,
  );
  if (error.name !== "CopydeskError" || error.code !== code) throw new Error(`expected ${code}, not ${error.stack ?? error}`);
  return error;
}

/** Resolves when `holds` returns a value that is not false. */
export async function until(holds, what) {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
