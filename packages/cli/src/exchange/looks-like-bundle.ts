import { open } from "node:fs/promises";
import { limits } from "../limits.ts";

const bundle = /^\s*\{[^\n]{0,200}"cm-bundle\//;

/** Whether a file is a bundle of ours, gzipped or not, by its first bytes; undefined where it cannot be read. */
export async function looksLikeBundle(path: string): Promise<boolean | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(limits.detectedBytes), position: 0 });
    const isGzipped = buffer[0] === 0x1f && buffer[1] === 0x8b;
    return isGzipped || bundle.test(buffer.toString("utf8", 0, bytesRead));
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
