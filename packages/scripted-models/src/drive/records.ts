import type { JsonObject } from "../wire/json.ts";
import { parseObject } from "../wire/json.ts";
import type { Transcript } from "./transcript.ts";

/** The records that a Pi prints, one JSON object a line. */
export class Records {
  readonly all: JsonObject[] = [];
  readonly #listeners = new Set<() => void>();
  #read = 0;

  constructor(stdout: Transcript) {
    stdout.listen(() => {
      // Split on LF alone: other characters that end a line may stand within JSON.
      for (let end = stdout.text.indexOf("\n", this.#read); end !== -1; end = stdout.text.indexOf("\n", this.#read)) {
        const line = stdout.text.slice(this.#read, end);
        this.#read = end + 1;
        if (line !== "") this.all.push(parsed(line));
      }
      for (const listener of this.#listeners) listener();
    });
  }

  /** The first record from a place on for which the test holds, there already or to come. */
  next(test: (record: JsonObject) => boolean, from: number): Promise<JsonObject> {
    let looked = from;
    return new Promise((resolve) => {
      const look = (): boolean => {
        for (; looked < this.all.length; looked++) {
          const record = this.all[looked];
          if (record === undefined || !test(record)) continue;
          this.#listeners.delete(look);
          resolve(record);
          return true;
        }
        return false;
      };
      if (!look()) this.#listeners.add(look);
    });
  }
}

/** Only records may be printed; anything else becomes one that the tests can find. */
function parsed(line: string): JsonObject {
  try {
    return parseObject(line);
  } catch {
    return { type: "not_a_record", line };
  }
}
