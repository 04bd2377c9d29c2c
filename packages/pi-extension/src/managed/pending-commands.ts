import type { CommandOutcome, SetCommand } from "@cm/context-log";
import type { Session } from "@cm/session";

interface PendingCommand {
  readonly action: SetCommand["action"];
  readonly id: string;
  /** What the object is called in the session that was asked. */
  readonly alias: string | undefined;
}

/** What was asked of a session in memory, which holds for the one in the database, too. */
export class PendingCommands {
  readonly #kept: PendingCommand[] = [];

  async keep({ action }: SetCommand, outcome: CommandOutcome, session: Session): Promise<void> {
    if (!outcome.done) return;
    const { id } = outcome;
    const alias = (await session.objects()).find((object) => object.id === id)?.alias;
    this.#kept.push({ action, id, alias });
  }

  /** @throws what the session throws; what was not repeated until then is kept */
  async repeatIn(session: Session): Promise<void> {
    for (let wish = this.#kept[0]; wish !== undefined; wish = this.#kept[0]) {
      const { action, id } = wish;
      const outcome = await session.command({ action, id });
      if (!outcome.done) await repeatByName(wish, session);
      this.#kept.shift();
    }
  }
}

/** Calls may have longer ids in a database where others have theirs: both sessions count the calls of one branch. */
async function repeatByName({ action, id, alias }: PendingCommand, session: Session): Promise<void> {
  const same = (await session.objects()).find((object) => object.alias === alias && callOf(object.id) === callOf(id));
  if (same !== undefined) await session.command({ action, id: same.id });
}

/** The id that the provider gave. */
const callOf = (id: string): string => id.split("@", 1)[0] ?? id;
