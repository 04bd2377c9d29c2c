import { limits } from "../limits.ts";
import { openText } from "./open-text.ts";
import { done, failure, type ReadArgs, type ToolResult, type Workspace } from "./tool.ts";
import { bytesOf, keepHead, sizeText } from "./truncate.ts";

/** Shows a file, or a part of it, from its start to the limits; a notice says how to go on. */
export async function read({ path, offset = 1, limit }: ReadArgs, workspace: Workspace): Promise<ToolResult> {
  const opened = await openText(workspace, path);
  if ("problem" in opened) return failure(opened.problem);
  const all = opened.text.split("\n");
  const first = Math.max(1, offset);
  if (first > all.length) return failure(`Offset ${first} is beyond end of file (${all.length} lines total)`);

  const wanted = all.slice(first - 1, limit === undefined ? undefined : first - 1 + Math.max(1, limit));
  const { lines, by } = keepHead(wanted);
  const last = first + lines.length - 1;
  const next = `Use offset=${last + 1} to continue.`;
  if (by !== undefined) {
    const details = {
      truncation: { truncated: true, truncatedBy: by, totalLines: all.length, outputLines: lines.length },
    };
    if (lines.length === 0) return done(tooLong(path, first, bytesOf(wanted[0] ?? "")), details);
    const reason = by === "bytes" ? ` (${sizeText(limits.shownBytesMax)} limit)` : "";
    return done(`${lines.join("\n")}\n\n[Showing lines ${first}-${last} of ${all.length}${reason}. ${next}]`, details);
  }
  const left = all.length - last;
  return done(left === 0 ? lines.join("\n") : `${lines.join("\n")}\n\n[${left} more lines in file. ${next}]`);
}

function tooLong(path: string, line: number, bytes: number): string {
  const bound = limits.shownBytesMax;
  return `[Line ${line} is ${sizeText(bytes)}, exceeds ${sizeText(bound)} limit. Use bash: sed -n '${line}p' ${path} | head -c ${bound}]`;
}
