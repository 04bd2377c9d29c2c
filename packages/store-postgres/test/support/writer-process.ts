import { referenceToolcall } from "@cm/testkit";
import { openPostgresStore } from "../../src/index.ts";

/** The two objects of one commit. */
export const pairOf = (name: string, n: number): readonly [string, string] => [
  `${name}_${n}_left`,
  `${name}_${n}_right`,
];

/** Commits pairs until it is killed, and says the number of each once it was told that it is written. */
async function writeForEver(url: string, schema: string, name: string): Promise<void> {
  const store = await openPostgresStore({ url, schema });
  for (let n = 1; ; n += 1) {
    const writes = pairOf(name, n).map((id) => ({ document: referenceToolcall(id, id), expect: "absent" as const }));
    await store.commit(writes, { requestId: `${name} ${n}` });
    process.stdout.write(`${n}\n`);
  }
}

const [, started, url, schema, name] = process.argv;
if (started === import.meta.filename && url !== undefined && schema !== undefined && name !== undefined) {
  await writeForEver(url, schema, name);
}
