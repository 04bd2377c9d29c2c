// @module-tag long
// Verifies: SSOT 1.4, 3.6, 3.7, F14, F15: past prompts and resumed sessions, for random sessions.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { rebuildPrompts } from "../src/index.ts";
import { all } from "./support/all.ts";
import { Play } from "./support/play.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { snapshot } from "./support/snapshot.ts";
import { everythingIn } from "./support/stores.ts";

const file = "test/rebuild.test.ts";
const fixedStore = (): ObjectStore => createMemoryStore({ now: () => 1_700_000_000_000 });

describe.each([openLog, openSets])("a random session under $layout", (renderer) => {
  it("gives every request again, byte for byte, to a reader that has only the store", async () => {
    await forSeeds({ short: 15, long: 4_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer, seed });

      for (const action of randomScript(random, 2 + random.below(12))) await play.do(action);

      const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
      expect(rebuilt.map(({ n, prompt }) => ({ n, prompt }))).toEqual(
        play.steps.map(({ n, prompt }) => ({ n, prompt })),
      );
      expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
    });
  });

  it("gives any one request again while it goes on", async () => {
    await forSeeds({ short: 8, long: 2_000, file }, async (random, seed) => {
      const play = await Play.open({ store: fixedStore(), renderer, seed });
      for (const action of randomScript(random, 2 + random.below(8))) await play.do(action);

      const step = random.pick(play.steps);
      const rebuilt = await play.session.promptAt(step.n);

      expect(rebuilt.prompt).toEqual(step.prompt);
      expect([rebuilt.hash, rebuilt.complete]).toEqual([rebuilt.recordedHash, true]);
    });
  });

  it("goes on in a new client as if it had never stopped", async () => {
    await forSeeds({ short: 10, long: 5_000, file }, async (random, seed) => {
      const stores = [fixedStore(), fixedStore()] as const;
      const whole = await Play.open({ store: stores[0], renderer, seed });
      const paused = await Play.open({ store: stores[1], renderer, seed });

      for (const action of randomScript(random, 2 + random.below(12))) {
        // A resumed session shows today's paths at once, an open one as it meets its files: `moved-paths.test.ts`.
        if (action.do === "mount") continue;
        await whole.do(action);
        await paused.do(action);
        if (action.do === "record" && random.chance(0.4)) {
          await whole.look();
          await paused.reopen();
        }
      }

      expect(snapshot(paused.session)).toEqual(snapshot(whole.session));
      expect(paused.steps).toEqual(whole.steps);
      expect(await everythingIn(stores[1], ["s"])).toEqual(await everythingIn(stores[0], ["s"]));
    });
  });
});
