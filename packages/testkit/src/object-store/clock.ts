/** A clock that stands still until a case moves it, backwards too. */
export interface Clock {
  readonly now: () => number;
  advance(ms: number): void;
}

export const clockStart = Date.UTC(2026, 0, 1);

export function createClock(startMs = clockStart): Clock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}

/** Moments that lie before and after the present of any store, so that most cases need no clock. */
export const past = (day: number): Date => new Date(Date.UTC(2001, 0, day));
export const future = (day: number): Date => new Date(Date.UTC(2201, 0, day));
