// Where does a text stand better: in its object's document, or in one of its own? node bench/inline-texts.ts
//
// For texts of several lengths, each different: 600 objects, then a second version of each with the same text. Time of the
// commits, and size of the folder once the node has stopped.
import { readdirSync, rmSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ObjectDocument, sealDocument, sha256 } from "@cm/object-model";
import { connectXtdb, type Operation, put, type XtdbDocument } from "@cm/xtdb-client";
import { startNode } from "@cm/xtdb-node";
import { Names } from "../src/names.ts";
import { objectEntity } from "../src/object-entity.ts";
import { freshRandom } from "../src/version-token.ts";

const objects = 600;
const perCommit = 100;
const names = new Names("bench");
const words = "const value return module reads writes import export await index while error path line".split(" ");

console.log("chars   inline: s    MB      apart: s    MB");
for (const chars of [256, 512, 1_024, 2_048, 4_096, 16_384]) {
  const [inline, apart] = [await measure(chars, false), await measure(chars, true)];
  const shown = [inline, apart].map(
    ({ ms, bytes }) => `${(ms / 1000).toFixed(2).padStart(10)} ${(bytes / 1e6).toFixed(1).padStart(6)}`,
  );
  console.log(`${String(chars).padStart(6)} ${shown.join("   ")}`);
}

async function measure(chars: number, isApart: boolean): Promise<{ ms: number; bytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), "cm-inline-texts-"));
  const node = await startNode({ storage: { kind: "rocksdb", folder } });
  const client = connectXtdb({ urls: node.url });
  const started = performance.now();
  for (const status of ["ok", "fail"] as const) {
    for (let from = 0; from < objects; from += perCommit) {
      const operations: Operation[] = [];
      for (let n = from; n < from + perCommit; n += 1) {
        const content = text(n, chars);
        const fields = { tool: "bash", args: { command: "cat" }, status, chat_ref: "chat:bench" };
        const document = sealDocument({ type: "toolcall", id: `call_${n}` }, { content, ...fields });
        operations.push(...puts(document, content, { isApart, isFirst: status === "ok" }));
      }
      await client.submitAndConfirm(operations);
    }
  }
  const ms = performance.now() - started;
  await client.close();
  await node.stop();
  const bytes = sizeOf(folder);
  rmSync(folder, { recursive: true });
  return { ms, bytes };
}

function puts(
  document: ObjectDocument,
  content: string,
  { isApart, isFirst }: { isApart: boolean; isFirst: boolean },
): readonly Operation[] {
  const digest = sha256(content);
  const facts = {
    token: `${freshRandom()}.${document.content_hash}`,
    request: "request",
    digest,
    afterErasure: false,
    index: undefined,
  };
  const { content: _, "cm/blob": __, ...entity } = objectEntity(names, document, facts);
  if (!isApart) return [put({ ...entity, content } as XtdbDocument)];
  const reference = put({ ...entity, "cm/blob": names.text(digest) } as XtdbDocument);
  return isFirst ? [reference, put({ "xt/id": names.text(digest), "cm/put": freshRandom(), content })] : [reference];
}

function text(number: number, chars: number): string {
  let made = `${number} `;
  for (let place = 0; made.length < chars; place += 1)
    made += `${words[(number * 31 + place * 7) % words.length]}${(number * 7_919 + place * 13) % 997} `;
  return made.slice(0, chars);
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
