import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom, SessionScript } from "@cm/testkit";
import { at, Files } from "./files.ts";
import { openOn } from "./stage.ts";

const steps = 10;
const filesOfSession = 6;

/**
 * Writes a SQLite store of at least so many bytes: sessions of an agent that reads files, which change, and runs commands whose
 * outputs no compression makes small.
 * @returns how many sessions
 */
export async function writeLargeStore(path: string, bytes: number): Promise<number> {
  const outputChars = Math.min(500_000, bytes / 100);
  let ms = Date.UTC(2026, 0, 1);
  const now = () => {
    ms += 7;
    return ms;
  };
  const random = createRandom(23);
  let sessions = 0;
  let isLarge = false;
  while (!isLarge) {
    // A store that is closed has its log in the file, so that the file's size is the store's.
    const store = openSqliteStore({ path, now, synchronous: "normal" });
    for (let more = 0; more < 4; more += 1) {
      const name = `session-${sessions}`;
      sessions += 1;
      const files = new Files();
      const session = await openOn({ store, files }, name);
      for (let n = 0; n < steps; n += 1) {
        const file = `/${name}/${random.below(filesOfSession)}.ts`;
        files.write(file, noise(`${name} ${n} file`, 2_000 + random.below(8_000)));
        const output = noise(`${name} ${n}`, outputChars / 2 + random.below(outputChars));
        await new SessionScript()
          .say(`step ${n}`)
          .read(file, output, { callId: `${name}-${n}`, files: [{ binding: at(file), as: "read" }] })
          .playInto(session);
      }
      await session.close();
    }
    await store.close();
    isLarge = statSync(path).size >= bytes;
  }
  return sessions;
}

function noise(seed: string, chars: number): string {
  let text = "";
  for (let block = 0; text.length < chars; block += 1) {
    text += `${createHash("sha512").update(`${seed} ${block}`).digest("base64")}\n`;
  }
  return text.slice(0, chars);
}
