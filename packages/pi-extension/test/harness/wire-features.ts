import type { WireFormat } from "@cm/scripted-models/real-pi";
import type { HarnessFeature } from "@cm/testkit";

const everywhere: readonly HarnessFeature[] = [
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

/** What a Pi can be made to do over each format: all that the suite knows, but what the format does not have. */
export const wireFeatures: Readonly<Record<WireFormat, readonly HarnessFeature[]>> = {
  "anthropic-messages": [...everywhere, "thinking"],
  // Its thinking has no signature. That it goes back as it came is tested in ../formats.
  "openai-completions": everywhere,
  "openai-responses": [...everywhere, "thinking"],
};
