import { type FilesystemBinding, type Observation, type Source, sha256 } from "@cm/object-model";

type Request = Parameters<Source<FilesystemBinding>["observe"]>[0][number];

/** Files that a test writes, as a source. */
export class WrittenFiles implements Source<FilesystemBinding> {
  readonly contract = "source/1";
  readonly type = "filesystem";
  readonly texts = new Map<string, string>();

  parseBinding(value: unknown): FilesystemBinding {
    return value as FilesystemBinding;
  }

  describe({ filesystemId, path }: FilesystemBinding) {
    return { namespace: filesystemId, path, display: path };
  }

  async observe(requests: readonly Request[]): Promise<readonly Observation[]> {
    return requests.map(({ binding: { path }, known, want }): Observation => {
      const text = this.texts.get(path);
      if (text === undefined) return { kind: "absent" };
      if (want === "existence") return { kind: "exists" };
      const state = { sourceHash: sha256(text) };
      if (known?.sourceHash === state.sourceHash) return { kind: "unchanged", state };
      return { kind: "present", sourceHash: state.sourceHash, state, content: { text } };
    });
  }
}
