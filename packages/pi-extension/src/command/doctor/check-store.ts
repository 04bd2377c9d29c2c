import { isCmError } from "@cm/object-model";
import { counted, visibleLine, visiblePath } from "@cm/terminal-text";
import type { Health } from "../../health.ts";
import type { Managed } from "../../managed/managed.ts";
import { commandLimits } from "../command-limits.ts";
import { broken, type CheckLine, doubtful, fine } from "./check-line.ts";

const short = (text: string) => visibleLine(text, commandLimits.noteCharsMax);

/** Where the store is, whether it answers, and what waits for it. */
export async function checkStore(managed: Managed): Promise<readonly CheckLine[]> {
  const place = fine("store", visiblePath(managed.storePlace, commandLimits.noteCharsMax));
  const answer = await checkAnswer(managed);
  const { health } = managed;
  return [place, answer, checkHealth(health), ...checkUnwritten(health)];
}

async function checkAnswer(managed: Managed): Promise<CheckLine> {
  const askedAt = performance.now();
  try {
    await managed.probe();
    return fine("answer", `after ${Math.round(performance.now() - askedAt)} ms`);
  } catch (error) {
    if (isHopeless(managed.health)) return broken("answer", "none: the database cannot be used as it is", "See below.");
    const why = isCmError(error) ? error.message : "It failed for a reason that is not ours.";
    return broken(
      "answer",
      short(why),
      "Check the place above; work goes on in memory and is written when it answers.",
    );
  }
}

/** Where asking again does not help. */
const isHopeless = ({ state, needsUpdate }: Health): boolean => state === "damaged" || needsUpdate === true;

function checkHealth({ state, reason, needsUpdate }: Health): CheckLine {
  const why = reason === undefined ? "" : `: ${short(reason)}`;
  if (needsUpdate === true) {
    const next =
      "Run pi update npm:@cm/pi-extension. Until then nothing is written into it; Pi's own session file has all.";
    return broken("health", `made by a newer version${why}`, next);
  }
  switch (state) {
    case "offline":
      return doubtful(
        "health",
        `offline${why}`,
        "The store is asked again by itself; nothing of this session is lost meanwhile.",
      );
    case "damaged":
      return broken("health", `damaged${why}`, damaged);
    default:
      return fine("health", `${state}${why}`);
  }
}

const damaged =
  "Pi's own session file is whole. End other Pis, then /cm doctor fix store: it moves the database aside, deletes nothing, and begins a new one.";

function checkUnwritten({ unwritten, ...health }: Health): readonly CheckLine[] {
  if (unwritten === 0) return [];
  const next = isHopeless({ ...health, unwritten })
    ? "They stand in Pi's own session file, and are written from it once the database can be used."
    : "They are written when the store answers; after an end without that, from Pi's own session.";
  return [doubtful("waiting", `${counted(unwritten, "step")} not written yet`, next)];
}
