import { resolve } from "node:path";
import type { Source } from "@cm/object-model";
import { cliError } from "../errors.ts";

/** The values of `--git`, `--s3` and `--container`, each repeatable. */
export interface SourceChoice {
  readonly git: readonly string[];
  /** `aws`, or the origin of a server. */
  readonly s3: readonly string[];
  readonly container: readonly string[];
  /** Files of secrets that are looked at all the same, in gitignore syntax. */
  readonly openSecretFiles: readonly string[];
}

/**
 * The sources that a command looks with: the files of this machine, and what the options name. A package is loaded where
 * it is wanted, so that no other command waits for it.
 * @throws CmError `cli/usage` where one cannot be opened
 */
export async function openSources(choice: SourceChoice, cwd: string): Promise<readonly Source[]> {
  const opened: Source[] = [];
  try {
    opened.push(await openFiles(choice));
    if (choice.git.length > 0) opened.push(await openGit(choice.git.map((folder) => resolve(cwd, folder))));
    if (choice.s3.length > 0) opened.push(await openS3(choice.s3));
    return opened;
  } catch (error) {
    await Promise.all(opened.map((source) => source.close?.()));
    throw error;
  }
}

async function openFiles({ container: containers, openSecretFiles }: SourceChoice): Promise<Source> {
  const { createFilesystemSource } = await import("@cm/sources-fs");
  const beside = createFilesystemSource({ roots: ["/"], ignore: { gitignore: "nearest", openSecretFiles } });
  if (containers.length === 0) return beside;
  const { createContainerSource } = await import("@cm/sources-container");
  return orUsage("--container", () => createContainerSource({ containers: containers.map(containerOf), beside }));
}

/** `ID`, or `ID=COMMAND` with the words that run others in it: `web=podman exec web`. */
function containerOf(text: string): { readonly id: string; readonly command?: readonly string[] } {
  const equals = text.indexOf("=");
  if (equals < 0) return { id: text };
  return {
    id: text.slice(0, equals),
    command: text
      .slice(equals + 1)
      .trim()
      .split(/\s+/),
  };
}

async function openGit(folders: readonly string[]): Promise<Source> {
  const [{ createGitSource }, { detectEnvironment }] = await Promise.all([
    import("@cm/sources-git"),
    import("@cm/sources-fs"),
  ]);
  const repositories = folders.map((folder) => ({ folder }));
  return orUsage("--git", () => createGitSource({ filesystemId: detectEnvironment().filesystemId, repositories }));
}

async function openS3(places: readonly string[]): Promise<Source> {
  const { createS3Source } = await import("@cm/sources-s3").catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw cliError(
      "cli/usage",
      "--s3 needs the package @cm/sources-s3. Install it beside cm: npm install @cm/sources-s3.",
    );
  });
  return orUsage("--s3", () => createS3Source({ endpoints: places.filter((place) => place !== "aws") }));
}

function orUsage<T>(option: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw cliError("cli/usage", `${option}: ${error instanceof Error ? error.message : "it cannot be opened."}`);
  }
}
