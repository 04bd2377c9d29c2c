import { type FilesystemBinding, type Observation, type Source, sha256 } from "@cm/object-model";

type Request = Parameters<Source<FilesystemBinding>["observe"]>[0][number];

/**
 * One machine's files below one folder, and where it has the files of others: a relocation of each other machine's folder
 * to its own. As small as a source with relocations can be.
 */
export class MachineSource implements Source<FilesystemBinding> {
  readonly contract = "source/1";
  readonly type = "filesystem";
  readonly files = new Map<string, string>();
  readonly relocated = new Map<string, string>();
  readonly machine: string;
  readonly root: string;

  constructor(machine: string, root: string) {
    this.machine = machine;
    this.root = root;
  }

  /** The files of another machine are looked for here. */
  relocate({ machine, root }: MachineSource): this {
    this.relocated.set(machine, root);
    return this;
  }

  at(name: string): FilesystemBinding {
    return { type: "filesystem", filesystemId: this.machine, path: `${this.root}/${name}` };
  }

  parseBinding(value: unknown): FilesystemBinding {
    return value as FilesystemBinding;
  }

  describe(binding: FilesystemBinding) {
    const { filesystemId: namespace, path } = binding;
    const own = this.#ownOf(binding);
    return { namespace, path, display: own?.path ?? path, ...(own === undefined ? {} : { own }) };
  }

  async observe(requests: readonly Request[]): Promise<readonly Observation[]> {
    return requests.map((request) => this.#look(request));
  }

  #ownOf({ filesystemId, path }: FilesystemBinding): FilesystemBinding | undefined {
    const root = this.relocated.get(filesystemId);
    if (root === undefined || !path.startsWith(`${root}/`)) return undefined;
    return this.at(path.slice(root.length + 1));
  }

  #look({ binding, known, want }: Request): Observation {
    const { filesystemId, path } = this.#ownOf(binding) ?? binding;
    if (filesystemId !== this.machine) return { kind: "unreachable", reason: "no mapping leads there" };
    const text = this.files.get(path.slice(this.root.length + 1));
    if (text === undefined) return { kind: "absent" };
    if (want === "existence") return { kind: "exists" };
    const sourceHash = sha256(text);
    const state = { sourceHash };
    if (known?.sourceHash === sourceHash) return { kind: "unchanged", state };
    return { kind: "present", sourceHash, state, content: { text } };
  }
}
