import { type FilesystemBinding, type Observation, type Source, sha256 } from "@cm/object-model";

type Request = Parameters<Source<FilesystemBinding>["observe"]>[0][number];

/** A filesystem that is a map: a whole source, as small as one can be. A path without an entry is confirmed gone. */
export class MapSource implements Source<FilesystemBinding> {
  readonly contract = "source/1";
  readonly type = "filesystem";
  readonly files = new Map<string, string | Uint8Array>();
  readonly unreachable = new Set<string>();
  /** How often each answer was given. */
  readonly answers: Observation["kind"][] = [];
  /** What the agent sees in place of `/`. */
  displayRoot = "/";

  parseBinding(value: unknown): FilesystemBinding {
    return value as FilesystemBinding;
  }

  describe({ filesystemId, path }: FilesystemBinding) {
    return { namespace: filesystemId, path, display: `${this.displayRoot}${path.slice(1)}` };
  }

  async observe(requests: readonly Request[]): Promise<readonly Observation[]> {
    const observations = requests.map((request) => this.#look(request));
    this.answers.push(...observations.map(({ kind }) => kind));
    return observations;
  }

  #look({ binding: { path }, known, want }: Request): Observation {
    if (this.unreachable.has(path)) return { kind: "unreachable", reason: "unplugged" };
    const content = this.files.get(path);
    if (content === undefined) return { kind: "absent" };
    if (want === "existence") return { kind: "exists" };
    const sourceHash = sha256(content);
    const state = { sourceHash, hint: `seen ${this.answers.length}` };
    if (known?.sourceHash === sourceHash) return { kind: "unchanged", state };
    return {
      kind: "present",
      sourceHash,
      state,
      content: typeof content === "string" ? { text: content } : { withheld: "binary" },
    };
  }
}

export function at(path: string): FilesystemBinding {
  return { type: "filesystem", filesystemId: "fs", path };
}

/** What a source says of a file that is there. */
export const present = (text: string) => ({
  kind: "present" as const,
  sourceHash: sha256(text),
  content: { text },
  state: { sourceHash: sha256(text) },
});
