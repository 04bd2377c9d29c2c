import type { PrivatePostgres } from "@cm/private-postgres";
import { openPostgresStore } from "@cm/store-postgres";
import { absolute, compared, type Figure, median } from "../figure.ts";
import { sampleToolCall } from "../samples/sample-documents.ts";
import { capturedValues } from "./captured-statements.ts";

const objects = 100_000;
const batch = 10_000;

/** Requests that 10,000 objects take, and what the last pages of a list cost beside the first ones. */
export async function listBench(server: PrivatePostgres): Promise<readonly Figure[]> {
  const store = await openPostgresStore({ url: server.url, schema: "lists", connections: 1 });
  const sent = { write: 0, read: 0 };
  for (let first = 0; first < objects; first += batch) {
    const documents = Array.from({ length: batch }, (_, n) => sampleToolCall(first + n, 60));
    const statements = await capturedValues(".commit_1", async () => {
      await store.commit(documents.map((document) => ({ document, expect: "absent" })));
    });
    sent.write = statements.length;
    if (first > 0) continue;
    const ids = documents.map((document) => document["xt/id"]);
    sent.read = (await capturedValues("_1(", async () => void (await store.getMany(ids)))).length;
  }
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const begun = performance.now();
    const page = await store.find({ type: "toolcall" }, cursor === undefined ? {} : { cursor });
    pages.push(performance.now() - begun);
    cursor = page.next;
  } while (cursor !== undefined);
  await store.close();
  return [
    absolute(
      { id: "postgres.requests", what: "requests that write 10,000 objects and read them", unit: "", goal: 12 },
      [sent.write + sent.read],
    ),
    compared(
      {
        id: "postgres.pages",
        what: `a page of 1,000 of ${objects} objects, the last 20, median`,
        unit: "ms",
        goal: 1.5,
      },
      median(pages.slice(-20)),
      { what: "the 20 after the first 5", value: median(pages.slice(5, 25)) },
    ),
  ];
}
