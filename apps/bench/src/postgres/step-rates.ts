import type { Write } from "@cm/object-model";
import type { PrivatePostgres } from "@cm/private-postgres";
import { openPostgresStore } from "@cm/store-postgres";
import pg from "pg";
import { elapsedMs } from "../elapsed.ts";
import { compared, type Figure } from "../figure.ts";
import { sessionWrites } from "../samples/session-writes.ts";
import { bareCall, bareValues, makeBareFunction, makeBytes } from "./bare-function.ts";
import { capturedValues } from "./captured-statements.ts";

type Commits = readonly (readonly Write[])[];

/** Sessions at once, and steps of each. */
const loads = [
  { sessions: 8, steps: 60, goal: 1 / 0.7 },
  { sessions: 32, steps: 25, goal: 1 / 0.7 },
] as const;

/** The first is for warming up. */
const rounds = 3;

/**
 * Steps of sessions, each one commit, beside as many loops of a hand-written function that inserts the same rows into the same
 * tables: the time that one step takes of the whole, so that both count how many there are in a second.
 */
export async function stepRates(server: PrivatePostgres): Promise<readonly Figure[]> {
  const bare = new pg.Pool({ connectionString: server.url, max: 32 });
  const figures: Figure[] = [];
  for (const load of loads) {
    const times = { own: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const schema = `step_${load.sessions}_${round}`;
      const commits = await Promise.all(
        Array.from({ length: load.sessions }, (_, n) => sessionWrites(`${schema}-${n}`, load.steps)),
      );
      const statements: (readonly unknown[])[][] = commits.map(() => []);
      const ownMs = await ownRun(server, { schema, sessions: load.sessions, commits, statements });
      const bareMs = await bareRun(server, bare, { schema: `${schema}_bare`, commits, statements });
      const count = commits.flat().length - load.sessions;
      if (round === 0) continue;
      times.own.push(ownMs / count);
      times.bare.push(bareMs / count);
    }
    figures.push(figureOf(load, times));
  }
  await bare.end();
  return figures;
}

function figureOf(
  { sessions, goal }: (typeof loads)[number],
  { own, bare }: { readonly own: readonly number[]; readonly bare: readonly number[] },
): Figure {
  const [ownMs, bareMs] = [Math.min(...own), Math.min(...bare)];
  return compared(
    {
      id: `postgres.steps.${sessions}`,
      what: `a step of ${sessions} sessions at once on store-postgres; ${Math.round(1000 / ownMs)}/s`,
      unit: "ms",
      goal,
    },
    ownMs,
    {
      what: `as many loops of a hand-written function for the same rows; ${Math.round(1000 / bareMs)}/s`,
      value: bareMs,
    },
  );
}

interface OwnRun {
  readonly schema: string;
  readonly sessions: number;
  readonly commits: readonly Commits[];
  /** Gets what each session sent. */
  readonly statements: (readonly unknown[])[][];
}

async function ownRun(server: PrivatePostgres, { schema, sessions, commits, statements }: OwnRun): Promise<number> {
  const store = await openPostgresStore({ url: server.url, schema, connections: sessions });
  const ms = await timedFromSecond(commits, (writes, { session, step }) =>
    store.commit(writes, { requestId: `${session} ${step}` }),
  );
  await store.close();
  // The same statements once more, into another store, to know what was sent.
  const other = await openPostgresStore({ url: server.url, schema: `${schema}_sent`, connections: 1 });
  for (const [session, own] of commits.entries()) {
    const sent = await capturedValues("commit_1", async () => {
      for (const [step, writes] of own.entries()) await other.commit(writes, { requestId: `${session} ${step}` });
    });
    statements[session]?.push(...sent);
  }
  await other.close();
  return ms;
}

interface BareRun {
  readonly schema: string;
  readonly commits: readonly Commits[];
  readonly statements: readonly (readonly (readonly unknown[])[])[];
}

async function bareRun(
  server: PrivatePostgres,
  pool: pg.Pool,
  { schema, commits, statements }: BareRun,
): Promise<number> {
  await (await openPostgresStore({ url: server.url, schema })).close();
  const owner = new pg.Client(server.url);
  await owner.connect();
  await makeBareFunction(owner, schema);
  await owner.end();
  const clients = await Promise.all(statements.map(() => pool.connect()));
  for (const client of clients) await client.query(`SET search_path = ${schema}`);
  const ms = await timedFromSecond(statements, (values, { session, step }) => {
    for (const { document } of commits[session]?.[step] ?? []) makeBytes(document);
    return clients[session]?.query(bareCall(schema), bareValues(values));
  });
  for (const client of clients) client.release();
  return ms;
}

interface Place {
  readonly session: number;
  readonly step: number;
}

/**
 * The time of all sessions at once without the first step of each, in which the server plans the function anew for each
 * connection, and a store also opens it.
 */
async function timedFromSecond<T>(
  sessions: readonly (readonly T[])[],
  send: (one: T, place: Place) => Promise<unknown> | undefined,
): Promise<number> {
  const run = (from: number, to?: number) =>
    Promise.all(
      sessions.map(async (own, session) => {
        for (const [place, one] of own.slice(from, to).entries()) await send(one, { session, step: from + place });
      }),
    );
  await run(0, 1);
  return elapsedMs(() => run(1));
}
