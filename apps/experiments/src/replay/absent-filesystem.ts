import { CmError, type FilesystemBinding, locationOf, parseSourceBinding, type Source, sha256 } from "@cm/object-model";

/** Replayed paths belong to a filesystem of their own, so that no real file is ever taken for one of them. */
export function replayFilesystemId(recordingId: string): string {
  return sha256(`replay:${recordingId}`);
}

/** The files of a recorded session: nobody can look at them, which is not the same as gone. */
export const absentFilesystem: Source<FilesystemBinding> = {
  contract: "source/1",
  type: "filesystem",
  parseBinding(value) {
    const binding = parseSourceBinding(value);
    if (isFilesystem(binding)) return binding;
    throw new CmError("model/invalid-source", "A replay knows bindings of type filesystem only.");
  },
  describe(binding) {
    const { namespace, path } = locationOf(binding);
    return { namespace, path, display: path };
  },
  async observe(requests) {
    return requests.map(() => ({ kind: "unreachable", reason: "recorded elsewhere" }));
  },
};

function isFilesystem(binding: ReturnType<typeof parseSourceBinding>): binding is FilesystemBinding {
  return binding.type === "filesystem";
}
