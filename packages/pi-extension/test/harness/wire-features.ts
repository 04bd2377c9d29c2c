import type { HarnessFeature } from "@cm/testkit";
import type { WireFormat } from "../../../../tools/real-pi/real-pi.ts";

const all: readonly HarnessFeature[] = [
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

/** What a Pi can be made to do over each format. */
export const wireFeatures: Readonly<Record<WireFormat, readonly HarnessFeature[]>> = {
  "anthropic-messages": all,
  "openai-completions": all,
  "openai-responses": all,
};
