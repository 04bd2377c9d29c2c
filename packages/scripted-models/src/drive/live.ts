import type { ChildProcess } from "node:child_process";

const live = new Set<number>();
process.once("exit", () => {
  for (const group of live) killGroup(group, "SIGKILL");
});

/** Sees to it that a child's whole group is gone when this process ends. The child must lead a group of its own. */
export function endWithUs(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  live.add(pid);
  child.once("exit", () => {
    // Processes that the child left in its group, such as a tool's.
    killGroup(pid, "SIGKILL");
    live.delete(pid);
  });
}

export function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // It is gone already.
  }
}
