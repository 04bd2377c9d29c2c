import { defined } from "@cm/object-model";
import type { MountSetting } from "../settings/settings.ts";
import type { ContainerSetting } from "../settings/source-setting.ts";
import type { SandboxMounts } from "./mounts-message.ts";

/** A registered tool and who brought it, as `pi.getAllTools()` says. */
export interface RegisteredTool {
  readonly name: string;
  readonly sourceInfo: { readonly source: string };
}

/** Whose files the agent's tools work on. `replaced`: those of Pi's tools that another extension brought. */
export type AgentFiles = { readonly replaced: ReadonlySet<string> } & (
  | { /** This machine's, by the paths that we see. */ readonly kind: "host" }
  | ({ /** Others; mounts tell where some of them lie. */ readonly kind: "sandbox" } & SandboxMounts)
  | { /** The owner is unknown: no file may be read. */ readonly kind: "unknown" }
);

const piTools = new Set(["read", "write", "edit", "bash", "powershell", "ls", "find", "grep"]);
const fileTools = ["read", "write", "edit"];

/** Decides it from what is registered now, what a sandbox said, and the configuration, which wins for a prefix. */
export function agentFilesOf(
  tools: readonly RegisteredTool[],
  {
    mounts,
    heard,
    container,
  }: {
    readonly mounts: readonly MountSetting[];
    readonly heard: SandboxMounts | undefined;
    /** That the tools work in, where they are replaced. */
    readonly container?: ContainerSetting | undefined;
  },
): AgentFiles {
  const foreign = tools.filter(({ name, sourceInfo }) => piTools.has(name) && sourceInfo.source !== "builtin");
  const replaced = new Set(foreign.map(({ name }) => name));
  if (heard !== undefined) {
    const own = new Set(mounts.map(({ agentPrefix }) => agentPrefix));
    const all = [...mounts, ...heard.mounts.filter(({ agentPrefix }) => !own.has(agentPrefix))];
    return { kind: "sandbox", replaced, ...heard, mounts: all };
  }
  if (replaced.size === 0) return { kind: "host", replaced };
  // "Everything is where it says": the configuration states that these tools work on this machine.
  if (isWholeMachine(mounts)) return { kind: "host", replaced: new Set() };
  // Commands alone are often replaced without another file system behind them: their paths are left out, no more.
  if (!fileTools.some((name) => replaced.has(name))) return { kind: "host", replaced };
  if (mounts.length === 0 && container === undefined) return { kind: "unknown", replaced };
  return {
    kind: "sandbox",
    replaced,
    mounts,
    ...defined({ cwd: container?.cwd }),
  };
}

/** Whether paths of this tool mean something to us, at least where a mount covers them. */
export function isFollowed({ kind, replaced }: AgentFiles, tool: string): boolean {
  if (kind !== "host") return kind === "sandbox";
  // Tools that are not Pi's work where Pi's commands do.
  return !(piTools.has(tool) ? replaced.has(tool) : replaced.has("bash"));
}

/** One sentence for the user where files cannot be followed. */
export function unknownFilesNotice(files: AgentFiles): string | undefined {
  if (files.kind === "sandbox" || files.replaced.size === 0) return undefined;
  const names = [...files.replaced].sort().join(", ");
  const what = files.kind === "unknown" ? "only outputs are kept and no file is read" : "their outputs are kept only";
  return `Context Manager does not know which files the tools of another extension (${names}) work on: ${what}. If they are this machine's, set CM_MOUNTS=/=/; for a sandbox, name its mounts or its container.`;
}

function isWholeMachine([mount, ...others]: readonly MountSetting[]): boolean {
  return (
    others.length === 0 &&
    mount?.agentPrefix === "/" &&
    mount.canonicalPrefix === "/" &&
    mount.filesystemId === undefined
  );
}
