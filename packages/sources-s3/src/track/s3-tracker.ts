import type { S3Binding, Tracked, Tracker } from "@cm/object-model";
import { parseS3Binding } from "../binding/s3-binding.ts";
import { Stop } from "../client/stop.ts";
import { limits } from "../limits.ts";
import { byBucket } from "../observe/listing.ts";
import { BucketPoller, type PollerOptions } from "./bucket-poller.ts";
import { Followed } from "./followed.ts";

export interface TrackerOptions extends Omit<PollerOptions, "onChange" | "life"> {
  readonly onHint: (binding: S3Binding) => void;
  /** Stops when the source is closed. */
  readonly life: Stop;
}

/**
 * Follows objects by polling their ETags, because S3 has no events. The states are those of SSOT 5.9: an unreachable
 * object is orphaned with the reason, and resumed with a hint when it is reachable again.
 */
export class S3Tracker implements Tracker<S3Binding> {
  readonly #options: PollerOptions;
  readonly #life: Stop;
  readonly #followed = new Map<string, Followed>();
  readonly #pollers = new Map<string, BucketPoller>();

  constructor({ onHint, life, ...options }: TrackerOptions) {
    this.#life = new Stop().inside(life);
    this.#life.signal.addEventListener("abort", () => this.#end(), { once: true });
    const onChange = ({ binding }: Followed): void => {
      if (this.#life.reason !== undefined) return;
      try {
        onHint(binding);
      } catch {
        // A hint that its receiver cannot take is lost, as any hint may be; the others still get theirs.
      }
    };
    this.#options = { ...options, life: this.#life, onChange };
  }

  /** Orphaned objects that were followed before are observed once more. */
  async follow(bindings: readonly S3Binding[]): Promise<void> {
    const wanted = new Set(bindings.map((binding) => this.#followedOf(parseS3Binding(binding))));
    const { reason } = this.#life;
    if (reason !== undefined) for (const followed of wanted) followed.orphan(reason);
    const unwatched = [...wanted].filter(({ tracked, isCounted }) => isCounted && !isWatched(tracked));
    await Promise.all(byBucket(unwatched).map((group) => this.#pollerOf(group)?.follow(group)));
  }

  states(): readonly Tracked<S3Binding>[] {
    return [...this.#followed.values()].map(({ tracked }) => structuredClone(tracked));
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#pollers.values()].map((poller) => poller.lookNow()));
  }

  async close(): Promise<void> {
    this.#life.now("tracker closed");
    await this.settled();
    this.#end();
  }

  #end(): void {
    for (const poller of this.#pollers.values()) poller.close();
    for (const followed of this.#followed.values()) followed.orphan(this.#life.reason ?? "tracker closed");
  }

  #followedOf(binding: S3Binding): Followed {
    const id = JSON.stringify([binding.endpoint ?? "", binding.bucket, binding.key]);
    let followed = this.#followed.get(id);
    if (followed === undefined) {
      const isCounted = this.#followed.size < limits.followedMax;
      followed = new Followed(binding, isCounted);
      if (!isCounted) followed.orphan("too many followed");
      this.#followed.set(id, followed);
    }
    return followed;
  }

  #pollerOf([first]: readonly Followed[]): BucketPoller | undefined {
    if (first === undefined) return undefined;
    const { bucket, endpoint } = first.binding;
    const id = JSON.stringify([endpoint ?? "", bucket]);
    let poller = this.#pollers.get(id);
    if (poller === undefined) {
      poller = new BucketPoller(first.binding, this.#options);
      this.#pollers.set(id, poller);
    }
    return poller;
  }
}

function isWatched({ state }: Tracked): boolean {
  return state === "attached" || state === "resumed";
}
