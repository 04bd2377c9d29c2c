import { CmError } from "@cm/object-model";

/** What this package throws, beside what sessions and stores throw. */
export type PiErrorCode =
  | "pi/unavailable" // session or store cannot answer now
  | "pi/prompt-mismatch" // the session's prompt is of another branch
  | "pi/invalid-input" // a tool or command was asked for something that makes no sense
  | "pi/not-found"; // no such object in this session

export function piError(
  code: PiErrorCode,
  message: string,
  data: Readonly<Record<string, string | number>> = {},
  options: { readonly cause?: unknown } = {},
): CmError<PiErrorCode> {
  return new CmError(code, message, data, options);
}
