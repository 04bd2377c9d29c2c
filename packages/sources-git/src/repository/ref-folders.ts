import { opendir } from "node:fs/promises";
import { join } from "node:path";

type FolderState = "open" | "none" | "closed";

/**
 * Whether the folders that hold refs can be listed. Git leaves out the refs of a folder that it cannot read and says
 * nothing, or takes an older packed ref in their place: that is neither gone nor changed.
 */
export class RefFolders {
  readonly #gitFolder: string;
  readonly #states = new Map<string, Promise<FolderState>>();

  constructor(gitFolder: string) {
    this.#gitFolder = gitFolder;
  }

  /** @param name a ref's full name; nothing need exist there */
  async isClosedTo(name: string): Promise<boolean> {
    for (let slash = name.indexOf("/"); slash >= 0; slash = name.indexOf("/", slash + 1)) {
      const state = await this.#stateOf(name.slice(0, slash));
      if (state !== "open") return state === "closed";
    }
    return false;
  }

  #stateOf(folder: string): Promise<FolderState> {
    const known = this.#states.get(folder) ?? look(join(this.#gitFolder, folder));
    this.#states.set(folder, known);
    return known;
  }
}

async function look(folder: string): Promise<FolderState> {
  try {
    await (await opendir(folder)).close();
    return "open";
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    return code === "ENOENT" || code === "ENOTDIR" ? "none" : "closed";
  }
}
