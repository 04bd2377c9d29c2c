import { type LineageReader, type Run, readLineage, textsOf } from "@cm/lineage";
import { visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { limits } from "../limits.ts";
import { findRecord, runsOf } from "../objects/find-lineage.ts";
import { statusText, stepText } from "./runs.ts";

/** A run in the picture, and how far to the right it stands. */
export interface TreeLine {
  readonly depth: number;
  readonly run: Run;
  /** What it is to the run above it. */
  readonly as: "root" | "continue" | "fork" | "subagent";
  /** It branches off there; the runs below it that go on do not. */
  readonly isBranch: boolean;
}

export function treeCommand(run: CommandRun): Command {
  const command = new Command("tree")
    .description("show the runs of a conversation as a graph, with its forks and subagents")
    .argument("<conversation>", "its id, or a start that only one has");
  return command.action((text: string) =>
    run.run(command, async ({ output, open }) => {
      const store = await open();
      const lineage = readLineage({ store });
      const lines = await treeOf(lineage, await findRecord(store, "conversation", text));
      for (const line of lines) {
        if (output.json)
          await output.value({
            run: line.run.session_id,
            parent: line.run.parent_session_id,
            depth: line.depth,
            as: line.as,
            status: line.run.status,
          });
        else await output.line(lineText(line));
      }
      return undefined;
    }),
  );
}

/** Runs that follow one another stand below each other; what branches off stands one place to the right. */
async function treeOf(lineage: LineageReader, conversationId: string): Promise<readonly TreeLine[]> {
  const lines: TreeLine[] = [];
  const own = [...(await runsOf(lineage, { conversationId }))].reverse();
  const roots = own.filter(
    ({ session_type, parent_session_id: parent }) =>
      session_type === "agent" && !own.some(({ session_id }) => session_id === parent),
  );
  for (const root of roots) await walk(root, { depth: 0, as: "root" }, { lineage, lines });
  return lines;
}

interface Walk {
  readonly lineage: LineageReader;
  readonly lines: TreeLine[];
}

/** Branches first, and then the run that goes on: the newest line of a conversation is its last. */
async function walk(first: Run, { depth, as }: Pick<TreeLine, "depth" | "as">, walking: Walk): Promise<void> {
  const { lineage, lines } = walking;
  let next: Run | undefined = first;
  let role = as;
  while (next !== undefined && lines.length < limits.runsMax) {
    const run: Run = next;
    lines.push({ depth, run, as: role, isBranch: run === first && depth > 0 });
    const [children, spawned] = await Promise.all([
      runsOf(lineage, { parentId: run.session_id }),
      runsOf(lineage, { spawnedBy: run.session_id }),
    ]);
    const following = [...children].reverse();
    const goingOn = following.filter(
      (child) => child.conversation_id === run.conversation_id && child.session_type === run.session_type,
    );
    next = goingOn.findLast(({ status }) => status !== "failed") ?? goingOn.at(-1);
    // A subagent that goes on is shown by the run that sent it for the first time.
    for (const subagent of [...spawned].reverse()) {
      if (subagent.parent_session_id === null) await walk(subagent, { depth: depth + 1, as: "subagent" }, walking);
    }
    for (const child of following) {
      if (child === next) continue;
      const isFork = child.conversation_id !== run.conversation_id;
      await walk(child, { depth: depth + 1, as: isFork ? "fork" : "continue" }, walking);
    }
    role = "continue";
  }
}

function lineText({ depth, run, as, isBranch }: TreeLine): string {
  const mark = isBranch ? `${"│ ".repeat(depth - 1)}├─` : "│ ".repeat(depth);
  const step = stepText(run);
  const kind = as === "fork" ? "fork " : "";
  const said = textsOf(run.input as Parameters<typeof textsOf>[0]).find((text) => text.trim() !== "") ?? "";
  const facts = [`${kind}${statusText(run)}`, ...(step === "" ? [] : [step])].join("  ");
  return `${mark}* ${run.session_id}  ${facts}  ${visibleLine(said, limits.saidCharsMax)}`.trimEnd();
}
