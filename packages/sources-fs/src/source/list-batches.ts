import { CmError, type FilesystemBinding } from "@cm/object-model";
import type { FileThread } from "../indexing/file-thread.ts";
import type { ListReply, ListTask } from "../indexing/messages.ts";
import { fileLimits as limits } from "../limits.ts";

let lastListing = 0;

/** A listing in the reading thread, batch by batch as they are asked for. */
export async function* listBatches(
  thread: FileThread,
  folder: string | undefined,
): AsyncGenerator<readonly FilesystemBinding[], void> {
  lastListing += 1;
  const listing = lastListing;
  const ids = new Map<string, string>();
  let ended: ListReply["ended"];
  let started: number | undefined;
  try {
    while (ended === undefined) {
      const first = started === undefined;
      started ??= thread.startedNow();
      const reply =
        started === thread.startedNow()
          ? await next(thread, { listing, ...(first ? { folder: folder ?? "" } : {}) })
          : undefined;
      if (reply === undefined) throw new CmError("source/unavailable", "The listing of files broke off. List again.");
      ended = reply.ended;
      if (ended === "outside") {
        throw new CmError("source/outside-roots", "Only folders inside the roots are listed. Add it to the roots.");
      }
      if (reply.bindings.length > 0) yield reply.bindings.map((binding) => withOneId(binding, ids));
    }
  } finally {
    if (ended === undefined) void next(thread, { listing, end: true });
  }
  if (ended === "cut") {
    const { listedFilesMax: files, listedDepthMax: depth } = limits;
    throw new CmError(
      "source/limit",
      `A listing ends at ${files} files and ${depth} folders deep. List folder by folder.`,
      {
        files,
        depth,
      },
    );
  }
}

/** Each message brings its own copy of the id; a caller that keeps many bindings should keep it once. */
function withOneId(binding: FilesystemBinding, ids: Map<string, string>): FilesystemBinding {
  const id = ids.get(binding.filesystemId) ?? binding.filesystemId;
  ids.set(id, id);
  return { ...binding, filesystemId: id };
}

async function next(thread: FileThread, task: Omit<ListTask, "kind">): Promise<ListReply | undefined> {
  let reply: ListReply | undefined;
  const endReason = await thread.run(
    { kind: "list", ...task },
    {
      onReply: (got) => {
        if ("list" in got) reply = got.list;
      },
    },
    { deadlineMs: limits.listMs },
  );
  return endReason === "done" ? reply : undefined;
}
