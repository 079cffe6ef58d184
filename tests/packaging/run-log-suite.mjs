// What a log of runs must do so that instances of a route can share it.
import assert from "node:assert/strict";

const HOUR = 3_600_000;
const by = (owner, lease = HOUR) => ({ owner, lease });
const added = (seqs, more = {}) => ({ events: seqs.map((seq) => ({ seq, text: `id: ${seq}\n\n` })), state: undefined, isOver: false, ...more });

/** Fails unless a log keeps its promises. `create` returns a new one; `random` is a generator of numbers below 1. */
export async function checkRunLog(create, random) {
  const log = create();
  const find = async (id) => {
    const run = await log.find(id);
    return run && [run.lastSeq, run.isOver, run.leaseLeft > 0];
  };
  assert.equal(await log.find("r"), undefined);
  assert.deepEqual(await log.eventsAfter("r", -1), []);
  assert.equal(await log.stop("r"), false);

  // The first owner.
  assert.deepEqual(await log.claim("r", by("A"), "<p>x</p>"), { isOwner: true, run: undefined });
  assert.deepEqual(await find("r"), [-1, false, true]);
  const refused = await log.claim("r", by("B"), "<p>y</p>");
  assert.equal(refused.isOwner, false);
  assert.equal(refused.run.request, "<p>x</p>");

  // The owner alone appends, and only what follows.
  assert.deepEqual(await log.append("r", by("A"), -1, added([1, 2])), { isOwner: true, isStopped: false, isAttended: false });
  const state = { messages: [{ role: "user", content: "茶" }], document: { type: "doc" } };
  assert.equal((await log.append("r", by("A"), 2, added([5], { state }))).isOwner, true);
  assert.equal((await log.append("r", by("B"), 5, added([6]))).isOwner, false);
  assert.equal((await log.append("r", by("A"), 2, added([6]))).isOwner, false);
  assert.deepEqual((await log.eventsAfter("r", 1)).map(({ seq, text }) => [seq, text]), [[2, "id: 2\n\n"], [5, "id: 5\n\n"]]);
  assert.deepEqual((await log.find("r")).state, state);

  // Clients at other instances.
  await log.attend("r", HOUR);
  assert.equal((await log.renew("r", by("A"))).isAttended, true);
  assert.equal(await log.stop("r"), true);
  assert.equal((await log.renew("r", by("A"))).isStopped, true);

  // A lease that has ended. The earlier owner learns of it.
  assert.equal((await log.renew("r", by("B"))).isOwner, false);
  assert.equal((await log.renew("r", by("A", 0))).isOwner, true);
  assert.deepEqual(await find("r"), [5, false, false]);
  const taken = await log.claim("r", by("B"), "<p>y</p>");
  assert.deepEqual([taken.isOwner, taken.run.lastSeq, taken.run.request], [true, 5, "<p>x</p>"]);
  assert.equal((await log.renew("r", by("A"))).isOwner, false);
  assert.equal((await log.append("r", by("A"), 5, added([6]))).isOwner, false);

  // The end.
  assert.equal((await log.append("r", by("B"), 5, added([7], { isOver: true }))).isOwner, true);
  assert.deepEqual((await find("r")).slice(0, 2), [7, true]);
  assert.equal((await log.claim("r", by("B"), "<p>y</p>")).isOwner, false);
  assert.equal(await log.stop("r"), false);

  // Documents.
  assert.equal(await log.lock("d", by("A")), true);
  assert.equal(await log.lock("d", by("A")), true);
  assert.equal(await log.lock("d", by("B")), false);
  assert.equal(await log.lock("e", by("B")), true);
  await log.lock("d", by("A", 0));
  assert.equal(await log.lock("d", by("B")), true);

  // The last runs of conversations.
  assert.equal(await log.latest("t"), undefined);
  await log.setLatest("t", "r");
  assert.equal(await log.latest("t"), "r");
  await log.claim("s", by("A"), "");
  await log.setLatest("t", "s");
  assert.equal(await log.latest("t"), "s");

  // What waits for events hears of them, or of the time.
  await log.claim("w", by("A"), "");
  const waits = log.changed?.("w", -1, HOUR);
  await log.append("w", by("A"), -1, added([1]));
  await waits;
  await log.changed?.("w", -1, HOUR);
  await log.changed?.("w", 1, 1);

  await checkRace(create(), random);
}

/** Of many instances that claim and append at the same time one is the owner, and no event is written twice. */
async function checkRace(log, random) {
  const owners = ["A", "B", "C", "D"];
  const claims = await Promise.all(owners.map((owner) => log.claim("race", by(owner), owner)));
  assert.equal(claims.filter(({ isOwner }) => isOwner).length, 1);
  let last = -1;
  for (let round = 0; round < 40; round += 1) {
    if (random() < 0.3) await Promise.all(owners.map((owner) => log.renew("race", by(owner, 0))));
    await Promise.all(owners.map((owner) => log.claim("race", by(owner), "")));
    const seq = last + 1 + Math.floor(random() * 3);
    const statuses = await Promise.all(owners.map((owner) => log.append("race", by(owner), last, added([seq]))));
    assert.equal(statuses.filter(({ isOwner }) => isOwner).length, 1, `round ${round}`);
    last = seq;
  }
  const seqs = (await log.eventsAfter("race", -1)).map(({ seq }) => seq);
  assert.deepEqual(seqs, [...new Set(seqs)].sort((one, other) => one - other));
  assert.equal(seqs.length, 40);
}
