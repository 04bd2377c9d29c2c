import type { WireFormat } from "@cm/scripted-models/real-pi";
import { type HarnessFeature, harnessFeatures } from "@cm/testkit";

/** What a Pi can be made to do over each format: all that the suite knows, but what the format does not have. */
export const wireFeatures: Readonly<Record<WireFormat, readonly HarnessFeature[]>> = {
  "anthropic-messages": harnessFeatures,
  // Its thinking has no signature. That it goes back as it came is tested in ../formats.
  "openai-completions": harnessFeatures.filter((feature) => feature !== "thinking"),
  "openai-responses": harnessFeatures,
};
