import type { ModelSection, SettingsFile } from "./file-schema.ts";
import type { Problem } from "./problem.ts";
import type { ReadFile } from "./settings-file.ts";
import type { InvalidSetting } from "./store-setting.ts";
import { fitsWildcard } from "./wildcard.ts";

/** Who may say something about a setting, and how people call that place. */
export interface SettingSource<Value> {
  readonly by: string;
  say(): Value | InvalidSetting | undefined;
}

/** Settings files that were read, the more special one first, with how people call each. */
export type SettingLayers = readonly (ReadFile & { readonly name: string })[];

/** What holds, and by whose word. What is unusable is as if it were not said; the next one speaks. */
export class Resolution {
  readonly problems: Problem[] = [];
  readonly #holds = new Map<string, string>();

  first<Value>(setting: string, fallback: Value, voices: readonly SettingSource<Value>[]): Value {
    for (const { by, say } of voices) {
      const value = say();
      if (value === undefined) continue;
      if (!isUnusable(value)) {
        this.#holds.set(setting, `Now what ${by} says holds.`);
        return value;
      }
      this.problems.push({ said: value.unusable, setting });
    }
    this.#holds.set(setting, "Now the default holds.");
    return fallback;
  }

  says(setting: string, sentence: string): void {
    this.#holds.set(setting, sentence);
  }

  nowHolds(setting: string): string {
    return this.#holds.get(setting) ?? "It is left aside.";
  }
}

const isUnusable = (value: unknown): value is InvalidSetting =>
  typeof value === "object" && value !== null && "unusable" in value;

/**
 * The sections of a file that fit a model, such as `anthropic/claude-x` or `claude-x`, the most special pattern first.
 */
function sectionsFor({ models = {} }: Partial<SettingsFile>, model: string | undefined): readonly ModelSection[] {
  if (model === undefined) return [];
  const id = model.slice(model.indexOf("/") + 1);
  return Object.entries(models)
    .filter(([pattern]) => fitsWildcard(pattern, model) || fitsWildcard(pattern, id))
    .toSorted(([a], [b]) => special(b) - special(a))
    .map(([, section]) => section);
}

/** Characters that a model has to have. */
const special = (pattern: string): number => pattern.replaceAll("*", "").length;

/** What may differ by model, from a file's sections before what it says for all, and file by file. */
export function sourcesByModel(
  layers: SettingLayers,
  model: string | undefined,
): readonly { readonly by: string; readonly said: ModelSection }[] {
  return layers.flatMap(({ file, name }) => [
    ...sectionsFor(file, model).map((said) => ({ by: `"models" in ${name}`, said })),
    { by: name, said: file as ModelSection },
  ]);
}
