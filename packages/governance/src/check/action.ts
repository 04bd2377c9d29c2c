/** What the check of a session's policy knows by name. Bundles may name others, such as those of tools of one's own. */
export type KnownCapability =
  | "File.Read"
  | "File.Write"
  | "File.Delete"
  | "Shell.Exec"
  | "Network.Http"
  | "Workspace.Upload"
  | "BackendTool.Invoke"
  | "LLM.Call";

/**
 * The action that is about to happen. A rule that the bundle has for something that the action does not say denies it, so an
 * action says all that is known of it; one that concerns two files is two actions.
 */
export interface Action {
  readonly capability: KnownCapability | (string & {});
  /** The file. */
  readonly path?: string;
  /** Where a command runs: the paths of its capability are about that. */
  readonly cwd?: string;
  /** The text that a shell gets. */
  readonly command?: string;
  readonly url?: string;
  readonly tool?: string;
  /** How large the file is, or will be. */
  readonly fileSizeBytes?: number;
  readonly outputBytes?: number;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly maxOutputTokens?: number;
}

export type RiskLevel = "low" | "medium" | "high";

const risks: Readonly<Record<KnownCapability, RiskLevel>> = {
  "File.Read": "low",
  "File.Write": "medium",
  "File.Delete": "high",
  "Shell.Exec": "high",
  "Network.Http": "high",
  "Workspace.Upload": "low",
  "BackendTool.Invoke": "medium",
  "LLM.Call": "low",
};

/** A capability that is not known here is of medium risk. */
export const riskOf = (capability: string): RiskLevel =>
  Object.hasOwn(risks, capability) ? risks[capability as KnownCapability] : "medium";
