import { defined, isCmError } from "@cm/object-model";
import type { RecordingPlace } from "@cm/recordings";
import { counted } from "@cm/terminal-text";
import type { Task } from "../command-line.ts";
import { cliError, exitCodeOf, exitCodes } from "../errors.ts";
import { placeProblem, shortPlaceName } from "../exchange/place-name.ts";
import { OutputClosed } from "../output/output.ts";
import type { ReportTerms } from "./report-terms.ts";
import { reportValue } from "./report-values.ts";
import { type SessionReport, sessionReport } from "./session-report.ts";

export interface GatheredReports {
  readonly reports: readonly SessionReport[];
  readonly failed: number;
  /** Files without an answer of a model, unless they were named. */
  readonly empty: number;
  readonly exitCode: number;
}

export interface GatherOptions {
  readonly terms: ReportTerms;
  /** Whether the files were found and not named: then an empty one is nothing to be told about. */
  readonly isSearch: boolean;
}

/** Reports on sessions one after the other. One that fails is named, and the others go on. */
export async function gatherReports(
  { output, world }: Task,
  places: readonly RecordingPlace[],
  { terms, isSearch }: GatherOptions,
): Promise<GatheredReports> {
  const reports: SessionReport[] = [];
  const codes = new Set<number>();
  let failed = 0;
  let empty = 0;
  for (const [n, place] of places.entries()) {
    const far = places.length === 1 ? "" : `${n + 1} of ${counted(places.length, "session")}, `;
    const name = shortPlaceName(place);
    output.progress(`${far}${name}`);
    try {
      const report = await sessionReport(place, {
        prices: terms.prices,
        cwd: world.cwd,
        tell: (text) => output.progress(`${far}${name}: ${text}`),
      });
      if (output.json) await output.value(reportValue(report, terms));
      reports.push(report);
    } catch (thrown) {
      const error = failureOf(thrown);
      if (isSearch && isEmpty(error.code)) empty += 1;
      else {
        failed += 1;
        codes.add(exitCodeOf(error));
        await tellFailure(output, place, error);
      }
    }
  }
  const [code = exitCodes.ok, ...others] = codes;
  return { reports, failed, empty, exitCode: others.length > 0 ? exitCodes.refused : code };
}

/** A fault of ours with one file must not cost the report on a hundred others. @throws OutputClosed */
function failureOf(thrown: unknown): Error & { readonly code: string } {
  if (isCmError(thrown)) return thrown;
  if (thrown instanceof OutputClosed) throw thrown;
  const name = thrown instanceof Error ? thrown.name : "unknown";
  return cliError("cli/fault", `An error that cm does not know (${name}) ended the replay of this file; report it.`);
}

const isEmpty = (code: string): boolean => code === "recording/empty" || code === "cli/no-requests";

async function tellFailure(
  output: Task["output"],
  place: RecordingPlace,
  { code, message }: Error & { readonly code: string },
): Promise<void> {
  const { path: file, session } = place;
  if (output.json) await output.value({ kind: "failed", file, ...defined({ session }), error: { code, message } });
  else output.note(placeProblem(place, message));
}
