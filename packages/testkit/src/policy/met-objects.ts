import type { ViewObject } from "@cm/context-log";
import { type JsonObject, objectIdOf } from "@cm/object-model";

const readingTools = new Set(["read", "view", "cat"]);

/** The objects that a session meets: each call by its id, and each file that a plain file tool names. */
export class MetObjects {
  readonly objects = new Map<string, ViewObject>();
  readonly index = new Set<string>();
  readonly #aliases = { file: 0, toolcall: 0 };

  /** The object of a call, which is known from then on. */
  toolcall({ callId, tool }: { readonly callId: string; readonly tool: string }): string {
    if (!this.index.has(callId)) {
      this.#aliases.toolcall += 1;
      const alias = `t${this.#aliases.toolcall}`;
      this.#add({ id: callId, alias, kind: "toolcall", tool, status: "ok", text: null });
    }
    return callId;
  }

  answered(id: string, status: "ok" | "fail", text: string | null): void {
    const known = this.objects.get(id);
    if (known !== undefined) this.objects.set(id, { ...known, status, text });
  }

  /** The file that a call names, and whether its output shows it. */
  file(tool: string, args: JsonObject): { readonly id: string | undefined; readonly reads: boolean } {
    const path = [args.path, args.file_path].find((value) => typeof value === "string" && value !== "");
    const reads = readingTools.has(tool.toLowerCase());
    if (typeof path !== "string" || !(reads || /^(multi)?edit$|^write$/i.test(tool))) return { id: undefined, reads };
    const id = objectIdOf({ type: "file", source: { type: "filesystem", filesystemId: "test", path } });
    if (!this.index.has(id)) {
      this.#aliases.file += 1;
      const alias = `f${this.#aliases.file}`;
      this.#add({ id, alias, kind: "file", path, fileType: "", charCount: 0, text: null, textless: "unread" });
    }
    return { id, reads };
  }

  /** A file is a stub that shows the newest output of a read. */
  seen(file: string, text: string): void {
    const known = this.objects.get(file);
    if (known !== undefined) this.objects.set(file, { ...known, text, textless: "unread" });
  }

  #add(object: ViewObject): void {
    this.objects.set(object.id, object);
    this.index.add(object.id);
  }
}
