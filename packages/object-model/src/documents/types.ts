import type { core } from "zod/mini";
import { CmError } from "../errors.ts";
import { isErasedObjectId, isInfrastructureId, isSessionId, isSha256 } from "../ids.ts";
import { filePayload, toolcallPayload } from "./content-objects.ts";
import {
  attachmentPayload,
  chatPayload,
  erasedObjectPayload,
  journalPartPayload,
  journalPayload,
  keyframePayload,
  leasePayload,
  sessionPayload,
  standingPayload,
  stepPayload,
  systemPromptPayload,
} from "./session-objects.ts";

/** What a type declares for `find`: it belongs to the type from its first document on. */
export interface IndexDeclaration {
  /** Top-level fields that a filter's `where` may name. */
  readonly fields: readonly string[];
  /** The field that says how new an object is, a non-negative safe integer; anything else there counts as 0. */
  readonly newest?: string;
}

/** One object type: its role (SSOT 2.1), whether a source identifies it, its ids, and the schema of its payload. */
export interface DocumentType {
  readonly type: string;
  readonly role: "content" | "infrastructure";
  readonly sourced: boolean;
  /** Whether an unsourced object of this type may carry the id. Ids of sourced objects are their identity hash. */
  readonly acceptsId: (id: string) => boolean;
  /** The mutable payload without `content_hash`, strict: unknown fields are refused. A schema of `zod` or `zod/mini`. */
  readonly payload: core.$ZodType;
  /** What `find` may be asked for beyond the fields of every type. Default: nothing. */
  readonly indexed?: IndexDeclaration;
}

/** The object types a store accepts: an open list. `extend` gives a new list and leaves the old one as it was. */
export class DocumentTypes {
  readonly #types: ReadonlyMap<string, DocumentType>;

  constructor(types: Iterable<DocumentType>) {
    this.#types = new Map([...types].map((type) => [type.type, type]));
  }

  get(type: string): DocumentType | undefined {
    return this.#types.get(type);
  }

  /** @throws CmError `model/invalid-document` when the name is taken: a schema is stable once defined (SSOT 2.3) */
  extend(...added: readonly DocumentType[]): DocumentTypes {
    const taken = added.find(({ type }) => this.#types.has(type));
    if (taken !== undefined) {
      throw new CmError(
        "model/invalid-document",
        `The object type ${taken.type} is defined already; name yours otherwise.`,
      );
    }
    return new DocumentTypes([...this.#types.values(), ...added]);
  }

  [Symbol.iterator](): IterableIterator<DocumentType> {
    return this.#types.values();
  }
}

/** Ids such as `chat:{session}`. */
const ofSession = (prefix: string) => (id: string) =>
  id.startsWith(`${prefix}:`) && isSessionId(id.slice(prefix.length + 1));

/** Ids such as `step:{session}:{n}`. */
const ofStep = (prefix: string) => {
  const pattern = new RegExp(`^${prefix}:([^:]+):(0|[1-9][0-9]{0,9})$`);
  return (id: string) => isSessionId(pattern.exec(id)?.[1] ?? "");
};

const infrastructure = (type: string, acceptsId: (id: string) => boolean, payload: core.$ZodType): DocumentType => ({
  type,
  role: "infrastructure",
  sourced: false,
  acceptsId,
  payload,
});

export const coreDocumentTypes: DocumentTypes = new DocumentTypes([
  { type: "file", role: "content", sourced: true, acceptsId: isSha256, payload: filePayload },
  {
    type: "toolcall",
    role: "content",
    sourced: false,
    acceptsId: (id) => !isInfrastructureId(id) && !isSha256(id),
    payload: toolcallPayload,
  },
  infrastructure("chat", ofSession("chat"), chatPayload),
  infrastructure("session", ofSession("session"), sessionPayload),
  infrastructure("system_prompt", ofSession("system_prompt"), systemPromptPayload),
  infrastructure("step", ofStep("step"), stepPayload),
  infrastructure("keyframe", ofStep("keyframe"), keyframePayload),
  infrastructure("standing", ofStep("standing"), standingPayload),
  infrastructure("lease", ofSession("lease"), leasePayload),
  infrastructure("journal", ofSession("journal"), journalPayload),
  infrastructure("journal_part", ofStep("journal_part"), journalPartPayload),
  infrastructure("erased_object", isErasedObjectId, erasedObjectPayload),
  infrastructure("attachment", (id) => id.startsWith("attachment:") && isSha256(id.slice(11)), attachmentPayload),
]);
