import type { FilePayload, ToolcallPayload } from "./content-objects.ts";
import type {
  AttachmentPayload,
  ChatPayload,
  ErasedObjectPayload,
  JournalPartPayload,
  JournalPayload,
  KeyframePayload,
  LeasePayload,
  SessionPayload,
  StandingPayload,
  StepPayload,
  SystemPromptPayload,
} from "./session-objects.ts";
import type { SourceBinding } from "./source-binding.ts";

/** SSOT 2.2: set at creation, the same in every version. */
export interface Envelope {
  readonly "xt/id": string;
  readonly type: string;
  readonly source: SourceBinding | null;
  readonly identity_hash: string;
}

/** Fields of every payload, whatever the type. */
interface CommonPayload {
  readonly content: string | null;
  readonly source_hash?: string | undefined;
  readonly content_hash: string;
}

/** One version of an object: envelope, hashes and the fields of its type. */
export interface ObjectDocument extends Envelope, CommonPayload {
  readonly [field: string]: unknown;
}

interface Payloads {
  file: FilePayload;
  toolcall: ToolcallPayload;
  chat: ChatPayload;
  session: SessionPayload;
  system_prompt: SystemPromptPayload;
  step: StepPayload;
  keyframe: KeyframePayload;
  standing: StandingPayload;
  lease: LeasePayload;
  attachment: AttachmentPayload;
  journal: JournalPayload;
  journal_part: JournalPartPayload;
  erased_object: ErasedObjectPayload;
}

export type CoreType = keyof Payloads;

/** The payload of a core type, without its content hash. */
export type PayloadOf<T extends CoreType> = Readonly<Payloads[T]>;

/** A document of a core type, with its fields typed. */
export type DocumentOf<T extends CoreType> = ObjectDocument & Envelope & { readonly type: T } & PayloadOf<T>;

/** Narrows a document of a store that checked it when it was written; false where none is there. */
export function isDocumentOf<T extends CoreType>(
  document: ObjectDocument | undefined,
  type: T,
): document is DocumentOf<T> {
  return document?.type === type;
}
