// Verifies: decision 0051: a name that means several things or none tells what there is.
import { createMemoryStore } from "@cm/object-model";
import { plainLayout, plainPolicy } from "@cm/render";
import { forkSession, openSession } from "@cm/session";
import { describe, expect, it } from "vitest";
import { findSession, findStep } from "../../src/objects/find-session.ts";

async function storeWith(sessions: readonly string[]) {
  const store = createMemoryStore();
  const layout = { policy: plainPolicy, renderer: plainLayout };
  for (const name of sessions) {
    const session = await openSession({ store, layout, session: name });
    await session.assemble();
    await session.record({ answer: { role: "assistant", text: "Done." } });
    await session.close();
  }
  return store;
}

describe("a name that several sessions begin with", () => {
  it("lists them, and says where there are more than it lists", async () => {
    const few = await storeWith(["s-1", "s-2"]);
    const many = await storeWith(Array.from({ length: 52 }, (_, n) => `s-${n}`));

    await expect(findSession(few, "s-")).rejects.toThrow("Several sessions begin with s-; name one of them:\ns-1\ns-2");
    await expect(findSession(many, "s-")).rejects.toThrow(
      /^More than 50 sessions begin with s-; name one of them, such as:(?:\ns-\d+){50}$/,
    );
  });
});

describe("a step that a fork does not have", () => {
  it("is told with the step that the fork goes on from", async () => {
    const store = await storeWith(["s"]);
    await forkSession(store, { session: "s", n: 0 }, { session: "fork" });

    await expect(findStep(store, { session: "fork", n: 0 })).rejects.toThrow(
      "Session fork has no step 0; it has none of its own yet, and goes on from s@0.",
    );
  });
});
