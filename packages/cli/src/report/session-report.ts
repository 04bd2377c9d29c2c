import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Prices } from "@cm/context-log";
import { createMemoryStore, defined } from "@cm/object-model";
import type { Recording, RecordingPlace } from "@cm/recordings";
import type { OutputUse } from "@cm/replay";
import { bytesText, counted, countText } from "@cm/terminal-text";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { type RecordedTokens, recordedTokens } from "./recorded-tokens.ts";

/** What one session file says, and what a replay of it estimates. */
export interface SessionReport {
  /** As it was named or found. */
  readonly file: string;
  readonly session: string;
  readonly agent: Recording["format"];
  /** The last part of the folder that the agent worked in. */
  readonly folder: string | undefined;
  readonly startedAt: Date | undefined;
  /** Requests to a model. */
  readonly requests: number;
  readonly tokens: RecordedTokens | undefined;
  readonly use: OutputUse;
  /** Billed input in characters at the prices: of the whole conversation in every request, and of the context log. */
  readonly plain: number;
  /** With what an edit would have had to fetch again. */
  readonly withLog: number;
  /** Edits of text that the conversation had shown, and those for which the context log still showed it. */
  readonly edits: { readonly needed: number; readonly inView: number };
  readonly warnings: readonly string[];
}

export interface SessionReportOptions {
  /** What a relative path is relative to. */
  readonly cwd: string;
  readonly prices: NamedPrices;
  readonly tell: (text: string) => void;
}

export interface NamedPrices {
  readonly name: string;
  readonly prices: Prices;
}

/**
 * Reads one session and replays it in memory. Nothing is written, and no file that the session speaks of is looked at.
 * @throws CmError `recording/*`; `cli/no-requests`; `cli/refused` where it is too large
 */
export async function sessionReport(
  place: RecordingPlace,
  { prices, cwd, tell }: SessionReportOptions,
): Promise<SessionReport> {
  const { path: file, session } = place;
  const path = resolve(cwd, file);
  await checkSize(path, place.bytes);
  // Loaded here, so that no other command waits for them.
  const [{ readRecording }, { namedPolicies, outputUse, replayResult }, { createRedactor }] = await Promise.all([
    import("@cm/recordings"),
    import("@cm/replay"),
    import("@cm/sources-fs"),
  ]);
  const redact = createRedactor();
  const recording = await readRecording(path, defined({ session }));
  const requests = recording.events.filter(({ kind }) => kind === "assistant").length;
  if (requests === 0)
    throw cliError("cli/no-requests", `${basename(path)} has no answer of a model; nothing was spent on it.`);
  if (requests > limits.reportRequestsMax)
    throw cliError(
      "cli/refused",
      `${basename(path)} has ${counted(requests, "request")}; a report takes sessions of ${countText(limits.reportRequestsMax)} and less.`,
    );
  const { totals } = await replayResult(recording, {
    policy: { name: "default", policy: namedPolicies.default },
    pricing: prices,
    place: { store: createMemoryStore(), kind: "memory" },
    lifetime: "recorded",
    onCall: async (done, total) => tell(`request ${done} of ${total}`),
  });
  const { plainBilled, faultedShare = totals.billedShare, needed, neededMet } = totals;
  return {
    ...{ file, requests, session: recording.id, agent: recording.format },
    folder: recording.cwd === undefined ? undefined : basename(recording.cwd),
    startedAt: recording.events.find(({ at }) => at !== undefined)?.at,
    tokens: recordedTokens(recording),
    // A report may be shown around, and commands have keys in them.
    use: outputUse(recording, { shown: (text) => redact(text).text }),
    plain: plainBilled,
    withLog: plainBilled * faultedShare,
    edits: { needed, inView: neededMet },
    warnings: recording.warnings,
  };
}

/** What is not there, or no file, is told by who reads it. */
async function checkSize(path: string, known: number | undefined): Promise<void> {
  const bytes = known ?? (await stat(path).catch(() => undefined))?.size ?? 0;
  if (bytes <= limits.reportFileBytesMax) return;
  throw cliError(
    "cli/refused",
    `${basename(path)} has ${bytesText(bytes)}; a report takes sessions of ${bytesText(limits.reportFileBytesMax)} and less.`,
  );
}
