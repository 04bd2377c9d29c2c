import { nonEmpty } from "@cm/object-model";
import type { SessionBeforeCompactEvent, SessionBeforeTreeEvent } from "@earendil-works/pi-coding-agent";
import { ownDetails, type WishedWeight } from "../branch/branch-items.ts";
import { withoutKept } from "../branch/kept-mark.ts";
import type { PiAssistant } from "../pi/pi-types.ts";
import { branchFacts } from "./branch-facts.ts";
import { compactionLimits } from "./limits.ts";
import { besideModels, type SummaryFacts, summaryText, summaryTitle } from "./summary-text.ts";

/**
 * What the session knows beyond Pi's branch. All of it may be missing: a database that is offline holds no compaction
 * up.
 */
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
  /** What a model's summary cost, as Pi counts it. */
  readonly usage?: PiAssistant["usage"];
  readonly details: typeof ownDetails & WishedWeight & { readonly instructions?: string };
}

type CompactFacts = Pick<SessionBeforeCompactEvent, "preparation" | "branchEntries" | "reason" | "customInstructions">;

export interface CompactionParts {
  readonly known?: SessionFacts;
  /** A model's summary. Undefined where none could be had. */
  readonly asked?: { readonly text: string; readonly usage: PiAssistant["usage"] } | undefined;
  /** What stood in the session's requests. Default: what Pi takes for that. */
  readonly tokensBefore?: number | undefined;
  readonly wish?: WishedWeight | undefined;
}

/**
 * What Pi stores of a compaction: a model's summary, as without us, with our data beside it; or where no model could be
 * asked one of data alone, since Pi cannot go on without after a request that was too large. A Pi without this
 * extension goes on from it. With the extension the model does not see it: the session's own log is what shrinks then.
 */
export function compactionFor(event: CompactFacts, parts: CompactionParts = {}): OwnCompaction {
  const { firstKeptEntryId, tokensBefore: estimated } = event.preparation;
  const { known = {}, asked, tokensBefore = estimated, wish = {} } = parts;
  const summary =
    asked === undefined
      ? dataSummary(event, known, tokensBefore)
      : besideModels(asked.text, { ...branchFacts(event.branchEntries), ...sessionPart(known) });
  const instructions = event.customInstructions?.trim().slice(0, compactionLimits.instructionsCharsMax) ?? "";
  const details = {
    ...ownDetails,
    ...nonEmpty({ instructions }),
    ...wish,
  };
  return { summary, firstKeptEntryId, tokensBefore, details, ...(asked && { usage: asked.usage }) };
}

function dataSummary(event: CompactFacts, known: SessionFacts, tokensBefore: number): string {
  const { previousSummary } = event.preparation;
  const isOwn = previousSummary?.startsWith(summaryTitle) === true;
  return summaryText({
    ...branchFacts(event.branchEntries),
    ...sessionPart(known),
    head: `${heads[event.reason]} About ${tokensBefore} tokens stood before it; what follows says what they were about.`,
    instructions: event.customInstructions,
    previous: isOwn || previousSummary === undefined ? undefined : withoutKept(previousSummary),
  });
}

const heads = {
  manual: "The user asked to compact this session.",
  threshold: "This session came near the end of the model's window.",
  overflow: "A request of this session was too large for the model.",
} as const;

/**
 * The text for a branch that `/tree` leaves. Undefined where the user wants none, or where there is nothing to tell.
 */
export function branchSummaryFor({
  preparation,
}: Pick<SessionBeforeTreeEvent, "preparation">):
  | { readonly summary: string; readonly details: typeof ownDetails }
  | undefined {
  const { userWantsSummary, entriesToSummarize, customInstructions } = preparation;
  if (!userWantsSummary || entriesToSummarize.length === 0) return undefined;
  const summary = summaryText({
    ...branchFacts(entriesToSummarize),
    isLeft: true,
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
