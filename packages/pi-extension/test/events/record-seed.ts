import { join } from "node:path";
import {
  createPiHome,
  openRpc,
  type PiVersion,
  preparePi,
  probePath,
  type ScriptedModel,
  wireFormats,
} from "@cm/scripted-models/real-pi";
import type { Random } from "@cm/testkit";
import { actions, dot } from "./actions.ts";
import { logOf, makeRecording } from "./make-recording.ts";
import type { Recording } from "./recording.ts";

const files = {
  "a.txt": "alpha\nbeta\n[t1] a line as of ours\n",
  "empty.txt": "",
  "dot.png": Buffer.from(dot, "base64"),
};
const settings = {
  retry: { enabled: true, maxRetries: 2, baseDelayMs: 1 },
  compaction: { enabled: true, reserveTokens: 1_000, keepRecentTokens: 20 },
};

export interface SeedOf {
  readonly version: PiVersion;
  readonly seed: number;
  readonly random: Random;
}

/** Lets a seed drive a Pi without our extension, and gives what that told another one. */
export async function recordSeed(model: ScriptedModel, { version, seed, random }: SeedOf): Promise<Recording> {
  const play = model.play([], { otherwise: { text: "Nothing more." } });
  const home = await createPiHome({ play, files, settings });
  try {
    const run = {
      ...{
        pi: await preparePi(version),
        home,
        format: wireFormats[random.below(wireFormats.length)] ?? wireFormats[0],
      },
      extensions: [join(import.meta.dirname, "other-extension.ts"), probePath],
      environment: { CM_PROBE_LOG: logOf(home) },
    };
    const rpc = await openRpc(run);
    const names = Object.keys(actions);
    const planned = Array.from({ length: 5 + random.below(5) }, () => names[random.below(names.length)] ?? "");
    // Something is said first: Pi writes no file before that.
    for (const name of ["one call", ...planned]) await actions[name]?.({ rpc, play, home, random });
    play.next([]);
    await rpc.prompt("Last one.");
    await rpc.close();
    return await makeRecording(home, { pi: version, seed, actions: ["one call", ...planned] });
  } finally {
    await home.remove();
  }
}
