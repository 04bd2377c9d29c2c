// An extension for Pi, loaded with -e: its tools work in a sandbox where this machine's work folder is `/workspace` and
// everything else is made up. Its types are those few that it uses, since those of the two versions differ.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";

interface Context {
  readonly cwd: string;
  /** From Pi 1.0 on. */
  executeTool?(name: string, args: object): Promise<unknown>;
}
interface Answer {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
}
interface Tool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(id: string, args: { path: string }, signal: unknown, onUpdate: unknown, context: Context): Promise<Answer>;
}
interface Pi {
  readonly events: { emit(channel: string, data: object): void; on(channel: string, handler: () => void): void };
  registerTool(tool: Tool): void;
}

/** Which of its abilities a run has: words with spaces between them. */
const abilities = new Set((process.env.SANDBOX ?? "").split(" "));

const parameters = Type.Object({ path: Type.String() });
const said = (text: string): Answer => ({ content: [{ type: "text", text }] });

export default function sandbox(pi: Pi): void {
  if (abilities.has("tools")) {
    for (const name of ["read", "write", "edit", "bash"]) {
      pi.registerTool({
        ...{ name, label: name, description: "In the sandbox", parameters },
        execute: async (_id, { path }, _signal, _onUpdate, { cwd }) => said(guestText(path, cwd)),
      });
    }
  }
  if (abilities.has("mounts")) {
    const mounts = [{ agent: "/workspace", canonical: process.cwd() }];
    pi.events.on("cm:mounts-wanted", () => pi.events.emit("cm:mounts", { v: 1, mounts, container: "guest-1" }));
  }
  if (abilities.has("script")) {
    pi.registerTool({
      ...{ name: "script", label: "script", description: "Reads a file by itself", parameters },
      execute: async (_id, { path }, _signal, _onUpdate, context) => {
        await context.executeTool?.("read", { path });
        return said("The script has read it.");
      },
    });
  }
}

function guestText(path: string, cwd: string): string {
  const inside = path.startsWith("/") ? path : join("/workspace", path);
  return inside.startsWith("/workspace/") ? readFileSync(join(cwd, inside.slice(11)), "utf8") : `guest has ${path}`;
}
