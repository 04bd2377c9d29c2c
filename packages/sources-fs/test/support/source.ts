import type { FilesystemBinding, KnownState, Observation, ReadLimits } from "@cm/object-model";
import { createFilesystemSource, type FilesystemSource, type FilesystemSourceOptions } from "@cm/sources-fs";
import { onTestFinished } from "vitest";

/** An environment that nothing has to be detected for: this machine is file system `here`. */
export const here = { filesystemId: "here", mappings: [], findings: [] };

export const bounds: ReadLimits = { contentBytesMax: 1024 * 1024, deadlineMs: 300_000 };

/** A source on one root, or on more; closed when the test ends. */
export function openSource(
  roots: string | readonly string[],
  options: Omit<FilesystemSourceOptions, "roots"> = {},
): FilesystemSource {
  const source = createFilesystemSource({ environment: here, ...options, roots: [roots].flat() });
  onTestFinished(() => source.close());
  return source;
}

/** The binding of a local path as it is, without resolving anything. */
export function at(path: string): FilesystemBinding {
  return { type: "filesystem", filesystemId: here.filesystemId, path };
}

export async function look(
  source: FilesystemSource,
  path: string,
  options: { readonly known?: KnownState; readonly want?: "existence"; readonly bounds?: Partial<ReadLimits> } = {},
): Promise<Observation> {
  const { bounds: own, ...request } = options;
  const [answer] = await source.observe([{ binding: at(path), ...request }], { ...bounds, ...own });
  if (answer === undefined) throw new Error("There was no answer.");
  return answer;
}

/** The state and text of a file that must be there. */
export async function present(source: FilesystemSource, path: string, known?: KnownState) {
  const answer = await look(source, path, known === undefined ? {} : { known });
  if (answer.kind !== "present") throw new Error(`Present was expected, and it was ${answer.kind}.`);
  return answer;
}
