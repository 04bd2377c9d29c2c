import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleFiles } from "../example/example-files.ts";
import { recordExample } from "../example/record-example.ts";
import { replay } from "./replay.ts";
import type { ReplayCommandOptions } from "./replay-options.ts";

/** `npm start` alone: records the built-in example's agent at work, then replays the recording. */
export async function example(options: ReplayCommandOptions, command: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cm-example-"));
  try {
    process.stderr.write("A scripted agent works on a copy of a real folder; its session is recorded and replayed.\n");
    const { file, calls } = await recordExample({ into: join(folder, "example.jsonl") });
    process.stderr.write(`Recorded ${calls} model calls.\n`);
    await replay([file], options, { command, filesOf: exampleFiles });
    if (options.json !== true) {
      process.stdout.write(
        "\nNow one of your own: npm start -- replay SESSION.jsonl   (Pi, oh-my-pi, Claude Code, Codex, opencode or SWE-agent)\n",
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
