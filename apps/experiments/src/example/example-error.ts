import { CmError } from "@cm/object-model";

/** Why the built-in example cannot be recorded. */
export type ExampleErrorCode =
  | "example/no-repository" // no pnpm-workspace.yaml in any parent; data: from
  | "example/no-sources" // the folder is absent, or holds no source file; data: folder
  | "example/not-written"; // the recording could not be put in place; data: file, reason

export function noRepository(from: string): CmError<ExampleErrorCode> {
  const message = `No pnpm-workspace.yaml above ${from}; run the example from a clone of the repository.`;
  return new CmError("example/no-repository", message, { from });
}

export function noSources(folder: string): CmError<ExampleErrorCode> {
  const message = `${folder} holds no source files; name a folder of code for the example.`;
  return new CmError("example/no-sources", message, { folder });
}

export function notWritten(file: string, cause: unknown): CmError<ExampleErrorCode> {
  const reason = errorCode(cause) ?? "unknown";
  const message = `The example's recording cannot be written to ${file} (${reason}); check the folder and its permissions.`;
  return new CmError("example/not-written", message, { file, reason }, { cause });
}

/** The operating system's name of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
