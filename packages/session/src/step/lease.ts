import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { OtherWriter } from "@cm/context-log";
import {
  type DocumentOf,
  leaseId,
  limits as modelLimits,
  sealDocument,
  sessionObjectId,
  type Write,
} from "@cm/object-model";

/** Tells this open session from every other one, and people where it runs. */
export function ownerHere(): string {
  return ownerName(`${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`);
}

/** A name as a document can carry it. */
export function ownerName(name: string): string {
  return name.slice(0, modelLimits.nameCharsMax).toWellFormed();
}

export interface LeaseOptions {
  readonly session: string;
  readonly owner: string;
  /** For how long it holds when it is taken or renewed. */
  readonly leaseMs: number;
}

/** Who writes a session, as far as this client knows (SSOT 2.6). It informs and never locks: whoever commits, commits. */
export class Lease {
  readonly #options: LeaseOptions;
  #newest: DocumentOf<"lease"> | undefined;

  /** @param newest the lease as it was read, whoever holds it */
  constructor(options: LeaseOptions, newest: DocumentOf<"lease"> | undefined) {
    this.#options = options;
    this.#newest = newest;
  }

  /** The lease of another session for this client, before it is taken. */
  of(session: string): Lease {
    return new Lease({ ...this.#options, session }, undefined);
  }

  /** The lease was read again. */
  learn(newest: DocumentOf<"lease"> | undefined): void {
    this.#newest = newest;
  }

  /** Whom the newest lease names, if that is not this client: it may be over by now. */
  get other(): OtherWriter | undefined {
    if (this.#newest === undefined || this.#isOwn) return undefined;
    const { owner, acquired_at, expires_at } = this.#newest;
    return { owner, acquiredAtMs: acquired_at, expiresAtMs: expires_at };
  }

  /** Another client that holds the lease now. */
  heldByOther(nowMs: number): OtherWriter | undefined {
    const { other } = this;
    return (other?.expiresAtMs ?? 0) > nowMs ? other : undefined;
  }

  /** What takes or renews it: nothing while more than half is left, or while it is another client's. */
  renewal(nowMs: number): readonly Write[] {
    if (this.heldByOther(nowMs) !== undefined) return [];
    const { leaseMs } = this.#options;
    const left = this.#isOwn ? (this.#newest?.expires_at ?? 0) - nowMs : 0;
    if (left > 0 && left >= leaseMs / 2) return [];
    const acquiredAtMs = left > 0 ? (this.#newest?.acquired_at ?? nowMs) : nowMs;
    return [this.#write(acquiredAtMs, nowMs + leaseMs)];
  }

  /** What gives it up: nothing where this client does not hold it. */
  release(nowMs: number): readonly Write[] {
    if (this.#newest === undefined || !this.#isOwn || this.#newest.expires_at <= nowMs) return [];
    return [this.#write(this.#newest.acquired_at, nowMs)];
  }

  /** These writes are in the store. */
  confirm(writes: readonly Write[]): void {
    const id = leaseId(this.#options.session);
    const written = writes.find(({ document }) => document["xt/id"] === id)?.document;
    if (written !== undefined) this.#newest = written as DocumentOf<"lease">;
  }

  get #isOwn(): boolean {
    return this.#newest?.owner === this.#options.owner;
  }

  /** Without a condition: a lease is a courtesy, and no step is lost to it. */
  #write(acquiredAtMs: number, expiresAtMs: number): Write {
    const { session, owner } = this.#options;
    const document = sealDocument(
      { type: "lease", id: leaseId(session) },
      {
        content: null,
        session_ref: sessionObjectId(session),
        owner,
        acquired_at: acquiredAtMs,
        expires_at: expiresAtMs,
      },
    );
    return { document, expect: "any" };
  }
}
