// Verifies: HAR-001 to HAR-053 for a session in the smallest loop that drives one.
import { CmError, createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { type HarnessUnderTest, harnessSuite, hostHarness, readStoredSession, remembering } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompt, returnToStep } from "../src/index.ts";
import { intercepted } from "./support/stores.ts";

const everyFeature = [
  ...["thinking", "images", "steering", "blocking", "asks-again", "usage", "restart", "kill", "going-back"],
  ...["store-offline", "detach", "elsewhere", "redaction"],
] as const satisfies readonly HarnessUnderTest["features"][number][];

const redact = (text: string) => ({
  text: text.replace(/ghp_\w{36}/g, "[redacted:token]"),
  count: [...text.matchAll(/ghp_\w{36}/g)].length,
});

function harnessWith(name: "log" | "ssot"): HarnessUnderTest {
  return hostHarness({
    name,
    features: name === "log" ? [...everyFeature, "log"] : everyFeature,
    begin: async () => {
      const whole = createMemoryStore();
      let isAway = false;
      const before = () => {
        if (isAway) throw new CmError("store/unavailable", "The store does not answer.");
      };
      const store = intercepted(whole, { before });
      return {
        open: (session) =>
          openSession({
            store,
            layout: layouts[name],
            rendererFor,
            session,
            systemPrompt: "Be brief.",
            redact,
            owner: "loop",
          }),
        goBack: async (session, n) => void (await returnToStep(store, { session, n })),
        setOffline(away) {
          isAway = away;
        },
        stored: (session) => readStoredSession(whole, session, (at) => rebuildPrompt(whole, at, rendererFor)),
      };
    },
  });
}

describe.each(["log", "ssot"] as const)("a session under %s fulfils harness/1", (name) => {
  const harness = remembering(harnessWith(name));

  it.each(harnessSuite.cases)("$id ($clause) $title", async ({ run }) => {
    await expect(run(() => harness)).resolves.toBeUndefined();
  });
});
