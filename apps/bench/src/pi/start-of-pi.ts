// How much later a real Pi asks its model for the first time, with and without the extension: node dist/pi/start-of-pi.js
//
// Prints JSON: StartFigures. Runs take turns, so that a busy machine slows both down.
import {
  createPiHome,
  extensionPath,
  preparePi,
  runPrint,
  type ScriptedModel,
  startScriptedModel,
} from "@cm/scripted-models/real-pi";

export interface StartFigures {
  /** From the start of the process to its first request, in ms, one for each run. */
  readonly aloneMs: readonly number[];
  readonly managedMs: readonly number[];
}

const rounds = 7;

const model = await startScriptedModel();
const aloneMs: number[] = [];
const managedMs: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  aloneMs.push(await firstRequestMs(model, []));
  managedMs.push(await firstRequestMs(model, [extensionPath()]));
}
await model.close();
process.stdout.write(`${JSON.stringify({ aloneMs, managedMs } satisfies StartFigures)}\n`);

async function firstRequestMs(asked: ScriptedModel, extensions: readonly string[]): Promise<number> {
  const play = asked.play([{ text: "Yes." }]);
  const home = await createPiHome({ play });
  try {
    const pi = await preparePi("0.87.1");
    const started = performance.now();
    await runPrint({ pi, home, format: "anthropic-messages", extensions }, "Are you there?");
    return (play.requests[0]?.atMs ?? Number.NaN) - started;
  } finally {
    await home.remove();
  }
}
