/**
 * Writes the golden files: `node packages/object-model/test/golden/freeze.ts --overwrite`, then format them. No test
 * runs this. Hashes must never change between releases, so it refuses to replace a file without the flag, and it
 * refuses to freeze a hash that an independent computation does not confirm.
 */
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import canonicalize from "canonicalize";
import { fileTypeOf, objectIdOf, sha256 } from "../../src/index.ts";
import { coreTypes, type Material, randomMaterial, seal } from "../random/documents.ts";
import { randomText } from "../random/json.ts";
import { createRandom } from "../random/random.ts";
import { charCountCases, fileTypeCases } from "./cases.ts";

const random = createRandom(20_261_122);
const digest = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hashOf = (value: unknown): string => digest(canonicalize(value) ?? "");

function frozen({ identity, payload }: Material) {
  const document = seal({ identity, payload });
  const { source_hash, content, ...fields } = payload;
  const confirmed = {
    id: "source" in identity ? hashOf({ type: identity.type, source: identity.source }) : identity.id,
    identity_hash: hashOf(
      "source" in identity
        ? { type: identity.type, source: identity.source }
        : { type: identity.type, id: identity.id },
    ),
    content_hash: hashOf({ ...fields, content: typeof content === "string" ? digest(content) : null }),
  };
  confirm(document["xt/id"], confirmed.id);
  confirm(document.identity_hash, confirmed.identity_hash);
  confirm(document.content_hash, confirmed.content_hash);
  return { identity, payload, ...confirmed };
}

function confirm(actual: string, expected: string): void {
  if (actual !== expected) throw new Error("An independent computation gives another hash; nothing was written.");
}

function bytesOf(): Uint8Array {
  return Uint8Array.from({ length: random.below(40) }, () => random.below(256));
}

const materials = coreTypes.flatMap((type) => Array.from({ length: 40 }, () => randomMaterial(random, type)));
const files: Readonly<Record<string, readonly unknown[]>> = {
  documents: materials.map(frozen),
  identities: Array.from({ length: 60 }, () => {
    const { identity } = randomMaterial(random, random.pick(["file", "toolcall"]));
    return { identity, id: objectIdOf(identity) };
  }),
  "source-hashes": Array.from({ length: 60 }, (_, n) => {
    const bytes = n % 2 === 0 ? bytesOf() : Buffer.from(randomText(random, 30));
    confirm(sha256(bytes), digest(bytes));
    return { bytes: Buffer.from(bytes).toString("base64"), sha256: digest(bytes) };
  }),
  "file-types": fileTypeCases.map((path) => ({ path, file_type: fileTypeOf(path) })),
  "char-counts": charCountCases.map((text) => ({ text, char_count: text.length })),
};

for (const [name, entries] of Object.entries(files)) {
  const path = new URL(`${name}.json`, import.meta.url);
  if (existsSync(path) && !process.argv.includes("--overwrite")) {
    throw new Error(`${name}.json is frozen. A new hash is a breaking change; pass --overwrite if it is meant.`);
  }
  writeFileSync(path, `[\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`);
}
