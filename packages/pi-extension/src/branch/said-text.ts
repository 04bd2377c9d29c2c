import type { PiImage } from "../pi/pi-types.ts";
import type { SaidItem } from "./branch-item.ts";

/** A message as Pi puts it to the model: its text, and the pictures behind it. */
export interface Said {
  readonly text: string;
  readonly images: readonly PiImage[];
}

/** Pi's words around summaries and commands belong to what the model reads, so they are kept as they are. */
export function saidOf({ message }: SaidItem): Said {
  switch (message.role) {
    case "user":
    case "custom":
      return typeof message.content === "string" ? { text: message.content, images: [] } : blocksOf(message.content);
    case "bashExecution":
      return { text: commandText(message), images: [] };
    case "branchSummary":
      return { text: `${summaryHeads.branch}${message.summary}</summary>`, images: [] };
    case "compactionSummary":
      return { text: `${summaryHeads.compaction}${message.summary}\n</summary>`, images: [] };
    default:
      return { text: "", images: [] };
  }
}

const summaryHeads = {
  branch: "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
  compaction: "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
} as const;

type Blocks = readonly ({ readonly type: "text"; readonly text: string } | PiImage)[];

export function blocksOf(content: Blocks): Said {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return { text: texts.join("\n"), images: content.filter((block) => block.type === "image") };
}

type Command = Extract<SaidItem["message"], { role: "bashExecution" }>;

function commandText({ command, output, cancelled, exitCode, truncated, fullOutputPath }: Command): string {
  const shown = output === "" ? "(no output)" : `\`\`\`\n${output}\n\`\`\``;
  const failed = exitCode !== undefined && exitCode !== null && exitCode !== 0;
  const end = cancelled ? "\n\n(command cancelled)" : failed ? `\n\nCommand exited with code ${exitCode}` : "";
  const rest = truncated && fullOutputPath ? `\n\n[Output truncated. Full output: ${fullOutputPath}]` : "";
  return `Ran \`${command}\`\n${shown}${end}${rest}`;
}
