import { defined } from "@cm/object-model";
import { containerFilesystemId } from "@cm/sources-fs";
import * as z from "zod/mini";
import { checkedMount, distinctMounts } from "../settings/mount-setting.ts";
import type { MountSetting } from "../settings/settings.ts";
import { fileTouchLimits as limits } from "./file-limits.ts";

/** On Pi's event bus: what a sandbox says of its mounts. */
export const mountsChannel = "cm:mounts";
/** On Pi's event bus: we ask sandboxes to say it (again), before a session's first file is looked at. */
export const mountsWantedChannel = "cm:mounts-wanted";

/** What a sandbox extension told of the file system that the agent's tools work in. */
export interface SandboxMounts {
  readonly mounts: readonly MountSetting[];
  /** What lies outside of the mounts. */
  readonly filesystemId?: string;
  /** The folder that relative paths count from, in the agent's terms. */
  readonly cwd?: string;
}

const path = z.string().check(z.minLength(1), z.maxLength(limits.pathCharsMax));
const id = z.string().check(z.minLength(1), z.maxLength(limits.idCharsMax));

/** What an extension emits on `cm:mounts`. No mounts: the sandbox is gone, the tools see this machine again. */
const schema = z.object({
  v: z.literal(1),
  mounts: z
    .array(z.object({ agent: path, canonical: path, filesystemId: z.optional(id) }))
    .check(z.maxLength(limits.mountsMax)),
  /** The container's id as its engine has it. */
  container: z.optional(id),
  cwd: z.optional(path.check(z.startsWith("/"))),
});

/** Undefined for a message that is none. Unknown fields are left out: extensions are older and newer than us. */
export function parseMountsMessage(message: unknown): SandboxMounts | undefined {
  const parsed = schema.safeParse(message);
  if (!parsed.success) return undefined;
  const { mounts, container, cwd } = parsed.data;
  const checked = mounts.map(({ agent, canonical, filesystemId }) =>
    checkedMount({
      agentPrefix: agent,
      canonicalPrefix: canonical,
      ...defined({ filesystemId }),
    }),
  );
  const usable = distinctMounts(checked.filter((mount) => mount !== undefined));
  if (usable === undefined || checked.includes(undefined)) return undefined;
  return {
    mounts: usable,
    ...defined({ filesystemId: container === undefined ? undefined : containerFilesystemId(container), cwd }),
  };
}

/** Pi's event bus, as far as it is needed here. */
export interface EventBus {
  emit(channel: string, data: unknown): void;
  on(channel: string, handler: (data: unknown) => void): () => void;
}

/** The newest that sandboxes said. Listen from the moment the extension is loaded: it is not repeated unasked. */
export class HeardMounts {
  readonly #bus: EventBus;
  readonly #stop: () => void;
  #heard: SandboxMounts | undefined;
  #misunderstood = false;

  constructor(bus: EventBus) {
    this.#bus = bus;
    this.#stop = bus.on(mountsChannel, (message) => {
      const heard = parseMountsMessage(message);
      this.#misunderstood = heard === undefined;
      if (heard !== undefined) this.#heard = heard.mounts.length === 0 ? undefined : heard;
    });
  }

  /** Asks for it; a sandbox that answers at once is heard before this returns. */
  ask(): void {
    this.#bus.emit(mountsWantedChannel, { v: 1 });
  }

  get heard(): SandboxMounts | undefined {
    return this.#heard;
  }

  /** Whether the newest message was none that we know. */
  get misunderstood(): boolean {
    return this.#misunderstood;
  }

  close(): void {
    this.#stop();
  }
}
