import { CmError } from "@cm/object-model";
import { toolLimits } from "./tool-limits.ts";

/**
 * The objects that a model names in one text: `f3`, `f3 t7`, `f3..f9`, or as the prompt writes them, `id=f3`. Each once,
 * in the order given.
 * @throws CmError `pi/invalid-input`
 */
export function objectNames(text: string): readonly string[] {
  if (text.length > toolLimits.idCharsMax) throw tooMany();
  const names = new Set(text.split(/[\s,;]+/).flatMap((word) => expanded(bare(word))));
  if (names.size === 0) throw wrong("Name an object, such as f3 or t7.");
  if (names.size > toolLimits.namesPerCallMax) throw tooMany();
  return [...names];
}

function bare(word: string): string {
  return word.replace(/^[[("'`]*(?:id=)?["'`]*/, "").replace(/[\])"'`.]*$/, "");
}

/** `f3..f9`, as a result writes the files that came with it. */
function expanded(word: string): readonly string[] {
  const [, kind, first, lastKind, last] = /^([ft])(\d{1,9})\.\.([ft])(\d{1,9})$/.exec(word) ?? [];
  if (kind === undefined || kind !== lastKind) return word === "" ? [] : [word];
  const count = Number(last) - Number(first) + 1;
  if (count < 1) return [word];
  if (count > toolLimits.namesPerCallMax) throw tooMany();
  return Array.from({ length: count }, (_, at) => `${kind}${Number(first) + at}`);
}

const tooMany = () => wrong(`Name at most ${toolLimits.namesPerCallMax} objects in one call.`);

const wrong = (message: string) => new CmError("pi/invalid-input", message);
