import { type DocumentOf, journalId, journalPartId, sessionObjectId } from "@cm/object-model";
import { badLine } from "../errors.ts";

/** The parts of a session's file in their order, and behind them the document that counts them. */
export class JournalParts {
  #parts = 0;
  #isCounted = false;

  addPart({ "xt/id": id, session_ref, n }: DocumentOf<"journal_part">, session: string, line: number): void {
    if (session_ref !== sessionObjectId(session) || id !== journalPartId(session, n)) throw foreign(line);
    this.addErased(id, session, line);
  }

  addErased(id: string, session: string, line: number): void {
    if (this.#isCounted || id !== journalPartId(session, this.#parts)) {
      throw badLine("bundle/misplaced", line, "parts of a session's file stand by their number, each once");
    }
    this.#parts += 1;
  }

  add({ "xt/id": id, session_ref, part_count }: DocumentOf<"journal">, session: string, line: number): void {
    if (session_ref !== sessionObjectId(session) || id !== journalId(session)) throw foreign(line);
    if (this.#isCounted) throw badLine("bundle/duplicate", line, "its object is there already");
    if (part_count !== this.#parts) throw badLine("bundle/missing-reference", line, "it counts other parts");
    this.#isCounted = true;
  }

  /** @throws CmError `bundle/foreign` for parts that nothing counts */
  close(line: number): void {
    if (this.#parts > 0 && !this.#isCounted) throw badLine("bundle/foreign", line, "nothing counts its file's parts");
  }
}

const foreign = (line: number) => badLine("bundle/foreign", line, "it belongs to the file of another session");
