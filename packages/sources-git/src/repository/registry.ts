import { realpath } from "node:fs/promises";
import { reasons, Trouble } from "../reasons.ts";
import { Repository, type RepositoryOptions } from "./repository.ts";

/** The repositories that the application registered, in its order. */
export class Registry {
  readonly #entries: readonly { readonly folder: string; readonly repository: Repository }[];

  constructor(folders: readonly RepositoryOptions["registered"][], options: Omit<RepositoryOptions, "registered">) {
    this.#entries = folders.map((registered) => ({
      folder: registered.folder,
      repository: new Repository({ ...options, registered }),
    }));
  }

  /**
   * The first one with this name.
   * @throws Trouble where there is none
   */
  async find(repo: string, signal: AbortSignal): Promise<Repository> {
    // One that had the name is asked before the others, and also when it is out of reach: it is still the one.
    const known = this.#entries.find(({ repository }) => repository.repo === repo)?.repository;
    if (known !== undefined && (await nameNow(known, signal)) === repo) return known;
    for (const { repository } of this.#entries) {
      // Another repository may stand in a folder by now, so a name that was is no reason to leave one out.
      if ((await nameNow(repository, signal)) === repo) return repository;
    }
    throw new Trouble(reasons.unknownRepository);
  }

  /** By the folder that was registered, however it is written. */
  async inFolder(folder: string): Promise<Repository | undefined> {
    const wanted = await canonical(folder);
    for (const entry of this.#entries) {
      if (entry.folder === folder || (await canonical(entry.folder)) === wanted) return entry.repository;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#entries.map(({ repository }) => repository.close()));
  }
}

/** The name, as it was known where the repository cannot be asked now. */
async function nameNow(repository: Repository, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await repository.facts(signal)).repo;
  } catch (error) {
    // Without git nothing can be said about any of them.
    if (error instanceof Trouble && isAboutGit(error)) throw error;
    return repository.repo;
  }
}

function isAboutGit({ reason }: Trouble): boolean {
  return reason === reasons.noGit || reason === reasons.oldGit || reason === reasons.closed;
}

async function canonical(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return folder;
  }
}
