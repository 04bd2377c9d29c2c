import { stepLogError } from "./errors.ts";

// What callers hand in, who may write no types. Each check throws `session/invalid-input`, and shows nothing of it.

/** Whether a step may have this number, which callers may hand in as they like. */
export const isStepNumber = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

/** A number that no step has is no wrong input: the step is not found. */
export function checkStep(at: unknown): void {
  const isStep =
    typeof at === "object" && at !== null && "session" in at && typeof at.session === "string" && "n" in at;
  if (isStep && typeof at.n === "number") return;
  throw wrong("A step is named by its session and its number, such as { session, n: 3 }.");
}

export function checkSession(session: unknown): void {
  if (typeof session !== "string") throw wrong("A session is named by its id, which is a text.");
}

export function checkObject(name: unknown): void {
  if (typeof name !== "string") throw wrong("An object is named by its id or alias, which is a text.");
}

const wrong = (message: string) => stepLogError("session/invalid-input", message);
