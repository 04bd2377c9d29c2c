import type { Command } from "commander";
import { Output } from "./output/output.ts";
import { chooseStore, type StoreChoice } from "./store/choose-store.ts";
import { type Access, type OpenedStore, type OpenOptions, openStore, withStore } from "./store/open-store.ts";
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
    const open: Task["open"] = async (access = "read", options) => {
      const store = await openStore(choice, access, options);
      opened.push(store);
      return store;
    };
    try {
      this.exitCode = (await work({ world: this.world, output, choice, open })) ?? 0;
    } catch (error) {
      throw opened.length > 0 ? withStore(error, choice) : error;
    } finally {
      output.close();
      for (const store of opened) await store.close();
    }
  }
}
