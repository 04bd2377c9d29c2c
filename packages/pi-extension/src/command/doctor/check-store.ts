import { isCmError } from "@cm/object-model";
import type { Health } from "../../managed/health.ts";
import type { Managed } from "../../managed/managed.ts";
import { counted } from "../../text/figures.ts";
import { visibleLine, visiblePath } from "../../text/visible-line.ts";
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
    const why = isCmError(error) ? error.message : "It failed for a reason that is not ours.";
    return broken(
      "answer",
      short(why),
      "Check the place above; work goes on in memory and is written when it answers.",
    );
  }
}

function checkHealth({ state, reason }: Health): CheckLine {
  const text = reason === undefined ? state : `${state}: ${short(reason)}`;
  switch (state) {
    case "away":
      return doubtful("health", text, "The store is asked again by itself; nothing of this session is lost meanwhile.");
    case "damaged":
      return broken(
        "health",
        text,
        "Pi's own session is whole: move the store away to begin anew; cm verify names what is damaged in it.",
      );
    default:
      return fine("health", text);
  }
}

function checkUnwritten({ unwritten }: Health): readonly CheckLine[] {
  if (unwritten === 0) return [];
  const next = "They are written when the store answers; after an end without that, from Pi's own session.";
  return [doubtful("waiting", `${counted(unwritten, "step")} not written yet`, next)];
}
