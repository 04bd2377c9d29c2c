import { stat } from "node:fs/promises";

/** What a path leads to now; the answer says later whether it still does. @throws what `stat` throws */
export async function watchFile(path: string): Promise<() => Promise<boolean>> {
  const before = await stat(path, { bigint: true });
  return async () => {
    try {
      const now = await stat(path, { bigint: true });
      return now.dev === before.dev && now.ino === before.ino;
    } catch (error) {
      // Any other failure says nothing about the file.
      return !isMissing(error);
    }
  };
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
