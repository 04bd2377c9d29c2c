import { it } from "vitest";

/** A test of the campaign (`CM_CAMPAIGN=1`) alone, for what it costs; `tools/campaign-parts.ts` gives its file a day in CI. */
export function inCampaign(title: string, test: () => Promise<void>): void {
  if (process.env.CM_CAMPAIGN === "1") it(title, test);
}
