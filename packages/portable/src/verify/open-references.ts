import { type DocumentOf, objectIdOf } from "@cm/object-model";
import { badLine } from "../errors.ts";
import type { ErasedLine } from "../format/lines.ts";
import { type FileVersion, pendingReferences, stepReferences } from "../references/step-references.ts";

/** A version of a file by its id and hash; both are of fixed length. */
const versionKey = ({ file, contentHash }: FileVersion): string => `${file} ${contentHash}`;

/**
 * Holds what is there against what is named, both ways: nothing named may be missing, unless a mark says that it was
 * erased, and nothing may come along that nothing names. Lines are kept to say where.
 */
export class OpenReferences {
  /** Tool calls and attachments that are there, or marked. */
  readonly #objects = new Map<string, number>();
  readonly #namedObjects = new Map<string, number>();
  /** Files by id, with their versions that are there, or marked. */
  readonly #files = new Map<string, { readonly line: number; readonly versions: Set<string> }>();
  readonly #namedVersions = new Map<string, number>();
  readonly #namedFiles = new Set<string>();
  /** Objects that entered an index: a tool call, or a file in whatever version. */
  readonly #indexed = new Map<string, number>();
  readonly #touched = new Set<string>();

  addObject(id: string, line: number): void {
    if (this.#objects.has(id)) throw badLine("bundle/duplicate", line, "its object is there already");
    this.#objects.set(id, line);
  }

  addFile({ file, contentHash }: FileVersion, line: number): void {
    const known = this.#files.get(file) ?? { line, versions: new Set() };
    this.#files.set(file, known);
    if (known.versions.has(contentHash)) throw badLine("bundle/duplicate", line, "this version is there already");
    known.versions.add(contentHash);
  }

  addErased({ id, of, content_hash: contentHash = "" }: ErasedLine, line: number): void {
    if (of === "file") this.addFile({ file: id, contentHash }, line);
    else this.addObject(id, line);
  }

  nameObjects(ids: Iterable<string>, line: number): void {
    for (const id of ids) if (!this.#namedObjects.has(id)) this.#namedObjects.set(id, line);
  }

  nameStep(step: DocumentOf<"step">, line: number): void {
    const { toolcalls, files, attachments, indexed } = stepReferences(step);
    this.nameObjects([...toolcalls, ...attachments], line);
    this.nameFiles(files, line);
    for (const id of indexed) if (!this.#indexed.has(id)) this.#indexed.set(id, line);
  }

  nameFiles(versions: readonly FileVersion[], line: number): void {
    for (const version of versions) {
      this.#namedFiles.add(version.file);
      if (!this.#namedVersions.has(versionKey(version))) this.#namedVersions.set(versionKey(version), line);
    }
  }

  /** The pending input of a paused session: its touched files may be in the bundle. */
  namePending(head: DocumentOf<"session">, line: number): void {
    const { toolcalls, files, attachments, indexed } = pendingReferences(head);
    this.nameObjects([...toolcalls, ...attachments], line);
    this.nameFiles(files, line);
    for (const id of indexed) if (!this.#indexed.has(id)) this.#indexed.set(id, line);
    for (const { source } of head.pending?.touches ?? []) this.#touched.add(objectIdOf({ type: "file", source }));
  }

  /** @throws CmError `bundle/missing-reference`, `bundle/foreign` */
  close(): void {
    this.#checkNamed();
    for (const [id, line] of this.#objects) {
      if (!this.#namedObjects.has(id) && !this.#indexed.has(id)) throw unnamed(line);
    }
    for (const [file, { line, versions }] of this.#files) {
      const named = [...versions].filter((contentHash) => this.#namedVersions.has(versionKey({ file, contentHash })));
      // Beside the versions that steps saw, a file may come as it is now, where no step says how it is.
      const isWanted = this.#touched.has(file) || (this.#indexed.has(file) && !this.#namedFiles.has(file));
      if (versions.size > named.length + (isWanted ? 1 : 0)) throw unnamed(line);
    }
  }

  #checkNamed(): void {
    for (const [id, line] of this.#namedObjects) if (!this.#objects.has(id)) throw missing(line);
    for (const [key, line] of this.#namedVersions) {
      const [file = "", contentHash = ""] = key.split(" ");
      if (this.#files.get(file)?.versions.has(contentHash) !== true) throw missing(line);
    }
    for (const [id, line] of this.#indexed) {
      if (!this.#objects.has(id) && !this.#files.has(id)) throw missing(line);
    }
  }
}

function missing(line: number) {
  return badLine("bundle/missing-reference", line, "it names an object that is not there");
}

function unnamed(line: number) {
  return badLine("bundle/foreign", line, "nothing in the session names its object");
}
