import { type JsonObject, parseObject } from "../wire/json.ts";
import { type PiEnd, PiProcess } from "./pi-process.ts";
import { argsOf, type PiPlace, type PiRun } from "./pi-run.ts";

/** `pi -p`: answers the prompts one after the other and ends. @throws PiFailure where it does not end */
export function runPrint(run: PiRun, ...prompts: readonly string[]): Promise<PiEnd> {
  return toItsEnd(new PiProcess(run, [...argsOf(run), "-p", "--", ...prompts]));
}

/** `pi --mode json`: as `runPrint`, with the events that it prints. @throws PiFailure, also for a line that is no JSON */
export async function runJson(
  run: PiRun,
  ...prompts: readonly string[]
): Promise<PiEnd & { readonly events: readonly JsonObject[] }> {
  const pi = new PiProcess(run, [...argsOf(run), "--mode", "json", "-p", "--", ...prompts]);
  const end = await toItsEnd(pi);
  try {
    const lines = end.stdout.split("\n").filter((line) => line !== "");
    return { ...end, events: lines.map(parseObject) };
  } catch {
    throw pi.failure("Pi printed something else than JSON.");
  }
}

/** Any other use of the command line, such as `install`, `list` and `remove`, with no arguments of the kit's own. */
export function runPi(place: PiPlace, ...args: readonly string[]): Promise<PiEnd> {
  return toItsEnd(new PiProcess(place, [place.pi.cli, ...args]));
}

/** Pi reads its input to the end before it begins. */
function toItsEnd(pi: PiProcess): Promise<PiEnd> {
  pi.closeInput();
  return pi.ended("by itself");
}
