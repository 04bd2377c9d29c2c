import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { grep } from "./grep.ts";
import { read } from "./read.ts";
import type { ToolCall, ToolResult, Workspace } from "./tool.ts";
import { write } from "./write.ts";

export async function runTool(call: ToolCall, workspace: Workspace): Promise<ToolResult> {
  switch (call.name) {
    case "read":
      return read(call.args, workspace);
    case "grep":
      return grep(call.args, workspace);
    case "edit":
      return edit(call.args, workspace);
    case "write":
      return write(call.args, workspace);
    case "bash":
      return bash(call.args, workspace);
  }
}
