/** A log of runs in PostgreSQL. */

import type { LoggedEvent, LoggedRun, RunLog, RunState, RunStatus } from "./run-log.js";

/** The part of a client that the log needs: a `Pool` of the package `pg` has it. */
export interface PostgresClient {
  query: (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;
}

export interface PostgresLogOptions {
  /** The schema of the tables, which must exist. Default: that of the connection. */
  schema?: string;
}

/** The tables, which the log creates if they are not there. Texts are JSON, because those of PostgreSQL have no U+0000. */
const tables = (at: string) => `
create table if not exists ${at}copydesk_runs (
  id text primary key,
  begun timestamptz not null default now(),
  request text not null,
  state text,
  last_seq bigint not null default -1,
  is_over boolean not null default false,
  owner text not null,
  lease_end timestamptz not null,
  is_stopped boolean not null default false,
  attended_until timestamptz not null default '-infinity'
);
create table if not exists ${at}copydesk_events (
  run_id text not null references ${at}copydesk_runs (id) on delete cascade,
  seq bigint not null,
  event text not null,
  primary key (run_id, seq)
);
create table if not exists ${at}copydesk_documents (
  id text primary key,
  owner text not null,
  lease_end timestamptz not null
);
create table if not exists ${at}copydesk_threads (
  id text primary key,
  run_id text not null references ${at}copydesk_runs (id) on delete cascade
);`;

const LEASE = "clock_timestamp() + $3 * interval '1 millisecond'";
const STATUS = "is_stopped, attended_until > clock_timestamp() as is_attended";

/**
 * Creates a log in PostgreSQL, for any number of instances. Its tables are `copydesk_runs`, `copydesk_events`,
 * `copydesk_threads` and `copydesk_documents`; to remove old runs, delete rows of the first by `begun`.
 */
export function postgresLog(client: PostgresClient, { schema }: PostgresLogOptions = {}): RunLog {
  const at = schema === undefined ? "" : `"${schema.replaceAll('"', '""')}".`;
  let ready: Promise<unknown> | undefined;
  const query = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> => {
    // Two instances may create the tables at the same time: one of them fails, and finds them.
    const create = () => client.query(tables(at));
    ready ??= create()
      .catch(create)
      .catch((failed: unknown) => {
        ready = undefined;
        throw failed;
      });
    await ready;
    return (await client.query(text, values)).rows;
  };
  const find = async (id: string): Promise<LoggedRun | undefined> => {
    const [row] = await query(
      `select request, state, last_seq, is_over,
         greatest(0, extract(epoch from lease_end - clock_timestamp()) * 1000) as lease_left
       from ${at}copydesk_runs where id = $1`,
      [id],
    );
    return row && runOf(row);
  };
  /** The status of a run for its owner; undefined if no row was changed. */
  const status = async (id: string, rows: Record<string, unknown>[]): Promise<RunStatus> => {
    const [row] = rows;
    if (row) return { isOwner: true, isStopped: row.is_stopped === true, isAttended: row.is_attended === true };
    const [other] = await query(`select ${STATUS} from ${at}copydesk_runs where id = $1`, [id]);
    // A run that was removed continues without its log.
    return { isOwner: !other, isStopped: other?.is_stopped === true, isAttended: other?.is_attended === true };
  };
  return {
    async claim(id, { owner, lease }, request) {
      const [row] = await query(
        `insert into ${at}copydesk_runs as run (id, owner, lease_end, request) values ($1, $2, ${LEASE}, $4)
         on conflict (id) do update set owner = excluded.owner, lease_end = excluded.lease_end
         where not run.is_over and (run.owner = excluded.owner or run.lease_end <= clock_timestamp())
         returning xmax = 0 as is_new`,
        [id, owner, lease, JSON.stringify(request)],
      );
      return { isOwner: row !== undefined, run: row?.is_new === true ? undefined : await find(id) };
    },
    async append(id, { owner, lease }, after, { events, state, isOver }) {
      const last = events.at(-1)?.seq ?? after;
      const rows = await query(
        `with owned as (
           update ${at}copydesk_runs set lease_end = ${LEASE}, state = coalesce($5, state), last_seq = $6, is_over = is_over or $7
           where id = $1 and owner = $2 and last_seq = $4 returning ${STATUS}
         ), added as (
           insert into ${at}copydesk_events select $1, seq, event
           from unnest($8::bigint[], $9::text[]) as events (seq, event) where exists (select from owned)
         )
         select * from owned`,
        [
          ...[id, owner, lease, after, state ? JSON.stringify(state) : null, last, isOver],
          ...[events.map(({ seq }) => seq), events.map(({ text }) => JSON.stringify(text))],
        ],
      );
      return status(id, rows);
    },
    async renew(id, { owner, lease }) {
      const rows = await query(
        `update ${at}copydesk_runs set lease_end = ${LEASE} where id = $1 and owner = $2 returning ${STATUS}`,
        [id, owner, lease],
      );
      return status(id, rows);
    },
    async attend(id, ms) {
      await query(
        `update ${at}copydesk_runs set attended_until = clock_timestamp() + $2 * interval '1 millisecond' where id = $1`,
        [id, ms],
      );
    },
    async stop(id) {
      const rows = await query(
        `update ${at}copydesk_runs set is_stopped = true where id = $1 and not is_over returning id`,
        [id],
      );
      return rows.length > 0;
    },
    find,
    async eventsAfter(id, seq) {
      const rows = await query(
        `select seq, event from ${at}copydesk_events where run_id = $1 and seq > $2 order by seq`,
        [id, seq],
      );
      return rows.map(({ seq, event }): LoggedEvent => ({
        seq: Number(seq),
        text: JSON.parse(event as string) as string,
      }));
    },
    async setLatest(thread, id) {
      await query(
        `insert into ${at}copydesk_threads (id, run_id) select $1, id from ${at}copydesk_runs where id = $2
         on conflict (id) do update set run_id = excluded.run_id`,
        [thread, id],
      );
    },
    async latest(thread) {
      const [row] = await query(`select run_id from ${at}copydesk_threads where id = $1`, [thread]);
      return row?.run_id as string | undefined;
    },
    async lock(documentId, { owner, lease }) {
      const rows = await query(
        `insert into ${at}copydesk_documents as document (id, owner, lease_end) values ($1, $2, ${LEASE})
         on conflict (id) do update set owner = excluded.owner, lease_end = excluded.lease_end
         where document.owner = excluded.owner or document.lease_end <= clock_timestamp() returning id`,
        [documentId, owner, lease],
      );
      return rows.length > 0;
    },
  };
}

function runOf(row: Record<string, unknown>): LoggedRun {
  return {
    request: JSON.parse(row.request as string) as string,
    state: row.state ? (JSON.parse(row.state as string) as RunState) : undefined,
    lastSeq: Number(row.last_seq),
    isOver: row.is_over === true,
    leaseLeft: Number(row.lease_left),
  };
}
