/**
 * What a call did to one file. `failed` is given only where the output was asked for its words: the call says itself
 * that it did not do it, whatever the harness recorded.
 */
export type FileAction =
  | { readonly does: "read"; readonly path: string; readonly failed?: true }
  | { readonly does: "edit"; readonly path: string; readonly replaced: readonly string[]; readonly failed?: true }
  | { readonly does: "write"; readonly path: string; readonly failed?: true };

/**
 * Everything else: its text is kept for a few calls and depends on nothing. `several`: a call on several files, which
 * `files` names each once; one text holds them all, so it belongs to none of them.
 */
export interface OtherAction {
  readonly does: "other";
  readonly what: "search" | "list" | "command" | "several" | "unknown";
  readonly files?: readonly FileAction[];
}

/** What a call did, as far as the policy must know. */
export type ToolAction = FileAction | OtherAction;
