// Verifies: SSOT 1.4, 3.7, 3.12: a session as of any of its steps, from the store alone.
import { createMemoryStore, type StepAddress } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { objectAt, type PastSession, type Session, sessionAt } from "../src/index.ts";
import { Play } from "./support/play.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";

const file = "test/session-at.test.ts";
const fixedStore = () => createMemoryStore({ now: () => 1_700_000_000_000 });

describe.each([openLog, openSets])("a random session under $layout", (renderer) => {
  it("is what it was as of each of its steps, with every object it had in sight", { timeout: 600_000 }, async () => {
    await forSeeds({ short: 40, long: 2_000, file }, async (random, seed) => {
      const store = fixedStore();
      const play = await Play.open({ store, renderer, seed });
      const known: PastSession[] = [];

      for (const action of randomScript(random, 2 + random.below(8))) {
        await play.do(action);
        if (action.do === "record") known.push(await presentOf(play.session, addressOf(play)));
      }

      for (const then of known) {
        expect(await sessionAt(store, then.address)).toEqual(then);
        for (const { id, alias, text, textless } of then.objects) {
          const version = await objectAt(store, then.address, random.pick([id, alias]));
          // A stub may show a part that was seen of it; the document itself has no text.
          expect([version?.id, version?.document?.content]).toEqual([id, textless === undefined ? text : null]);
        }
        expect(await objectAt(store, then.address, "never met")).toBeUndefined();
      }
    });
  });
});

const addressOf = (play: Play): StepAddress => ({ session: "s", n: play.steps.at(-1)?.n ?? -1 });

/** What the open session itself has now. */
async function presentOf(session: Session, address: StepAddress): Promise<PastSession> {
  return {
    address,
    wrapper: session.wrapper(),
    chat: session.chat(),
    objects: await session.objects(),
    systemPrompt: session.view().systemPrompt,
    complete: true,
  };
}
