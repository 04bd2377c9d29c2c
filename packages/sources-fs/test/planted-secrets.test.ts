// @module-tag long
// Verifies: SSOT 5.10, T6 (planted secrets, false alarms, and what a session stores)
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { createRedactor } from "@cm/sources-fs";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { carriers } from "./support/carriers.ts";
import { cleanText } from "./support/clean-texts.ts";
import { committedFiles, dependedFiles } from "./support/committed-files.ts";
import { freshFolder } from "./support/folder.ts";
import { plantedKinds, plantedSecrets } from "./support/planted-secrets.ts";
import { openSource } from "./support/source.ts";

const seed = Number(process.env.CM_SEED ?? (process.env.CM_CAMPAIGN === "1" ? Date.now() % 2 ** 31 : 1));
const replay = `CM_SEED=${seed} pnpm exec vitest run --project @cm/sources-fs test/planted-secrets.test`;
const redact = createRedactor();
const secrets = plantedSecrets(300, createRandom(seed));

describe("300 planted secrets", () => {
  it("are of at least 30 kinds, and the carriers are ten", () => {
    expect(new Set(secrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(30);
    expect(Object.keys(carriers)).toHaveLength(10);
  });

  it.each(Object.entries(carriers))("are redacted in at least 95 of 100 cases: %s", (_, carry) => {
    const missed = secrets.filter((secret) => redact(carry(secret)).text.includes(secret.canary));

    expect(missed.length / secrets.length, `${replay} missed ${missed.map(({ kind }) => kind)}`).toBeLessThanOrEqual(
      0.05,
    );
  });

  it("are redacted for every kind, so that no kind hides behind the others", () => {
    const missed = plantedKinds.filter((kind) => {
      const own = secrets.filter((secret) => secret.kind === kind);
      const left = own.flatMap((secret) =>
        Object.values(carriers).filter((carry) => redact(carry(secret)).text.includes(secret.canary)),
      );
      return left.length > own.length * 5;
    });

    expect(missed, replay).toEqual([]);
  });
});

describe("2,000 clean files", () => {
  it("raise a false alarm in at most one of a hundred", () => {
    const random = createRandom(seed);
    const made = Array.from({ length: 600 }, () => {
      const { kind, text } = cleanText(random);
      return { path: `generated: ${kind}`, text };
    });
    const committed = committedFiles().slice(0, 800);
    const files = [...made, ...committed, ...dependedFiles(2_000 - made.length - committed.length)];

    const alarms = files.filter(({ text }) => redact(text).count > 0);

    expect(files).toHaveLength(2_000);
    expect(alarms.length, `${replay}\n${alarms.map(({ path }) => path).join("\n")}`).toBeLessThanOrEqual(20);
  });
});

describe("a session that is handed the redactor", () => {
  it("stores and shows none of the planted secrets, wherever they come in", async () => {
    const planted = plantedSecrets(60, createRandom(seed + 1));
    const root = freshFolder();
    const source = openSource(root);
    const { store, written } = recording(createMemoryStore());
    const [first] = planted;
    const session = await openSession({
      store,
      layout: layouts.log,
      rendererFor,
      redact,
      sources: [source],
      systemPrompt: carriers.chat?.(first as (typeof planted)[number]) ?? "",
    });

    const shown: string[] = [];
    for (const [n, secret] of planted.entries()) {
      const path = join(root, `src/place-${n}.txt`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        Object.values(carriers)
          .map((carry) => carry(secret))
          .join("\n"),
      );
      const binding = await source.bind(path);
      await session.receive([{ role: "user", text: carriers.chat?.(secret) ?? "" }]);
      shown.push(JSON.stringify(await session.assemble()));
      const command = carriers.environment?.(secret) ?? "";
      // Values and keys are redacted one by one, so a value that only its key gives away is not known here.
      const isShaped = secret.key === "value";
      const args = {
        command,
        ...(isShaped ? { value: secret.value, nested: { [secret.value]: [secret.value] } } : {}),
      };
      await session.record({
        answer: {
          role: "assistant",
          text: carriers.log?.(secret) ?? "",
          calls: [{ callId: `call_${n}`, tool: "bash", args }],
        },
        results: [
          {
            role: "tool",
            callId: `call_${n}`,
            text: n % 2 === 0 ? (carriers.output?.(secret) ?? "") : (carriers.error?.(secret) ?? ""),
            failed: n % 2 === 1,
            files: [{ binding, as: "read", span: { startLine: 1, endLine: 3 } }],
          },
        ],
      });
    }
    shown.push(JSON.stringify(await session.assemble()));

    const stored = JSON.stringify(written);
    const found = planted.filter(({ canary }) => [stored, ...shown].some((text) => text.includes(inJson(canary))));
    expect(written.length).toBeGreaterThan(planted.length * 2);
    expect(
      found.map(({ kind }) => kind),
      replay,
    ).toEqual([]);
    expect(stored).toContain("[redacted:");
  });
});

/** The store, and every document that was ever written to it. */
function recording(store: ObjectStore): { readonly store: ObjectStore; readonly written: readonly unknown[] } {
  const written: unknown[] = [];
  const commit: ObjectStore["commit"] = (writes, options) => {
    written.push(...writes.map(({ document }) => document));
    return store.commit(writes, options);
  };
  const recorded = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      return name === "commit" ? commit : typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: recorded, written };
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
