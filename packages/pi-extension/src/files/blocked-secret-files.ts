import type { FilesystemBinding, Observation, ObserveRequest } from "@cm/object-model";
import { fileTouchLimits } from "./file-limits.ts";

/**
 * A file that was met and not opened because its name is one of secrets, and the rule as `openSecretFiles` takes it.
 */
export interface BlockedSecretFile {
  readonly path: string;
  readonly rule: string;
}

const reason = /^ignored: secret-file (.+)$/su;

/** The files of secrets that a session met, by their paths: for people, who may want to open one. */
export class BlockedSecretFiles {
  readonly #rules = new Map<string, string>();

  get all(): readonly BlockedSecretFile[] {
    return [...this.#rules].map(([path, rule]) => ({ path, rule }));
  }

  hear(requests: readonly ObserveRequest<FilesystemBinding>[], answers: readonly Observation[]): void {
    for (const [place, answer] of answers.entries()) {
      const path = requests[place]?.binding.path;
      const rule = answer.kind === "unreachable" ? reason.exec(answer.reason)?.[1] : undefined;
      if (path === undefined || rule === undefined) continue;
      if (this.#rules.size >= fileTouchLimits.closedSecretsMax && !this.#rules.has(path)) return;
      this.#rules.set(path, rule);
    }
  }
}
