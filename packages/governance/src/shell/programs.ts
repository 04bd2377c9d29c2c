import { plainProgram, programName } from "../bundle/program-name.ts";
import { limits } from "../limits.ts";
import { isReserved } from "./reserved.ts";
import { runBy, runnerNamed } from "./runners.ts";
import { ShellReader, Unreadable, unreadable } from "./shell-reader.ts";
import { isSteering, type Word } from "./word.ts";

/** Programs whose text is the same grammar. */
const shells = new Set(["sh", "bash", "dash", "ash"]);

/** They run what they are told in ways of their own, change what a name means, or work on text that may run. */
const unreadNames = new Set(
  [
    "zsh ksh fish csh tcsh pwsh powershell cmd nu elvish xonsh",
    ". source alias unalias hash enable trap shopt bind complete compgen fc history mapfile readarray getopts let declare",
    "typeset local readonly wait",
    // They are there to run another program.
    "watch parallel script strace ltrace flock entr run-parts unbuffer rlwrap hyperfine valgrind perf catchsegv faketime",
    "su runuser pkexec gosu su-exec sg newgrp capsh setpriv setuidgid envuidgid softlimit chpst envdir",
    "chroot unshare nsenter proot fakeroot firejail bwrap nsjail systemd-run start-stop-daemon daemon daemonize tini dumb-init",
    "taskset chrt prlimit choom numactl cgexec cpulimit setarch linux32 linux64 i386 x86_64 uname26",
    "torify torsocks proxychains proxychains4 ssh-agent dbus-run-session dbus-launch xvfb-run",
    "at batch crontab",
  ].flatMap((names) => names.split(" ")),
);

/** The loader of programs, which runs the file that it is given. */
const loader = /^ld(?:64)?[-.].*so/;

/**
 * The names of all programs that a shell may start for a text, without their paths and in the order they stand there.
 * Undefined for a text in which they cannot all be seen.
 */
