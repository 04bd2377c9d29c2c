import { type FilesystemBinding, type Observation, type Source, sha256 } from "@cm/object-model";

type Request = Parameters<Source<FilesystemBinding>["observe"]>[0][number];

/** A machine's files: a map by canonical path, seen through a mount that has its own root. */
export class Files implements Source<FilesystemBinding> {
  readonly contract = "source/1";
  readonly type = "filesystem";
  readonly #texts: Map<string, string>;
  readonly #root: string;

  constructor(texts: Map<string, string> = new Map(), root = "/") {
    this.#texts = texts;
    this.#root = root;
  }

  write(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
  }

  /** The same files on another machine, under another root. */
  mountedAt(root: string): Files {
    return new Files(this.#texts, root);
  }

  parseBinding(value: unknown): FilesystemBinding {
    return value as FilesystemBinding;
  }

  describe({ filesystemId, path }: FilesystemBinding) {
    return { namespace: filesystemId, path, display: `${this.#root}${path.slice(1)}` };
  }

  async observe(requests: readonly Request[]): Promise<readonly Observation[]> {
    return requests.map(({ binding: { path }, known, want }): Observation => {
      const text = this.#texts.get(path);
      if (text === undefined) return { kind: "absent" };
      if (want === "existence") return { kind: "exists" };
      const state = { sourceHash: sha256(text) };
      if (known?.sourceHash === state.sourceHash) return { kind: "unchanged", state };
      return { kind: "present", sourceHash: state.sourceHash, state, content: { text } };
    });
  }
}

export function at(path: string): FilesystemBinding {
  return { type: "filesystem", filesystemId: "disk-1", path };
}
