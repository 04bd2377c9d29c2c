import type { NewArtifact, Workspaces } from "@cm/workspace";
import type { EventLog } from "./event-log.ts";
import type { GovernedSession } from "./governed-session.ts";

export interface KeptArtifactsParts {
  readonly workspaces: Pick<Workspaces, "addArtifact">;
  readonly events: Pick<EventLog, "say">;
  readonly fault: (what: string, error: unknown) => void;
}

/** Takes what agents made into their workspaces, one after the other; no step waits for that. */
export class KeptArtifacts {
  readonly #parts: KeptArtifactsParts;
  #kept: Promise<void> = Promise.resolve();

  constructor(parts: KeptArtifactsParts) {
    this.#parts = parts;
  }

  keep(made: readonly NewArtifact[], { owner }: Pick<GovernedSession, "owner">): void {
    this.#kept = this.#kept.then(async () => {
      for (const artifact of made) {
        try {
          await this.#add(artifact, owner);
        } catch (error) {
          this.#parts.fault("An artifact could not be kept.", error);
        }
      }
    });
  }

  async #add(artifact: NewArtifact, owner: GovernedSession["owner"]): Promise<void> {
    const { artifact_id, artifact_type, name, body } = await this.#parts.workspaces.addArtifact(artifact);
    const size = body === null ? {} : { bytes: Buffer.byteLength(body) };
    const payload = { artifactId: artifact_id, artifactType: artifact_type, artifactName: name, ...size };
    const { chain } = artifact;
    this.#parts.events.say("artifact_created", { chain, ...owner, component: "WorkspaceService", payload });
  }

  /** All of it is in the workspaces, or could not be taken. */
  settled(): Promise<void> {
    return this.#kept;
  }
}
