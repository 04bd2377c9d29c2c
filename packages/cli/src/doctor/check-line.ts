/** One thing that `doctor` looked at. */
export interface CheckLine {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  readonly text: string;
  /** The next step. */
  readonly next?: string;
}

export const ok = (check: string, text: string): CheckLine => ({ check, status: "ok", text });

export const warn = (check: string, text: string, next: string): CheckLine => ({ check, status: "warn", text, next });

export const fail = (check: string, text: string, next: string): CheckLine => ({ check, status: "fail", text, next });
