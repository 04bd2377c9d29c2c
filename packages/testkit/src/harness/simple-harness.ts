import type { HarnessFeature, HarnessUnderTest } from "./harness-case.ts";
import { hostHarness } from "./host-harness.ts";
import { simpleWorld } from "./simple-host.ts";
import { SimpleSession } from "./simple-session.ts";

const features: readonly HarnessFeature[] = [
  "thinking",
  "images",
  "steering",
  "blocking",
  "asks-again",
  "usage",
  "restart",
  "kill",
  "going-back",
  "store-away",
  "detach",
  "elsewhere",
  "redaction",
  "log",
];

/** A small harness in memory that holds every law. */
export const openSimpleHarness = (): HarnessUnderTest =>
  hostHarness({
    name: "simple",
    features,
    begin: async () => simpleWorld(new Map<string, SimpleSession>(), () => new SimpleSession()),
  });
