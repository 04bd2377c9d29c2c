import type { PrivatePostgres } from "@cm/private-postgres";
import { openPostgresStore } from "@cm/store-postgres";
import pg from "pg";
import { compared, type Figure, median } from "../figure.ts";
import { sessionWrites } from "../samples/session-writes.ts";
import { bareCall, bareValues, makeBareFunction, makeBytes } from "./bare-function.ts";
import { capturedValues } from "./captured-statements.ts";

const steps = 400;
/** The first of them are for warming up. */
const warm = 50;

/** The steps of one session, each beside the same rows by a hand-written function: both in turn, so that noise meets both alike. */
export async function stepBesideBare(server: PrivatePostgres): Promise<Figure> {
  const commits = await sessionWrites("one", steps);
  const open = (schema: string) => openPostgresStore({ url: server.url, schema, connections: 1 });
  const [sent, store, bare] = [await open("one_sent"), await open("one"), await open("one_bare")];
  const options = (step: number) => ({ requestId: `step ${step}` });
  const statements = await capturedValues("commit_1", async () => {
    for (const [step, writes] of commits.entries()) await sent.commit(writes, options(step));
  });
  await Promise.all([sent.close(), bare.close()]);
  const client = new pg.Client(server.url);
  await client.connect();
  await makeBareFunction(client, "one_bare");
  const times = { own: [] as number[], bare: [] as number[] };
  for (const [step, writes] of commits.entries()) {
    let begun = performance.now();
    await store.commit(writes, options(step));
    times.own.push(performance.now() - begun);
    begun = performance.now();
    for (const { document } of writes) makeBytes(document);
    await client.query(bareCall("one_bare"), bareValues(statements[step]));
    times.bare.push(performance.now() - begun);
  }
  await Promise.all([store.close(), client.end()]);
  return compared(
    { id: "postgres.step", what: "a step of a session on store-postgres, median", unit: "ms", goal: 1.3 },
    median(times.own.slice(warm)),
    { what: "a hand-written function for the same rows, in turn with it", value: median(times.bare.slice(warm)) },
  );
}
