// An extension for Pi, loaded with -e: a neighbour that blocks calls, puts messages into requests, and has a tool whose
// output is huge. Its types are those few that it uses, since those of the two versions differ.
import { Type } from "typebox";

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly timestamp: number;
}
interface Tool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(id: string, args: { chars: number }): Promise<object>;
}
type Handler = (event: {
  readonly messages: readonly Message[];
  readonly toolName: string;
  readonly input: { readonly path?: unknown };
}) => unknown;
interface Pi {
  on(event: "context" | "tool_call", handler: Handler): void;
  registerTool(tool: Tool): void;
}

export const injected = "A neighbour says: mind the tests.";

export default function stage(pi: Pi): void {
  pi.registerTool({
    ...{ name: "flood", label: "flood", description: "Says much.", parameters: Type.Object({ chars: Type.Number() }) },
    execute: async (_id, { chars }) => ({ content: [{ type: "text", text: "flood ".repeat(Math.floor(chars / 6)) }] }),
  });
  pi.on("context", ({ messages }) => {
    const content = [{ type: "text", text: injected }];
    return { messages: [...messages, { role: "user", content, timestamp: Date.now() + 60_000 }] };
  });
  pi.on("tool_call", ({ toolName, input }) => {
    if (toolName !== "read" || input.path !== "forbidden.txt") return undefined;
    return { block: true, reason: "The neighbour forbids it." };
  });
}
