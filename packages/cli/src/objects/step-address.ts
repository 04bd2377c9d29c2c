import { isSessionId, type StepAddress } from "@cm/object-model";
import { cliError } from "../errors.ts";

/** `SESSION@STEP`; undefined for anything else. Ids of tool calls may look alike and go on after the number. */
export function parseStepAddress(text: string): StepAddress | undefined {
  const at = text.lastIndexOf("@");
  const session = text.slice(0, Math.max(0, at));
  const n = parseStepNumber(text.slice(at + 1));
  return isSessionId(session) && n !== undefined ? { session, n } : undefined;
}

/** A step's number, counted from 0. */
export function parseStepNumber(text: string): number | undefined {
  return /^(0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : undefined;
}

/**
 * A step as the user named it: `SESSION@STEP`, or a number where `--session` says of which session.
 * @throws CmError `cli/usage`
 */
export function stepAddress(text: string, session: string | undefined): StepAddress {
  const whole = parseStepAddress(text);
  const n = parseStepNumber(text);
  if (whole !== undefined && session === undefined) return whole;
  if (n !== undefined && session !== undefined) return { session, n };
  if (whole !== undefined || session !== undefined) {
    throw cliError("cli/usage", "Name the step as SESSION@STEP, or as a number together with --session.");
  }
  throw cliError(
    "cli/usage",
    n === undefined ? `${text} is no step; write SESSION@STEP.` : `Say of which session: --session, or SESSION@${n}.`,
  );
}
