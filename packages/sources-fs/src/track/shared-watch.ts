import { type FolderEvents, type FolderWatch, type WatchFolder, watchFolder } from "./watch-folder.ts";

interface SharedWatch {
  readonly listeners: Set<FolderEvents>;
  readonly opened: Promise<FolderWatch>;
}

/**
 * All watches of this process, by real folder. It must be one list for all trackers, because chokidar has such a list:
 * it keeps one handle per folder, and reuses the handle of a missing folder as long as one caller holds it. So a
 * tracker that finds a stale watch closes it for all and notifies the others.
 */
const watches = new Map<string, SharedWatch>();

/** `watchFolder`, shared by the trackers of this process. */
export const sharedWatch: WatchFolder = async (folder, events) => {
  const shared = watches.get(folder) ?? open(folder);
  shared.listeners.add(events);
  await shared.opened;
  return { close: (options) => leave(folder, { shared, events, isStale: options?.isStale === true }) };
};

function open(folder: string): SharedWatch {
  const listeners = new Set<FolderEvents>();
  const opened = watchFolder(folder, {
    onName: (name) => {
      for (const { onName } of listeners) onName(name);
    },
    onFolder: () => {
      for (const { onFolder } of listeners) onFolder();
    },
    onFailure: (error) => {
      for (const { onFailure } of listeners) onFailure(error);
    },
  });
  const shared = { listeners, opened };
  watches.set(folder, shared);
  // Those who wait for it are told by the promise; the next one tries anew.
  opened.catch(() => forget(folder, shared));
  return shared;
}

async function leave(
  folder: string,
  {
    shared,
    events,
    isStale,
  }: { readonly shared: SharedWatch; readonly events: FolderEvents; readonly isStale: boolean },
): Promise<void> {
  shared.listeners.delete(events);
  if (shared.listeners.size > 0 && !isStale) return;
  forget(folder, shared);
  await (await shared.opened).close();
  for (const { onFolder } of shared.listeners) onFolder();
}

function forget(folder: string, shared: SharedWatch): void {
  if (watches.get(folder) === shared) watches.delete(folder);
}
