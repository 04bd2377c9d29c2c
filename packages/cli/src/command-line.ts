import { isCmError } from "@cm/object-model";
import { shownStore } from "@cm/store-place";
import { visibleLine } from "@cm/terminal-text";
import type { Command } from "commander";
import { limits } from "./limits.ts";
import { Output } from "./output/output.ts";
import { chooseStore, type StoreChoice } from "./store/choose-store.ts";
import { type Access, type OpenedStore, type OpenOptions, openStore } from "./store/open-store.ts";
import type { World } from "./world.ts";

/** Options that every command takes. */
export interface GlobalOptions {
  readonly store?: string;
  readonly namespace?: string;
  readonly json?: true;
}

/** The context of a command. */
export interface Task {
  readonly world: World;
  readonly output: Output;
  readonly choice: StoreChoice;
  /** Opens the chosen store; it is closed when the command ends. */
  open(access?: Access, options?: Pick<OpenOptions, "bulk">): Promise<OpenedStore>;
}

/** How commands are run: the exit code of the last one is kept. */
export class CommandRun {
  readonly world: World;
  exitCode = 0;
  /** The command whose words were refused; undefined for none of them. */
  refused: string | undefined;

  constructor(world: World) {
    this.world = world;
  }

  /** Runs the work of one command; what it returns is the exit code, 0 for nothing. */
  async run(command: Command, work: (task: Task) => Promise<number | undefined>): Promise<void> {
    const options = command.optsWithGlobals<GlobalOptions>();
    const output = new Output(this.world, options.json === true);
    const choice = chooseStore(options, this.world);
    const opened: OpenedStore[] = [];
    let isAsked = false;
    const open: Task["open"] = async (access = "read", options) => {
      isAsked = true;
      const store = await openStore(choice, access, options);
      opened.push(store);
      return store;
    };
    try {
      this.exitCode = (await work({ world: this.world, output, choice, open })) ?? 0;
    } catch (error) {
      throw isAsked ? withServer(error, choice) : error;
    } finally {
      output.close();
      for (const store of opened) await store.close();
    }
  }
}

/** What a store on a server says does not name it; the file of a store is named where it is opened. */
function withServer(error: unknown, choice: StoreChoice): unknown {
  if (choice.kind === "sqlite" || !isCmError(error, "store/unavailable")) return error;
  const shown = visibleLine(shownStore(choice), limits.fieldCharsMax);
  return Object.assign(error, { message: `${shown}: ${error.message}` });
}