export function programsOf(text: string): readonly string[] | undefined {
  if (/[^\P{Cc}\t\n]/u.test(text) || !text.isWellFormed()) return undefined;
  const programs: string[] = [];
  try {
    readText(text, programs, 0);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return programs;
}

function readText(text: string, programs: string[], depth: number): void {
  new ShellReader(text, (words, at) => readCommand(words, programs, at), depth).readAll();
}

function readCommand(words: readonly Word[], programs: string[], depth: number): void {
  if (depth > limits.commandDepthMax || programs.length >= limits.commandsPerTextMax) unreadable();
  const first = words[0];
  if (first?.isBare === true && first.text === "for") {
    readLoop(words);
    return;
  }
  const start = words.findIndex(({ assigned }) => assigned === undefined);
  const assignments = start < 0 ? words : words.slice(0, start);
  if (assignments.some(({ assigned = "" }) => isSteering(assigned))) unreadable();
  const head = start < 0 ? undefined : words[start];
  if (head === undefined) return;
  const isTimed = head.isBare && head.text === "time";
  if (!head.isLiteral || (isReserved(head) && !isTimed)) unreadable();
  const program = head.text.slice(head.text.lastIndexOf("/") + 1);
  if (!programName.test(program)) unreadable();
  programs.push(program);
  readArguments(program, words.slice(start + 1), { programs, depth });
}

/** `for name in words`: nothing runs yet. */
function readLoop([, name, keyword]: readonly Word[]): void {
  const isNamed = name?.isBare === true && /^[A-Za-z_]\w*$/.test(name.text) && !isSteering(name.text);
  const isListed = keyword === undefined || (keyword.isBare && keyword.text === "in");
  if (!isNamed || !isListed) unreadable();
}

interface Reading {
  readonly programs: string[];
  readonly depth: number;
}

/** What a program is told to run is read, too. */
function readArguments(program: string, words: readonly Word[], { programs, depth }: Reading): void {
  if (unreadNames.has(program) || loader.test(program)) unreadable();
  // Where the filesystem ignores case or a suffix, `ENV` and `env.exe` are `env`.
  const plain = plainProgram(program);
  if (plain !== program && startsOthers(plain)) unreadable();
  const run = (command: readonly Word[]): void => {
    // Behind a program's name there are no assignments: it is the name of a program, and none that is read here.
    if (command[0]?.assigned !== undefined) unreadable();
    readCommand(command, programs, depth + 1);
  };
  const use = runnerNamed(program);
  if (use !== undefined) {
    if (program === "command" && /^-[vV]$/.test(words[0]?.text ?? "")) return;
    const command = runBy(use, words) ?? unreadable();
    // What `xargs` appends is not known, and a runner, a shell or `find` would run some of it.
    if (program === "xargs" && command[0] !== undefined && runsOthers(command[0])) unreadable();
    if (command.length > 0) run(command);
  } else if (shells.has(program)) readShell(words, { run, read: (text) => readText(text, programs, depth + 1) });
  else if (program === "eval") {
    if (!words.every(({ isLiteral }) => isLiteral) || words[0]?.text.startsWith("-")) unreadable();
    readText(words.map(({ text }) => text).join(" "), programs, depth + 1);
  } else if (program === "find") readFind(words, run);
  else if (changesVariables(program, words)) unreadable();
}

interface ShellUse {
  readonly run: (command: readonly Word[]) => void;
  readonly read: (text: string) => void;
}

/** `sh -c TEXT`, or `sh FILE`, which is FILE run; without either a shell runs what comes in. */
function readShell(words: readonly Word[], { run, read }: ShellUse): void {
  const [first, second] = words;
  if (first?.isLiteral !== true) unreadable();
  else if (!/^[-+]/.test(first.text)) run([{ ...first, isBare: false }]);
  else if (!/^-[elux]*c[elux]*$/.test(first.text) || second?.isLiteral !== true) unreadable();
  // Options may follow, and the text behind them.
  else if (/^[-+]/.test(second.text)) unreadable();
  else read(second.text);
}

function readFind(words: readonly Word[], run: (command: readonly Word[]) => void): void {
  if (!words.every(({ isLiteral }) => isLiteral)) unreadable();
  for (let at = 0; at < words.length; at++) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(words[at]?.text ?? "")) continue;
    const end = words.findIndex(({ text }, place) => place > at && (text === ";" || text === "+"));
    const command = words.slice(at + 1, end < 0 ? words.length : end);
    if (command[0] === undefined || runsOthers(command[0])) unreadable();
    run(command);
  }
}

function runsOthers({ text, isLiteral }: Word): boolean {
  const name = text.slice(text.lastIndexOf("/") + 1);
  return !isLiteral || startsOthers(plainProgram(name));
}

const startsOthers = (name: string): boolean =>
  runnerNamed(name) !== undefined ||
  shells.has(name) ||
  unreadNames.has(name) ||
  loader.test(name) ||
  ["eval", "find"].includes(name);

/** Builtins by which a variable gets a value, or whose arguments are computed: an index there may run a text. */
function changesVariables(program: string, words: readonly Word[]): boolean {
  const isPlainName = ({ text, isLiteral }: Word) => isLiteral && /^[A-Za-z_]\w*$/.test(text) && !isSteering(text);
  switch (program) {
    case "export":
      return !words.every((word) => isPlainName(word) || (word.isLiteral && !isSteering(word.assigned ?? "PATH")));
    case "unset":
      return !words.every(isPlainName);
    case "read":
      return !words.every((word) => (word.isLiteral && word.text === "-r") || isPlainName(word));
    case "set":
      return !words.every(({ text, isLiteral }) => isLiteral && /^(?:[-+][eux]*o?|pipefail)$/.test(text));
    case "printf":
      return words[0] !== undefined && (!words[0].isLiteral || words[0].text.startsWith("-"));
    case "test":
    case "[":
      return words.some(({ text }) => text === "-v" || text === "-R" || text.includes("["));
    default:
      return false;
  }
}
