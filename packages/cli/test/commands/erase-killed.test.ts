// @module-tag process
// Verifies: SSOT 2.8, decision 87, F1: an eraser that is killed loses nothing, and says nothing is gone that is not.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom, runWriter } from "@cm/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { open, steps, takeStep, typeSecrets } from "../support/typed-secret.ts";

const script = fileURLToPath(new URL("../support/eraser.ts", import.meta.url));
const kills = process.env.CM_CAMPAIGN === "1" ? 100 : 8;
const secretOf = (n: number) => `qzXkWvJ0pLm3RtY7bNc${n}`;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cm-killed-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("kill -9 of an erasure leaves a session that goes on, and the same call does the rest", async () => {
  const seed = process.env.CM_SEED === undefined ? Date.now() % 1_000_000_007 : Number(process.env.CM_SEED);
  const random = createRandom(seed);
  let unfinished = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const path = join(folder, `${kill}.sqlite`);
    const cm = (...args: string[]) => inProcess(["--store", path, ...args]);
    await written(path, (store) => typeSecrets(store, secretOf));
    // Every other one right when a replacement stands and its texts are still there.
    const isBetween = kill % 2 === 0;
    const moment = isBetween
      ? { afterLines: 1 + 2 * random.below(steps), andMs: 0 }
      : { afterLines: random.below(2 * steps), andMs: random.fraction() * 20 };

    const { lines } = await runWriter({ script, args: [path, "typed", `${steps}`], kill: moment });

    const findings = jsonLines((await cm("--json", "verify")).stdout);
    unfinished += findings.filter((finding) => JSON.stringify(finding).includes('"unfinished"')).length;
    expect(findings.at(-1), `CM_SEED=${seed}`).toMatchObject({ damaged: 0 });
    const left = await readable(path);
    for (const line of lines) {
      const [said, n] = line.split(" ");
      if (said === "erased") expect(left.includes(secretOf(Number(n))), `CM_SEED=${seed}`).toBe(false);
    }
    await written(path, async (store) => takeStep(await open(store, "typed"), "Go on."));
    const all = Array.from({ length: steps }, (_, n) => `typed@${n}`);
    expect(await cm("erase", ...all, "--reason", "again", "--yes")).toMatchObject({ status: 0 });
    expect(await readable(path)).not.toContain(secretOf(0).slice(0, -1));
    expect(await cm("verify")).toMatchObject({ status: 0, stdout: "" });
    expect((await cm("export", "typed", "-o", `${path}.cmb`)).status).toBe(0);
  }
  // Otherwise no kill came between the two.
  expect(unfinished).toBeGreaterThan(0);
});

async function written(
  path: string,
  write: (store: ReturnType<typeof openSqliteStore>) => Promise<void>,
): Promise<void> {
  const store = openSqliteStore({ path });
  await write(store);
  await store.close();
}

/** In any version of any object; `erase-typed.test.ts` looks at the bytes. */
async function readable(path: string): Promise<string> {
  const store = openSqliteStore({ path });
  const { versions } = await store.find({ session: "typed" });
  const texts = await Promise.all(versions.map(({ id }) => store.history(id, { documents: true })));
  await store.close();
  return JSON.stringify(texts);
}
