// A process of its own that writes to a store: node writer.ts URL NAMESPACE NAME HOW COUNT. One line on stdout per commit
// that was acknowledged.
import { writeSync } from "node:fs";
import { isCmError, type ObjectDocument, type ObjectStore, sealDocument } from "@cm/object-model";
import { openXtdbStore } from "../../src/index.ts";

const [url = "", namespace = "", name = "", how = "", count = "0"] = process.argv.slice(2);
const token = process.env.CM_XTDB_TOKEN;
const store = openXtdbStore({ urls: url.split(","), namespace, ...(token === undefined ? {} : { token }) });
for (let n = 0; n < Number(count); n += 1) {
  await (how === "increments" ? increment(store) : put(store, n));
  writeSync(1, `${n}\n`);
}
await store.close();

/** Three documents that belong together, one of them a version of an object that all writers share. */
async function put(into: ObjectStore, n: number): Promise<void> {
  const writes = [0, 1, 2].map((place) => ({
    document: note(place === 2 ? "shared" : `${name}-${n}-${place}`, `${name} ${n} `.repeat(100)),
    expect: "any" as const,
  }));
  await into.commit(writes, { requestId: `${name}-${n}` });
}

/** Adds one to the counter: reads, writes under the token it read, and begins anew when another was faster. */
async function increment(into: ObjectStore): Promise<void> {
  for (;;) {
    const held = (await into.getMany(["counter"])).get("counter");
    const document = note("counter", `${Number(held?.document?.content ?? 0) + 1}`);
    try {
      await into.commit([{ document, expect: held?.token ?? "absent" }]);
      return;
    } catch (error) {
      if (!isCmError(error, "store/conflict")) throw error;
    }
  }
}

function note(id: string, content: string): ObjectDocument {
  const fields = { tool: "bash", args: {}, status: "ok" as const, chat_ref: "chat:s1" };
  return sealDocument({ type: "toolcall", id }, { content, ...fields });
}
