import type { PiModel, SessionEntry } from "./pi-types.ts";

/** What a managed session may ask of Pi, at any time while Pi's session lives. */
export interface PiSide {
  readonly piSession: string;
  readonly cwd: string;
  /** When the file of Pi's session began, as its entries' times; empty where that is not known. */
  readonly begun: string;
  /** The newest entry of the branch; null where there is none. */
  leaf(): string | null;
  /** From the root to the leaf. */
  branch(): readonly SessionEntry[];
  /** Of all branches, oldest first. */
  entries(): readonly SessionEntry[];
  /** Nothing of Pi's runs: a call without a result has none to come. */
  isIdle(): boolean;
  model(): PiModel | undefined;
  systemPrompt(): string;
  /** Characters of system prompt and tool declarations. */
  headChars(): number;
  /** Appends an entry that never reaches the model. */
  append(type: string, data: object): void;
  /** Something changed that the status line or a notice may say. */
  changed(): void;
}
