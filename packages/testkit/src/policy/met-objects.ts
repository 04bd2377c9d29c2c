import type { StepObjects } from "@cm/context-log/state";
import { type AttachmentRef, type DocumentOf, type JsonObject, objectIdOf, sha256 } from "@cm/object-model";

const readingTools = new Set(["read", "view", "cat"]);

interface Call {
  readonly tool: string;
  readonly args: JsonObject;
}

interface Result {
  readonly callId: string;
  readonly text: string | null;
  readonly failed?: boolean;
  readonly attachments?: readonly AttachmentRef[];
}

/** The file that a call names, and whether its output shows it. */
interface NamedFile {
  readonly file: string | undefined;
  readonly path: string;
  readonly reads: boolean;
}

/** The documents of what a session meets: each call by its id, and as a stub each file that a plain file tool names. */
export class MetObjects {
  readonly #calls = new Map<string, Call>();
  readonly #toolcalls = new Map<string, DocumentOf<"toolcall">>();
  readonly #files = new Map<string, DocumentOf<"file">>();
  readonly #documents: StepObjects = {
    toolcall: (id) => this.#toolcalls.get(id),
    file: (id) => this.#files.get(id),
  };

  called({ callId, tool, args }: Call & { readonly callId: string }): void {
    this.#calls.set(callId, { tool, args });
    this.#toolcalls.set(callId, this.#toolcall({ callId, text: null }));
  }

  /** Takes in results, and gives the files of their calls that the session has not met before. */
  answered(
    results: readonly Result[],
    index: ReadonlySet<string>,
  ): { readonly observed: NonNullable<DocumentOf<"step">["observed"]>; readonly documents: StepObjects } {
    const met = new Map<string, { file: string; content_hash: string; display: string }>();
    for (const result of results) {
      this.#toolcalls.set(result.callId, this.#toolcall(result));
      const { file, path } = this.fileOf(result.callId);
      if (file === undefined || index.has(file)) continue;
      const stub = stubOf(file, path);
      this.#files.set(file, stub);
      met.set(file, { file, content_hash: stub.content_hash, display: path });
    }
    return { observed: [...met.values()], documents: this.#documents };
  }

  fileOf(callId: string): NamedFile {
    const { tool, args } = this.#callOf(callId);
    const path = [args.path, args.file_path].find((value) => typeof value === "string" && value !== "");
    const reads = readingTools.has(tool.toLowerCase());
    if (typeof path !== "string" || !(reads || /^(multi)?edit$|^write$/i.test(tool)))
      return { file: undefined, path: "", reads };
    const file = objectIdOf({ type: "file", source: { type: "filesystem", filesystemId: "test", path } });
    return { file, path, reads };
  }

  #callOf(callId: string): Call {
    return this.#calls.get(callId) ?? { tool: "unknown", args: {} };
  }

  #toolcall({ callId, text, failed = false, attachments }: Result): DocumentOf<"toolcall"> {
    const { tool, args } = this.#callOf(callId);
    const { file } = this.fileOf(callId);
    return {
      "xt/id": callId,
      type: "toolcall",
      content_hash: sha256(callId),
      source: null,
      identity_hash: "",
      content: text,
      ...{ tool, args },
      status: failed ? "fail" : "ok",
      chat_ref: "chat:s",
      ...(file === undefined ? {} : { file_refs: [file] }),
      ...(attachments === undefined ? {} : { attachments: [...attachments] }),
    };
  }
}

function stubOf(file: string, path: string): DocumentOf<"file"> {
  return {
    "xt/id": file,
    type: "file",
    content_hash: sha256(path),
    source: null,
    identity_hash: "",
    content: null,
    null_reason: "unread",
    file_type: "",
    char_count: 0,
  };
}
