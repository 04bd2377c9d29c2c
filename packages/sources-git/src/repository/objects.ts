import { createHash } from "node:crypto";
import type { LruCache } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { ObjectReader } from "../process/object-reader.ts";
import type { Reply } from "../process/reply-parser.ts";
import { reasons, Trouble } from "../reasons.ts";
import { parseTree, type Tree, weightOf } from "./tree.ts";

export type ObjectFormat = "sha1" | "sha256";

/**
 * The objects of one repository as one look sees them. Git is asked for whole ids only, so that nothing in a binding
 * can mean anything to it. Bytes whose hash is not the id are never handed on.
 */
export class Objects {
  readonly #reader: ObjectReader;
  readonly #cache: LruCache<Tree>;
  readonly #signal: AbortSignal;
  readonly #format: ObjectFormat;
  /** Folders that are being read, so that files of one folder read it once. */
  readonly #underWay = new Map<string, Promise<Tree>>();

  constructor(options: {
    readonly reader: ObjectReader;
    readonly cache: LruCache<Tree>;
    readonly format: ObjectFormat;
    readonly signal: AbortSignal;
  }) {
    this.#reader = options.reader;
    this.#cache = options.cache;
    this.#format = options.format;
    this.#signal = options.signal;
  }

  /** The id of the folder that a commit, or a tag of one, holds. */
  async rootOf(id: string): Promise<string> {
    const [object, root] = await Promise.all([this.#info(id), this.#info(`${id}^{tree}`)]);
    // In a repository of the other hash, git would take the id for the beginning of one.
    if (object.kind !== "info" || object.id !== id) throw new Trouble(reasons.noCommit);
    if (root.kind !== "info" || root.type !== "tree") throw new Trouble(reasons.noTree);
    return root.id;
  }

  /** Waits only where git must be asked. */
  tree(id: string): Tree | Promise<Tree> {
    const known = this.#cache.get(id) ?? this.#underWay.get(id);
    if (known !== undefined) return known;
    const reading = this.#readTree(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, reading);
    return reading;
  }

  /** The bytes of a file, or `undefined` where they are more than the bound: then they are not asked for. */
  async blob(id: string, bytesMax: number): Promise<Buffer | undefined> {
    const size = await this.#sizeOf(id, "blob");
    return size > bytesMax ? undefined : this.#contents(id, "blob", size);
  }

  async #readTree(id: string): Promise<Tree> {
    const size = await this.#sizeOf(id, "tree");
    if (size > limits.treeBytesMax) throw new Trouble(reasons.largeFolder);
    const bytes = await this.#contents(id, "tree", size);
    const tree = parseTree(bytes, this.#format === "sha1" ? 20 : 32);
    this.#cache.set(id, tree, weightOf(tree));
    return tree;
  }

  async #sizeOf(id: string, type: string): Promise<number> {
    const reply = await this.#info(id);
    if (reply.kind === "missing") throw new Trouble(reasons.missingObject);
    if (reply.kind !== "info" || reply.id !== id || reply.type !== type) throw new Trouble(reasons.damagedObject);
    return reply.size;
  }

  async #contents(id: string, type: string, size: number): Promise<Buffer> {
    const reply = await this.#reader.ask({ command: "contents", name: id, bytesMax: size, signal: this.#signal });
    if (reply.kind === "missing") throw new Trouble(reasons.missingObject);
    if (reply.kind !== "contents" || reply.type !== type) throw new Trouble(reasons.damagedObject);
    const hash = createHash(this.#format).update(`${type} ${reply.bytes.length}\0`).update(reply.bytes).digest("hex");
    if (hash !== id) throw new Trouble(reasons.damagedObject);
    return reply.bytes;
  }

  #info(name: string): Promise<Reply> {
    return this.#reader.ask({ command: "info", name, bytesMax: 0, signal: this.#signal });
  }
}
