import type { Observation } from "@cm/object-model";
import { createGitSource, type GitSource } from "../../src/index.ts";
import { ample, filesystemId } from "./repository.ts";

const opened: GitSource[] = [];

/** A source of its own on a folder; `closeSources` closes it. */
export function sourceOn(folder: string): GitSource {
  const source = createGitSource({ filesystemId, repositories: [{ folder }] });
  opened.push(source);
  return source;
}

export async function closeSources(): Promise<void> {
  await Promise.all(opened.splice(0).map((source) => source.close()));
}

/** What a source of its own says about files in a folder. */
export async function observed(
  folder: string,
  paths: readonly string[],
  ref = "main",
): Promise<readonly Observation[]> {
  const source = sourceOn(folder);
  const bindings = await Promise.all(paths.map((path) => source.bind({ repository: folder, ref, path })));
  return source.observe(
    bindings.map((binding) => ({ binding })),
    ample,
  );
}

export const text = (content: string) => ({ kind: "present", content: { text: content } });
export const unreachable = (reason: string) => ({ kind: "unreachable", reason });
