import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Agents that keep their sessions in a folder of the user. */
export type RecordingAgent = "pi" | "omp" | "claude-code" | "codex" | "opencode";

export interface FindOptions {
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the user's home. */
  readonly home?: string;
  /** What relative paths in variables are relative to. Default: the current folder. */
  readonly cwd?: string;
}

/** A folder below which an agent keeps its sessions. */
export interface AgentFolder {
  readonly agent: RecordingAgent;
  readonly path: string;
  /** Folders between this one and a file, at most. Deeper ones hold what sub-agents and tools wrote. */
  readonly levels: number;
  readonly isSession: (name: string) => boolean;
}

/** Versions that are not released have one of their own, such as `opencode-dev.db`. */
const database = /^opencode(-[\w.-]+)?\.db$/;
const lines = (name: string): boolean => name.endsWith(".jsonl");

/** Where the agents keep their sessions, as each of them reads its environment. Absolute paths; not all are there. */
export function agentFolders(options: FindOptions = {}): readonly AgentFolder[] {
  const { env = process.env, home = homedir(), cwd = process.cwd() } = options;
  const named = (variable: string, usual: string): string => {
    const value = env[variable] ?? "";
    return value === ""
      ? usual
      : resolve(
          cwd,
          value.replace(/^~(?=\/|$)/, () => home),
        );
  };
  const pi = named("PI_CODING_AGENT_DIR", join(home, ".pi", "agent"));
  const omp = named("PI_CODING_AGENT_DIR", join(home, env.PI_CONFIG_DIR || ".omp", "agent"));
  const claude = named("CLAUDE_CONFIG_DIR", join(home, ".claude"));
  const codex = named("CODEX_HOME", join(home, ".codex"));
  const data = named("XDG_DATA_HOME", join(home, ".local", "share"));
  const rollout = (name: string): boolean => name.startsWith("rollout-") && lines(name);
  return [
    { agent: "pi", path: named("PI_CODING_AGENT_SESSION_DIR", join(pi, "sessions")), levels: 1, isSession: lines },
    { agent: "omp", path: join(omp, "sessions"), levels: 1, isSession: lines },
    {
      ...{ agent: "claude-code", path: join(claude, "projects"), levels: 1 },
      // A sub-agent's file has no message of the session.
      isSession: (name) => lines(name) && !name.startsWith("agent-"),
    },
    { agent: "codex", path: join(codex, "sessions"), levels: 3, isSession: rollout },
    { agent: "codex", path: join(codex, "archived_sessions"), levels: 3, isSession: rollout },
    // Before the folder of older versions, whose sessions a newer one takes over.
    { agent: "opencode", path: join(data, "opencode"), levels: 0, isSession: (name) => database.test(name) },
    {
      ...{ agent: "opencode", path: join(data, "opencode", "storage", "session"), levels: 1 },
      isSession: (name) => name.endsWith(".json"),
    },
  ];
}
