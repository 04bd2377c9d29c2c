import type { FileTouch } from "@cm/context-log";
import { type DocumentOf, isCmError, type Observation, type SourceBinding } from "@cm/object-model";
import { type Redactor, TextCleaner } from "../input/clean-text.ts";
import { type NextVersion, nextVersion } from "./next-version.ts";
import { noAnswer } from "./scan.ts";

interface FileToDecide {
  readonly binding: SourceBinding;
  readonly stored: DocumentOf<"file"> | undefined;
  readonly as: FileTouch["as"];
}

/**
 * The next version of a file, its text redacted. An observation that no document can carry counts as none: a step is
 * never lost to a source. `observation` is the one that counted.
 */
export function versionOf(
  { binding, stored, as }: FileToDecide,
  observation: Observation,
  redact: Redactor | undefined,
): NextVersion & { readonly observation: Observation } {
  try {
    const clean = cleanObservation(observation, stored?.source_hash, redact);
    return { ...nextVersion(binding, stored, clean, { as }), observation };
  } catch (error) {
    if (observation.kind !== "present" || !isCmError(error)) throw error;
    return { ...nextVersion(binding, stored, noAnswer, { as }), observation: noAnswer };
  }
}

/** Text of a version that will be stored goes through the session's redactor, too. */
function cleanObservation(
  observation: Observation,
  storedHash: string | undefined,
  redact: Redactor | undefined,
): Observation {
  if (observation.kind !== "present" || !("text" in observation.content) || observation.sourceHash === storedHash) {
    return observation;
  }
  const cleaner = new TextCleaner(redact);
  const raw = observation.content.text;
  const text = cleaner.text(raw);
  if (text === raw && cleaner.redactions === 0) return observation;
  // The source's digest is that of the text as it was.
  return { ...observation, content: { text }, redactions: (observation.redactions ?? 0) + cleaner.redactions };
}
