import { type HarnessUnderTest, harnessFeatures } from "./harness-case.ts";
import { hostHarness } from "./host-harness.ts";
import { simpleWorld } from "./simple-host.ts";
import { SimpleSession } from "./simple-session.ts";

/** A small harness in memory that holds every law. */
export const openSimpleHarness = (): HarnessUnderTest =>
  hostHarness({
    name: "simple",
    features: harnessFeatures,
    begin: async () => simpleWorld(new Map<string, SimpleSession>(), () => new SimpleSession()),
  });
