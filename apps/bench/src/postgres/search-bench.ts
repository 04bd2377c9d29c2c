import { type ObjectDocument, type ObjectStore, sealDocument } from "@cm/object-model";
import type { PrivatePostgres } from "@cm/private-postgres";
import { openPostgresStore } from "@cm/store-postgres";
import pg from "pg";
import { compared, type Figure } from "../figure.ts";
import { sampleText } from "../samples/sample-documents.ts";

const texts = 5_000;
const chars = 3_000;
const batch = 500;
const searches = 100;
/** In one of the texts, as a part of words. */
const needle = "ebra cross";
const contentOf = (n: number): string =>
  n === 4_321 ? `${sampleText(n, chars)} zebra crossing` : sampleText(n, chars);

/**
 * A search for a piece that one text has, and what the index of texts takes, beside the extension `pg_trgm` over a plain copy of the
 * texts. Nothing where the server has not that extension.
 */
export async function searchBench(server: PrivatePostgres): Promise<readonly Figure[]> {
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'");
    if (rowCount === 0) return [];
    const store = await openPostgresStore({ url: server.url, schema: "searched", connections: 1 });
    await fillStore(store);
    await fillPlain(client);
    const times = await inTurn(
      async () => (await store.find({ type: "toolcall", text: needle }, { limit: 100 })).versions.length,
      async () => (await client.query(plainSearch, [`%${needle}%`])).rowCount ?? 0,
    );
    await store.close();
    const bytes = (...tables: string[]) => bytesOf(client, tables);
    return [
      compared(
        {
          id: "postgres.search",
          what: `a search for a piece that one of ${texts} texts has, the fastest of ${searches}`,
          unit: "ms",
          goal: null,
        },
        times.own,
        { what: "pg_trgm over a plain copy of the texts", value: times.plain },
      ),
      compared(
        { id: "postgres.search.bytes", what: "bytes of the index for each character of the texts", unit: "", goal: 1 },
        (await bytes("searched.text_block", "searched.text_entry")) / (texts * chars),
        { what: "the plain copy and its index", value: (await bytes("plain")) / (texts * chars) },
      ),
    ];
  } finally {
    await client.end();
  }
}

function toolCall(n: number): ObjectDocument {
  const payload = { content: contentOf(n), tool: "bash", args: {}, status: "ok" as const, chat_ref: "chat:x" };
  return sealDocument({ type: "toolcall", id: `call_${n}` }, payload);
}

async function fillStore(store: ObjectStore): Promise<void> {
  for (let first = 0; first < texts; first += batch) {
    const documents = Array.from({ length: batch }, (_, n) => toolCall(first + n));
    await store.commit(documents.map((document) => ({ document, expect: "absent" })));
  }
}

const plainSearch = "SELECT n, folded FROM plain WHERE folded LIKE $1 LIMIT 100";

async function fillPlain(client: pg.Client): Promise<void> {
  await client.query(`CREATE EXTENSION pg_trgm; CREATE TABLE plain(n int PRIMARY KEY, folded text NOT NULL);
    CREATE INDEX plain_pieces ON plain USING gin(folded gin_trgm_ops)`);
  for (let first = 0; first < texts; first += batch) {
    const part = Array.from({ length: batch }, (_, n) => first + n);
    await client.query("INSERT INTO plain SELECT * FROM unnest($1::int[], $2::text[])", [
      part,
      part.map((n) => contentOf(n).toLowerCase()),
    ]);
  }
  await client.query("ANALYZE plain");
  await client.query("SELECT gin_clean_pending_list('plain_pieces')");
}

/** Each in its turn, so that both meet the same machine, and the fastest counts; the first search fills the index. */
async function inTurn(own: () => Promise<number>, plain: () => Promise<number>) {
  const times = { own: [] as number[], plain: [] as number[] };
  for (let n = 0; n <= searches; n += 1) {
    for (const [name, search] of [
      ["own", own],
      ["plain", plain],
    ] as const) {
      const begun = performance.now();
      const found = await search();
      if (found !== 1) throw new TypeError(`The search found ${found} texts and not the one.`);
      if (n > 0) times[name].push(performance.now() - begun);
    }
  }
  return { own: Math.min(...times.own), plain: Math.min(...times.plain) };
}

async function bytesOf(client: pg.Client, tables: readonly string[]): Promise<number> {
  const { rows } = await client.query(
    "SELECT sum(pg_total_relation_size(name::regclass))::text AS bytes FROM unnest($1::text[]) name",
    [tables],
  );
  return Number(rows[0].bytes);
}
