// An extension for Pi, loaded with -e: a tool whose output is 50 MB, with a word at each end. Pi cuts its own tools only.
import { Type } from "typebox";

interface Pi {
  registerTool(tool: {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly parameters: object;
    execute(): Promise<{ readonly content: readonly { readonly type: "text"; readonly text: string }[] }>;
  }): void;
}

const line = `${"x".repeat(99)}\n`;

export default function longOutput(pi: Pi): void {
  pi.registerTool({
    ...{ name: "dump", label: "dump", description: "Dumps a table", parameters: Type.Object({}) },
    execute: async () => ({ content: [{ type: "text", text: `first row\n${line.repeat(500_000)}last row` }] }),
  });
}
