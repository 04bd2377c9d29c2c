// Verifies: F14
import { type ContextView, indexedView } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { layouts } from "../../src/layouts.ts";
import { HostileViews } from "../support/hostile-view.ts";
import { createRandom, type Random, runSeed, runsOf } from "../support/random.ts";

/** The same view from another process: fresh objects, and all sets and maps but the index filled in another order. */
function shuffledCopy(view: ContextView, random: Random): ContextView {
  const copy = structuredClone({ ...view });
  const { index, ...others } = copy.sets;
  const sets = Object.fromEntries(Object.entries(others).map(([name, set]) => [name, new Set(random.shuffled(set))]));
  return indexedView({
    ...copy,
    objects: new Map(random.shuffled(copy.objects)),
    forms: new Map(random.shuffled(copy.forms)),
    sets: { ...copy.sets, ...sets, index },
  });
}

describe.each(Object.entries(layouts))("layout %s", (name, { renderer }) => {
  const views = runsOf(300, 30_000);
  const title = `${name} gives the same bytes for the same state, ${views} views`;
  it(title, () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const source = new HostileViews(random);

    for (let run = 0; run < views; run += 1) {
      const view = source.next();
      const first = JSON.stringify(renderer.render(view, {}));
      const again = JSON.stringify(renderer.render(view, {}));
      const elsewhere = JSON.stringify(renderer.render(shuffledCopy(view, random), {}));
      if (first !== again || first !== elsewhere) expect.fail(`View ${run} was rendered differently. ${replay}`);
    }
  });

  const fewer = views / 4;
  const among = `${name} gives them beside the others, ${fewer} views`;
  it(among, () => {
    const { seed, replay } = runSeed(among);
    const random = createRandom(seed);
    const source = new HostileViews(random);

    for (let run = 0; run < fewer; run += 1) {
      const view = source.next();
      const alone = renderer.render(shuffledCopy(view, random), {});
      const others = Object.values(layouts).map((other) => other.renderer.render(view, {}));
      const beside = renderer.render(view, {});
      if (JSON.stringify(alone) !== JSON.stringify(beside))
        expect.fail(`View ${run} was rendered differently. ${replay}`);
      const texts = new Map(beside.messages.map(({ id, text }) => [id, text]));
      const mixed = others.flatMap(({ messages }) =>
        messages.filter(({ id, text }) => (texts.get(id) ?? text) !== text),
      );
      if (mixed.length > 0) expect.fail(`In view ${run} the id ${mixed[0]?.id} has two texts. ${replay}`);
    }
  });

  it("is found by its recorded name", async () => {
    const { rendererFor } = await import("../../src/layouts.ts");

    expect(rendererFor(renderer.layout)).toBe(renderer);
    expect(rendererFor(`${renderer.layout}0`)).toBeUndefined();
  });
});
