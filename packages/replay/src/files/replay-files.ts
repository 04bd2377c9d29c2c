import type { FileTouch } from "@cm/context-log";
import {
  CmError,
  type FilesystemBinding,
  parseSourceBinding,
  type Source,
  type SourceBinding,
  sha256,
} from "@cm/object-model";
import { fileTouches, type RecordedCall, type RecordedResult, type Recording } from "@cm/recordings";
import type { OpenSessionOptions } from "@cm/session";

/** The files of a replayed session: who looks at them, and which of them a call touched. */
export interface ReplayFiles {
  readonly source: Source<FilesystemBinding>;
  /** For files that are on no file system. */
  readonly furtherSources?: readonly Source[];
  /** Only where real files are looked at: a recording by itself is replayed to the letter. */
  readonly redact?: NonNullable<OpenSessionOptions["redact"]>;
  /** @param call the call that the result answers */
  touchesOf(call: RecordedCall, result: Pick<RecordedResult, "text" | "failed">): Promise<readonly FileTouch[]>;
  close(): Promise<void>;
}

/** Replayed paths belong to a filesystem of their own, so that no real file is ever taken for one of them. */
export function replayFilesystemId(recordingId: string): string {
  return sha256(`replay:${recordingId}`);
}

/** Files of another machine: they are unreachable, which differs from absent. Nothing of this machine is looked at. */
export function absentFiles({ id, cwd }: Pick<Recording, "id" | "cwd">): ReplayFiles {
  const filesystemId = replayFilesystemId(id);
  return {
    source: unreachableFiles,
    touchesOf: async (call, { text, failed }) =>
      fileTouches(call, { cwd, text, failed }).map(({ path, ...touch }) => ({
        ...touch,
        binding: { type: "filesystem", filesystemId, path },
      })),
    close: async () => {},
  };
}

/** "source/1" for files that no one can look at. */
const unreachableFiles: Source<FilesystemBinding> = {
  contract: "source/1",
  type: "filesystem",
  parseBinding(value) {
    const binding = parseSourceBinding(value);
    if (isOfFile(binding)) return binding;
    throw new CmError("model/invalid-source", "The binding is none of a file.", { fields: ["type"] });
  },
  describe: ({ filesystemId: namespace, path }) => ({ namespace, path, display: path }),
  observe: async (requests) => requests.map(() => ({ kind: "unreachable", reason: "no mapping" })),
};

function isOfFile(binding: SourceBinding): binding is FilesystemBinding {
  return binding.type === "filesystem" && "filesystemId" in binding;
}
