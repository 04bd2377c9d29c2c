import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { noRepository } from "./example-error.ts";
import { limits } from "./limits.ts";

/** The folder that the example works on when the user names none. Every clone has it. */
const exampleFolder = join("packages", "object-model", "src");

/**
 * The default folder in the repository that holds this code, bundled or not.
 * @throws CmError `example/no-repository`.
 */
export function defaultFolder(from: string = import.meta.dirname): string {
  return join(repositoryRoot(from), exampleFolder);
}

function repositoryRoot(from: string): string {
  let folder = from;
  for (let parents = 0; parents < limits.parentsMax; parents++) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  throw noRepository(from);
}
