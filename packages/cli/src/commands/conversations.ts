import { type Conversation, readLineage } from "@cm/lineage";
import { isoText, momentText, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { limits } from "../limits.ts";

const columns = [
  { title: "conversation", shrinks: true },
  { title: "title", shrinks: true },
  { title: "status" },
  { title: "preset", shrinks: true },
  { title: "running", shrinks: true },
  { title: "last activity" },
] as const;

export function conversationsCommand(run: CommandRun): Command {
  const command = new Command("conversations")
    .description("list the conversations that servers wrote, newest first")
    .option("--archived", "those that are archived, too");
  return command.action((options: { archived?: true }) =>
    run.run(command, async ({ output, open }) => {
      const lineage = readLineage({ store: await open() });
      const listed: Conversation[] = [];
      const filter = options.archived === true ? {} : { status: "active" as const };
      for (let cursor: string | undefined; ; ) {
        const asked = { ...filter, limit: limits.runsPerPage, ...(cursor === undefined ? {} : { cursor }) };
        const { conversations, next } = await lineage.conversations(asked);
        for (const each of conversations) {
          if (output.json) await output.value(conversationValue(each));
          else listed.push(each);
        }
        if (next === undefined || listed.length >= limits.runsMax) break;
        cursor = next;
      }
      if (output.json) return undefined;
      if (listed.length === 0)
        output.note("There is no conversation in this store; servers (`npx @cm/server`) write them.");
      else await output.table(columns, listed.map(conversationRow));
      return undefined;
    }),
  );
}

const conversationRow = (found: Conversation): readonly string[] => [
  found.conversation_id,
  visibleLine(found.title ?? "", limits.fieldCharsMax),
  found.status,
  found.default_preset_id ?? "",
  found.running ?? "",
  momentText(found.updated_at),
];

function conversationValue(found: Conversation) {
  const { conversation_id: conversation, title, status, default_preset_id: preset, running, metadata } = found;
  const [createdAt, updatedAt] = [isoText(found.created_at), isoText(found.updated_at)];
  return { conversation, title, status, preset, running, metadata, createdAt, updatedAt };
}
