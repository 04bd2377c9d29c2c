// A process of its own that saves into a state cache: node cache-writer.ts PATH NAME COUNT. A save that found the file
// locked is lost without a word, so each is repeated until it is known.
import { openStateCache } from "../../src/index.ts";

const [path = "", name = "", count = "0"] = process.argv.slice(2);
const cache = openStateCache({ path });
for (let n = 0; n < Number(count); n += 1) {
  const id = `${name}-${n}`;
  while ((await cache.load([id])).size === 0) await cache.save(new Map([[id, { hint: id }]]));
}
await cache.close?.();
