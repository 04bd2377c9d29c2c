import {
  type ContextToolHost,
  contextTool,
  contextToolName,
  preparedArguments,
  runContextTool,
} from "@cm/context-tool";
import type { AgentTool } from "@earendil-works/pi-agent-core";

/** Pi's own tools, by the names that presets use. */
export const codingToolNames = ["read", "bash", "edit", "write", "ls", "grep", "find"] as const;
export type CodingToolName = (typeof codingToolNames)[number];

/** Those that need no other program on the machine. */
export const defaultToolNames: readonly CodingToolName[] = ["read", "bash", "edit", "write", "ls"];

export const isCodingTool = (name: string): name is CodingToolName =>
  (codingToolNames as readonly string[]).includes(name);

/** Pi's tools in a folder. What they run has the environment without this server's own secrets. */
export async function codingTools(
  names: readonly CodingToolName[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly AgentTool[]> {
  // Loaded with the first run: with its terminal it takes longer to load than all else together.
  const pi = await import("@earendil-works/pi-coding-agent");
  const make: Record<CodingToolName, () => AgentTool> = {
    read: () => pi.createReadTool(cwd),
    bash: () =>
      pi.createBashTool(cwd, {
        exposeSessionEnvironment: false,
        spawnHook: (spawned) => ({ ...spawned, env }),
      }),
    edit: () => pi.createEditTool(cwd),
    write: () => pi.createWriteTool(cwd),
    ls: () => pi.createLsTool(cwd),
    grep: () => pi.createGrepTool(cwd),
    find: () => pi.createFindTool(cwd),
  };
  return names.map((name) => make[name]());
}

/** The one tool by which an agent reaches what its prompt left out. It changes the session, so none runs beside it. */
export function contextToolOf(host: ContextToolHost, cwd: string): AgentTool {
  return {
    ...contextTool,
    label: contextToolName,
    executionMode: "sequential",
    prepareArguments: preparedArguments as never,
    execute: async (_callId, args) => {
      const { text, failed, shows } = await runContextTool(host, args, { cwd });
      if (failed) throw new Error(text);
      return { content: [{ type: "text", text }], details: { cm: { shows } } };
    },
  } as AgentTool;
}
