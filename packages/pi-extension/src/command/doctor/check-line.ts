/** One thing that `doctor` looked at, and what to do about it. */
export interface CheckLine {
  readonly status: "ok" | "look" | "bad";
  readonly about: string;
  readonly text: string;
  readonly next?: string;
}

export function fine(about: string, text: string): CheckLine {
  return { status: "ok", about, text };
}

export function doubtful(about: string, text: string, next: string): CheckLine {
  return { status: "look", about, text, next };
}

export function broken(about: string, text: string, next: string): CheckLine {
  return { status: "bad", about, text, next };
}

/** `ok    node  24.8.0`, with the next step on a line of its own. */
export function checkText({ status, about, text, next }: CheckLine): string {
  const line = `${status.padEnd(4)}  ${about.padEnd(8)}  ${text}`;
  return next === undefined ? line : `${line}\n${" ".repeat(16)}${next}`;
}
