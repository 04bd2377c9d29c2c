import type { DocumentOf, Observation, Source, SourceBinding } from "@cm/object-model";
import type { KnownFile } from "./known-file.ts";
import type { KnownFiles } from "./known-files.ts";
import { lookAt } from "./look.ts";

interface Looked {
  readonly binding: SourceBinding;
  readonly stored: DocumentOf<"file"> | undefined;
  readonly observation: Observation | undefined;
}

/** Files with the bytes of one that is new here, and confirmed gone: those were renamed. */
export async function renamedFiles(
  known: KnownFiles,
  sources: ReadonlyMap<string, Source>,
  looked: ReadonlyMap<string, Looked>,
): Promise<readonly KnownFile[]> {
  const hashesByType = new Map<string, Set<string>>();
  for (const { binding, stored, observation } of looked.values()) {
    if (stored !== undefined || observation?.kind !== "present") continue;
    const hashes = hashesByType.get(binding.type) ?? new Set();
    hashesByType.set(binding.type, hashes.add(observation.sourceHash));
  }
  const suspects = [...hashesByType]
    .flatMap(([type, hashes]) => known.withHash(hashes, type))
    .filter(({ id }) => !looked.has(id));
  if (suspects.length === 0) return [];
  const requests = suspects.map(({ id, binding }) => ({ id, binding, want: "existence" as const }));
  const answers = await lookAt(sources, requests);
  return suspects.filter((_, place) => answers[place]?.kind === "absent");
}
