import type { SessionBeforeCompactEvent, SessionBeforeTreeEvent } from "@earendil-works/pi-coding-agent";
import { ownDetails } from "../branch/items-of.ts";
import { branchFacts } from "./branch-facts.ts";
import { compactionLimits } from "./limits.ts";
import { type SummaryFacts, summaryText, summaryTitle } from "./summary-text.ts";

/** What the session knows beyond Pi's branch. All of it may be missing: a database that is away holds no compaction up. */
export interface SessionFacts {
  /** Files by the paths that the agent sees, with their short names. */
  readonly files?: readonly { readonly path: string; readonly alias: string }[];
  /** Files and tool calls that the session keeps. */
  readonly objects?: number;
}

export interface OwnCompaction {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
  readonly details: typeof ownDetails & { readonly instructions?: string };
}

type CompactFacts = Pick<SessionBeforeCompactEvent, "preparation" | "branchEntries" | "reason" | "customInstructions">;

/**
 * What Pi stores in place of a summary that a model would write. It is never refused, whoever asked for it: Pi would ask
 * again at every step, and could not go on after a request that was too large. The model does not see it while this
 * extension works, since the session's own log is what shrinks then.
 */
export function compactionFor(event: CompactFacts, known: SessionFacts = {}): OwnCompaction {
  const { firstKeptEntryId, tokensBefore, previousSummary } = event.preparation;
  const isOwn = previousSummary?.startsWith(summaryTitle) === true;
  const summary = summaryText({
    ...branchFacts(event.branchEntries),
    ...sessionPart(known),
    head: `${heads[event.reason]} About ${tokensBefore} tokens stood before it; what follows says what they were about.`,
    instructions: event.customInstructions,
    previous: isOwn ? undefined : previousSummary,
  });
  const instructions = event.customInstructions?.trim().slice(0, compactionLimits.instructionsCharsMax) ?? "";
  const details = { ...ownDetails, ...(instructions === "" ? {} : { instructions }) };
  return { summary, firstKeptEntryId, tokensBefore, details };
}

const heads = {
  manual: "The user asked to compact this session.",
  threshold: "This session came near the end of the model's window.",
  overflow: "A request of this session was too large for the model.",
} as const;

/** The text for a branch that `/tree` leaves. Undefined where the user wants none, or where there is nothing to tell. */
export function branchSummaryFor(
  { preparation }: Pick<SessionBeforeTreeEvent, "preparation">,
  known: SessionFacts = {},
): { readonly summary: string; readonly details: typeof ownDetails } | undefined {
  const { userWantsSummary, entriesToSummarize, customInstructions } = preparation;
  if (!userWantsSummary || entriesToSummarize.length === 0) return undefined;
  const summary = summaryText({
    ...branchFacts(entriesToSummarize),
    ...sessionPart(known),
    head: "The user went on from an earlier point. This is what was done on the branch that was left.",
    instructions: customInstructions,
  });
  return { summary, details: ownDetails };
}

/** The session knows files by longer paths than the agent may have written. */
function sessionPart({ files, objects }: SessionFacts): Pick<SummaryFacts, "aliasOf" | "objects"> {
  if (files === undefined || files.length === 0) return { objects };
  const aliases = new Map(files.map(({ path, alias }) => [path, alias]));
  const aliasOf = (written: string): string | undefined =>
    aliases.get(written) ?? files.find(({ path }) => path.endsWith(`/${written}`))?.alias;
  return { aliasOf, objects };
}
