import { explore } from "./chapters/explore.ts";
import { handOver } from "./chapters/hand-over.ts";
import { headComments } from "./chapters/head-comments.ts";
import { moduleNames } from "./chapters/module-names.ts";
import { ownNames } from "./chapters/own-names.ts";
import type { ScriptedAgent } from "./scripted-agent.ts";
import { commentLine } from "./source-text.ts";
import type { SourceFile } from "./working-copy.ts";

/** How many files the agent takes for the most important ones, and reads. */
const centralFiles = 12;
/** Above this a read would be cut, and the agent could not know a whole file. */
const centralCharsMax = 40_000;
const centralLinesMax = 1_500;

/**
 * The task, one chapter for each prompt of the user. It fits any folder of source files: what is edited follows from
 * what was read. One edit fails, because it quotes a line as it was before, and is made again after a look at the file.
 */
export async function runScript(agent: ScriptedAgent, files: readonly SourceFile[]): Promise<void> {
  const central = largest(files).map(({ path }) => path);
  await explore(agent, central);
  await headComments(agent, central);
  await ownNames(agent, central);
  await moduleNames(agent, central);
  await handOver(agent, central);
}

function largest(files: readonly SourceFile[]): readonly SourceFile[] {
  return files
    .filter(({ path }) => commentLine(path, "") !== undefined)
    .filter(({ chars, lines }) => chars > 0 && chars <= centralCharsMax && lines <= centralLinesMax)
    .toSorted((a, b) => b.chars - a.chars)
    .slice(0, centralFiles);
}
