import { isSteering, type Word } from "./word.ts";

/** How a program that runs another one is told which. What is not listed here cannot be read. */
interface RunnerUse {
  readonly flags?: readonly string[];
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** Takes variables before the program. */
  readonly assigns?: boolean;
  /** Words between the options and the program, such as a time. */
  readonly positionals?: number;
}

const runners: Readonly<Record<string, RunnerUse>> = {
  builtin: {},
  busybox: {},
  command: { flags: ["-p"] },
  doas: { flags: ["-n"], valued: ["-u"] },
  env: { flags: ["-i"], valued: ["-u"], assigns: true },
  exec: {},
  ionice: { valued: ["-c", "-n"] },
  nice: { valued: ["-n"] },
  nohup: {},
  setsid: { flags: ["-f", "-w"] },
  stdbuf: { valued: ["-i", "-o", "-e"] },
  sudo: { flags: ["-n"], valued: ["-u"], assigns: true },
  time: { flags: ["-p"] },
  timeout: { flags: ["--foreground", "--preserve-status"], valued: ["-s", "-k"], positionals: 1 },
  toybox: {},
  xargs: { flags: ["-0", "-r", "-t"], valued: ["-n", "-I", "-P", "-L", "-d"] },
};

export const runnerNamed = (name: string): RunnerUse | undefined =>
  Object.hasOwn(runners, name) ? runners[name] : undefined;

/**
 * The words of what a runner runs; empty where it runs nothing. Undefined where that cannot be seen.
 * @param words those behind the runner's name
 */
export function runBy(use: RunnerUse, words: readonly Word[]): readonly Word[] | undefined {
  let at = 0;
  for (; at < words.length; at++) {
    const { text, isLiteral } = words[at] as Word;
    // An expansion may become an option, or several words.
    if (!isLiteral) return undefined;
    if (text === "--") {
      at += 1;
      break;
    }
    if (use.valued?.includes(text)) {
      at += 1;
      if (words[at]?.isLiteral !== true) return undefined;
    } else if (use.flags?.includes(text) !== true) {
      if (text.startsWith("-")) return undefined;
      break;
    }
  }
  for (; use.assigns === true && words[at]?.text.includes("="); at++) {
    const { text, isLiteral } = words[at] as Word;
    if (!isLiteral || isSteering(text.slice(0, text.indexOf("=")))) return undefined;
  }
  for (let skipped = 0; skipped < (use.positionals ?? 0); skipped++, at++) {
    if (words[at]?.isLiteral === false) return undefined;
  }
  return words.slice(at);
}
