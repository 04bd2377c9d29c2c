/** A recorded session in one shape, whatever agent wrote it: what replay needs and nothing else. */
export interface Recording {
  readonly format: RecordingFormat;
  /** The session's own id, made fit for file names and database ids. */
  readonly id: string;
  /** The folder that the agent worked in, as a path of its machine. */
  readonly cwd: string | undefined;
  /** Empty where the recording has none. */
  readonly systemPrompt: string;
  /** In file order (or along the active path): one `assistant` event for each model call. */
  readonly events: readonly RecordedEvent[];
  /** With `branches`, where the session does not stand at the last event: the place of the one it stands at, null for none. */
  readonly leaf?: number | null;
  /** Lines that could not be read, such as a cut last one. */
  readonly skippedLines: number;
  /** One sentence for each thing the user should know, skipped lines among them. */
  readonly warnings: readonly string[];
}

export type RecordingFormat = "pi" | "claude-code" | "codex" | "opencode" | "swe-agent";

export type RecordedEvent = (RecordedUser | RecordedAssistant | RecordedResult) & {
  /** With `branches`, where it is not the event before it: place of the event that this one follows, null for none. */
  readonly after?: number | null;
};

/** Text as the user, the harness or an extension gave it. Strings stand as recorded, lone surrogates included. */
export interface RecordedUser {
  readonly kind: "user";
  readonly text: string;
  readonly attachments: readonly RecordedAttachment[];
  readonly at?: Date;
}

/** One model call, aborted ones too. */
export interface RecordedAssistant {
  readonly kind: "assistant";
  readonly text: string;
  readonly thinking: readonly RecordedThinking[];
  readonly calls: readonly RecordedCall[];
  /** Tokens. */
  readonly usage?: RecordedUsage;
  readonly model?: string;
  readonly stopReason?: string;
  readonly at?: Date;
}

export interface RecordedResult {
  readonly kind: "result";
  readonly callId: string;
  /** Undefined where neither the result nor a call before it names the tool. */
  readonly tool: string | undefined;
  readonly text: string;
  readonly failed: boolean;
  readonly attachments: readonly RecordedAttachment[];
  readonly at?: Date;
}

export interface RecordedThinking {
  readonly text: string;
  /** For redacted thinking, the encrypted text. */
  readonly signature?: string;
  readonly redacted?: boolean;
}

export interface RecordedCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: keys come from outside and may be called `__proto__`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The provider ran it and kept what came of it: no result follows, and it was not interrupted. */
  readonly isOfProvider?: true;
}

export interface RecordedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** An image. */
export interface RecordedAttachment {
  readonly mime: string;
  readonly data: Uint8Array;
}

/** The result of reading a file of one format. */
export type RecordingContent = Pick<Recording, "cwd" | "systemPrompt" | "events" | "leaf" | "warnings"> & {
  /** As it stands in the file; undefined or empty where it has none. */
  readonly sessionId: string | undefined;
  readonly skipped: { readonly count: number; readonly first: readonly number[] };
};

export interface RecordingOptions {
  /** Only the events on the way from the root to the last entry, compacted ones included. Default: all of them. */
  readonly activePath?: boolean;
  /**
   * All branches as a tree: `after` says what an event follows, and what the agent put in place of a conversation that it
   * shortened is there, too. Of files of Claude Code, Codex and opencode; `@cm/journal` reads Pi's trees.
   */
  readonly branches?: boolean;
  /** Which session of a file that holds many, as opencode's database does. Default: the one that went on last. */
  readonly session?: string;
}
