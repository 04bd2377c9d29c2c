// An extension of the kit's own, loaded into Pi with -e. Its types are those few that it uses, since the package of Pi
// cannot be found from this folder.
import { appendFileSync } from "node:fs";

interface Context {
  readonly sessionManager: { getLeafId(): string | null; getSessionId(): string };
  readonly ui: { notify(text: string, kind: "info"): void };
}
interface CommandContext extends Context {
  waitForIdle(): Promise<void>;
  navigateTree(entry: string, options: { readonly summarize: boolean }): Promise<{ readonly cancelled: boolean }>;
  reload(): Promise<void>;
}
interface Command {
  readonly description: string;
  readonly handler: (args: string, context: CommandContext) => Promise<void>;
}
interface Pi {
  on(event: string, handler: (event: object, context: Context) => void): void;
  registerCommand(name: string, command: Command): void;
}

/** The file of the events, one JSON object a line; without it there is no log. */
const log = process.env.CM_PROBE_LOG;

/** All events but those that stream, and those that hold headers. */
const logged = (
  "resources_discover session_start session_info_changed session_before_switch session_before_fork " +
  "session_before_compact session_compact session_compact_failed session_shutdown session_before_tree session_tree " +
  "context before_agent_start agent_start agent_end agent_before_settle agent_settled turn_start turn_end " +
  "message_start message_end tool_execution_start tool_execution_end model_select thinking_level_select tool_call " +
  "tool_result user_bash input"
).split(" ");

export default function probe(pi: Pi): void {
  pi.registerCommand("probe-tree", {
    description: "ENTRY [summary]: goes to an entry of the session, as /tree does",
    handler: async (args, context) => {
      const [entry = "", summary] = args.split(" ");
      const { cancelled } = await context.navigateTree(entry, { summarize: summary === "summary" });
      context.ui.notify(`probe-tree ${cancelled ? "cancelled" : "done"}`, "info");
    },
  });
  pi.registerCommand("probe-idle", {
    description: "Waits until nothing runs",
    handler: async (_args, context) => {
      await context.waitForIdle();
      context.ui.notify("probe-idle done", "info");
    },
  });
  pi.registerCommand("probe-reload", {
    description: "Loads the extensions again, as /reload does",
    handler: (_args, context) => context.reload(),
  });
  if (log === undefined) return;
  for (const type of logged) pi.on(type, (event, context) => write(log, { ...event, type }, context));
}

function write(path: string, event: object, context: Context): void {
  const { sessionManager } = context;
  const place = { session: sessionManager.getSessionId(), leaf: sessionManager.getLeafId() };
  appendFileSync(path, `${JSON.stringify({ ...place, event }, plain)}\n`);
}

/** Signals and functions have no JSON, and a cycle must not break the log. */
function plain(key: string, value: unknown): unknown {
  return key === "signal" || typeof value === "function" ? undefined : value;
}
