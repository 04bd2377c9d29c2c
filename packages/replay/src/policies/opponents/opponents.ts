import { logLayout } from "@cm/render";
import { fixedPolicy } from "../named-policy.ts";
import { clearToolUsesPolicy } from "./clear-tool-uses.ts";
import { clearingLayout } from "./clearing-layout.ts";
import { maskOldOutputsPolicy } from "./mask-old-outputs.ts";
import { piCompactionPolicy } from "./pi-compaction.ts";
import { piCompactionLayout, summaryChars } from "./pi-compaction-layout.ts";
import { watermarksPolicy } from "./watermarks.ts";

const piCompaction = (window: string, windowTokens: number) =>
  fixedPolicy(
    {
      policy: piCompactionPolicy({ windowTokens, reserveTokens: 16_384, keepRecentTokens: 20_000 }),
      renderer: piCompactionLayout,
    },
    `Pi's own compaction in a window of ${window} tokens: when less than 16,384 are left, all but the newest 20,000 give way to a summary. ` +
      `No model is asked: the summary is a stand-in of ${summaryChars.toLocaleString("en")} characters and the lists of files, so names and dialogue that a real one would keep are missing. ` +
      "What the request for a summary costs is not counted.",
  );

/** The methods of others, and attempts before the context log. */
export const opponents = {
  "clear-100k": fixedPolicy(
    {
      policy: clearToolUsesPolicy({ triggerTokens: 100_000, keepUses: 3, clearTokensMin: 5_000 }),
      renderer: clearingLayout,
    },
    "Vendor-style clearing: above 100,000 tokens all outputs but those of the newest 3 tool uses become a fixed placeholder, at least 5,000 tokens at once.",
  ),
  "mask-10": fixedPolicy(
    { policy: maskOldOutputsPolicy({ olderThanCalls: 10 }), renderer: clearingLayout },
    "Observation masking: at each request the outputs older than 10 calls become a fixed placeholder.",
  ),
  "watermarks-60k-30k": fixedPolicy(
    { policy: watermarksPolicy({ highTokens: 60_000, lowTokens: 30_000 }), renderer: logLayout },
    "Two watermarks: shortened on arrival as in the context log; above 60,000 tokens the oldest results and arguments become references until 30,000 are left.",
  ),
  "pi-compaction": piCompaction("200,000", 200_000),
  "pi-compaction-64k": piCompaction("64,000", 64_000),
};
