import { resolve } from "node:path";
import type { ImportSessionReceipt } from "@cm/exchange";
import { defined, isCmError } from "@cm/object-model";
import type { FoundRecording, RecordingPlace } from "@cm/recordings";
import { bytesText, counted, visibleLine } from "@cm/terminal-text";
import type { Task } from "../command-line.ts";
import { exitCodeOf, exitCodes } from "../errors.ts";
import { limits } from "../limits.ts";
import { namedRecordings } from "./named-recordings.ts";
import { type Importer, openImporter } from "./open-importer.ts";
import { placeName, placeProblem, shortPlaceName } from "./place-name.ts";

interface ImportOptions {
  readonly create?: true;
}

/** Session files of any agent, each a unit of its own: one that fails is named, and the others go on. */
export async function importFiles(task: Task, files: readonly string[], options: ImportOptions): Promise<number> {
  const { world, output } = task;
  const importer = await openImporter(task, options);
  const tally = new Tally(task);
  for (const { path, ...place } of await namedRecordings(world, files)) {
    const absolute = { ...place, path: resolve(world.cwd, path) };
    const receipt = await tally.import(importer, absolute, (text) => output.progress(text));
    if (receipt === undefined || output.json) continue;
    await output.line(receiptText(receipt, placeName({ ...place, path })));
    for (const warning of receipt.warnings) output.note(visibleLine(warning, limits.fieldCharsMax));
  }
  await importer.close();
  return tally.exitCode;
}

/** The sessions of all agents on this machine. What was imported before is not imported again. */
export async function importAll(task: Task, options: ImportOptions): Promise<number> {
  const { world, output } = task;
  const { findRecordings } = await import("@cm/recordings");
  const { HOME: home } = world.env;
  const folders = { env: world.env, cwd: world.cwd, ...(home === undefined ? {} : { home }) };
  const found: FoundRecording[] = [];
  for await (const recording of findRecordings(folders)) found.push(recording);
  if (found.length === 0) {
    if (!output.json) await output.line(nothingFound);
    return exitCodes.ok;
  }
  const importer = await openImporter(task, options);
  const tally = new Tally(task);
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const [n, place] of found.entries()) {
    const far = `${n + 1} of ${counted(found.length, "session")}, ${bytesText(done)} of ${bytesText(total)}`;
    output.progress(far);
    await tally.import(importer, place, (text) => output.progress(`${far}; ${shortPlaceName(place)}: ${text}`));
    done += place.bytes;
  }
  await importer.close();
  if (!output.json) await output.line(tally.text());
  return tally.exitCode;
}

const nothingFound = "No sessions of Pi, oh-my-pi, Claude Code, Codex or opencode were found in their usual folders.";

/** What became of files. */
class Tally {
  readonly #output: Task["output"];
  readonly #codes = new Set<number>();
  readonly #counts = { imported: 0, extended: 0, unchanged: 0, empty: 0, recorded: 0, failed: 0 };
  #redactions = 0;

  constructor({ output }: Pick<Task, "output">) {
    this.#output = output;
  }

  /** The exit code that all failures have in common, else that of a refusal. */
  get exitCode(): number {
    const [code = exitCodes.ok, ...others] = this.#codes;
    return others.length > 0 ? exitCodes.refused : code;
  }

  /** Undefined where it failed, which was said. @throws what is no error of the file, such as of the store */
  async import(
    importer: Importer,
    place: RecordingPlace,
    tell: (text: string) => void,
  ): Promise<ImportSessionReceipt | undefined> {
    try {
      const receipt = await importer.file(place, tell);
      this.#counts[receipt.outcome] += 1;
      this.#redactions += receipt.redactions;
      if (this.#output.json) await this.#output.value({ file: place.path, ...receipt });
      return receipt;
    } catch (error) {
      if (!isCmError(error) || error.code.startsWith("store/")) throw error;
      await this.#failed(place, error);
      return undefined;
    }
  }

  text(): string {
    const { imported, extended, unchanged, empty, recorded, failed } = this.#counts;
    const said = [
      `${counted(imported, "session")} imported`,
      ...(extended > 0 ? [`${extended} that had grown extended`] : []),
      ...(unchanged > 0 ? [`${unchanged} already there`] : []),
      ...(recorded > 0 ? [`${recorded} recorded already while ${recorded === 1 ? "it" : "they"} ran`] : []),
      ...(empty > 0 ? [`${empty} without messages`] : []),
      ...(failed > 0 ? [`${failed} could not be imported`] : []),
    ];
    const secrets = this.#redactions === 0 ? "" : ` ${counted(this.#redactions, "secret")} left out.`;
    return `${said.join(", ")}.${secrets}`;
  }

  async #failed(place: RecordingPlace, error: Error & { readonly code: string }): Promise<void> {
    const said = { file: place.path, ...defined({ session: place.session }) };
    if (error.code === "recording/empty") {
      this.#counts.empty += 1;
      if (this.#output.json) await this.#output.value({ ...said, outcome: "empty" });
      return;
    }
    this.#counts.failed += 1;
    this.#codes.add(exitCodeOf(error));
    if (this.#output.json)
      await this.#output.value({ ...said, outcome: "failed", error: { code: error.code, message: error.message } });
    else this.#output.note(placeProblem(place, error.message));
  }
}

function receiptText({ session, outcome, steps, redactions }: ImportSessionReceipt, name: string): string {
  const shown = visibleLine(session, limits.fieldCharsMax);
  const secrets = redactions === 0 ? "" : ` ${counted(redactions, "secret")} left out.`;
  switch (outcome) {
    case "imported":
      return `Imported session ${shown} (${counted(steps, "step")}).${secrets}`;
    case "extended":
      return `Session ${shown} was there; what its file has got since was added (${counted(steps, "step")}).${secrets}`;
    case "unchanged":
      return `The store has all of session ${shown} already.`;
    case "recorded":
      return `The store has it already as session ${shown}, recorded while it ran.`;
    case "empty":
      return `${name} has no messages; nothing was imported.`;
  }
}
