import { CmError } from "@cm/object-model";

/** `unavailable`: session or store cannot answer now. `prompt-mismatch`: the session's prompt is of another branch. */
export type PiErrorCode = "pi/unavailable" | "pi/prompt-mismatch";

export function piError(
  code: PiErrorCode,
  message: string,
  data: Readonly<Record<string, string | number>> = {},
  options: { readonly cause?: unknown } = {},
): CmError<PiErrorCode> {
  return new CmError(code, message, data, options);
}
