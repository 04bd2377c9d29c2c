import type { FilesystemBinding, Tracked } from "@cm/object-model";
import { openTracker, type TrackerOptions } from "@cm/sources-fs";
import { onTestFinished } from "vitest";

export const bindingOf = (path: string): FilesystemBinding => ({ type: "filesystem", filesystemId: "here", path });

/** A tracker over the client's own paths that remembers its hints. */
export function trackerSetting(options: Partial<TrackerOptions> = {}) {
  const hints = new Map<string, number>();
  const waiting = new Set<() => void>();
  const tracker = openTracker({
    localPathOf: ({ path }) => ({ path }),
    onHint: ({ path }) => {
      hints.set(path, (hints.get(path) ?? 0) + 1);
      for (const look of waiting) look();
    },
    ...options,
  });
  onTestFinished(() => tracker.close());
  return {
    tracker,
    hints,
    follow: (...paths: readonly string[]): Promise<void> => tracker.follow(paths.map(bindingOf)),
    /** Resolves when each of these was hinted by events or rounds alone, without a call of `settled`. */
    hinted(...paths: readonly string[]): Promise<void> {
      return new Promise((resolve) => {
        const look = (): void => {
          if (!paths.every((path) => hints.has(path))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    /** Nothing is under way any more, and what was hinted so far is forgotten. */
    async quiet(): Promise<void> {
      await tracker.settled();
      hints.clear();
    },
    states: (): string[] => tracker.states().map(stateText),
  };
}

const stateText = ({ state, reason }: Tracked): string => (reason === undefined ? state : `${state}: ${reason}`);
