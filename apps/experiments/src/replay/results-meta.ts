import { defined } from "@cm/object-model";
import { lifetimeName, limits, type ResultsMeta } from "@cm/replay";
import manifest from "../../package.json" with { type: "json" };
import type { Matrix, NamedRecording } from "./run-matrix.ts";
import { sourceCommit } from "./source-commit.ts";

/** A recording with the hash of its file. */
export interface LoadedRecording extends NamedRecording {
  readonly sha256: string;
}

/** The inputs that determine the results of a matrix. */
export function metaOf(
  { policies, prices, lifetime }: Matrix,
  loaded: readonly LoadedRecording[],
  { command, activePath }: Pick<ResultsMeta, "command" | "activePath">,
): ResultsMeta {
  const commit = sourceCommit();
  return {
    command,
    createdAt: new Date().toISOString(),
    versions: {
      ...{ experiments: manifest.version, node: process.versions.node },
      ...defined({ commit }),
    },
    recordings: loaded.map(({ file, recording, sha256 }) => ({
      ...{ file, recording: recording.id, sha256 },
      calls: recording.events.filter(({ kind }) => kind === "assistant").length,
    })),
    policies: policies.map(({ name, policy: { renderer, describe } }) => ({
      ...{ name, layout: renderer.layout, describe },
    })),
    prices,
    lifetime: lifetimeName(lifetime),
    headChars: limits.headChars,
    activePath,
  };
}
