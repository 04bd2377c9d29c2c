import { isCmError } from "@cm/object-model";
import type { RunFields } from "../documents/types.ts";
import { fault, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import { changed, created, type Records } from "../records/records.ts";

export interface OwnershipSetting {
  /** Stays the same when the process is started again. */
  readonly name: string;
  readonly incarnation: string;
  readonly leaseMs: number;
  readonly now: () => number;
}

/** The process that executes a run. */
export interface RunHolder {
  /** Its lease holds. */
  readonly isAlive: boolean;
  /** Where it is reached; undefined where it said nothing. */
  readonly address: string | undefined;
}

/**
 * This process as the owner of runs. One lease stands for all of them, so that a renewal is one small write however many
 * run. A process that starts under the same name takes the name over: runs of the former incarnation then have no owner.
 */
export class Ownership {
  readonly #records: Records;
  readonly #setting: OwnershipSetting;
  #expiresAtMs = 0;
  /** A renewal failed, or took long: the store was away, for the others, too. */
  #wasCutOff = false;
  /** Until then leases that ran out may be of processes that come back. */
  #patientUntilMs = 0;
  #address: string | undefined;

  constructor(records: Records, setting: OwnershipSetting) {
    this.#records = records;
    this.#setting = setting;
  }

  get mark(): RunFields["owner"] {
    const { name, incarnation } = this.#setting;
    return { name, incarnation };
  }

  /** Takes the name, also from a former self that still seems to live. */
  async take(): Promise<void> {
    await this.#write(false);
  }

  /** Says where others reach this process. @throws CmError `lineage/limit`, `lineage/not-ours` */
  async announce(address: string): Promise<void> {
    if (address.length > lineageLimits.addressCharsMax) throw overLimit("addressCharsMax", address.length);
    this.#address = address;
    await this.#write(true);
  }

  /** @throws CmError `lineage/not-ours` where another process has taken the name */
  async renew(): Promise<void> {
    await this.#write(true);
  }

  /** Before work begins that the lease must outlast: renewed where less than half of it is left. */
  async renewInTime(): Promise<void> {
    const { now, leaseMs } = this.#setting;
    if (this.#expiresAtMs - now() < leaseMs / 2) await this.renew();
  }

  /** Ends the lease at once, so that others need not wait for it. A process that has taken the name keeps it. */
  async release(): Promise<void> {
    try {
      await this.#write(true, 0);
    } catch (error) {
      if (!isCmError(error, "lineage/not-ours")) throw error;
    }
  }

  isOurs({ owner }: Pick<RunFields, "owner">): boolean {
    return owner.name === this.#setting.name && owner.incarnation === this.#setting.incarnation;
  }

  /**
   * Whether the process that runs it still holds its lease. No lease can be renewed while the store is away: when it is back,
   * the others have as long as a lease to do so.
   */
  async isAlive(run: Pick<RunFields, "owner">): Promise<boolean> {
    if (this.isOurs(run)) return true;
    const owner = await this.#records.read("run_owner", run.owner.name);
    if (owner === undefined || owner.fields.incarnation !== run.owner.incarnation) return false;
    return Math.max(owner.fields.expires_at, this.#patientUntilMs) > this.#setting.now();
  }

  /** The other process that a run names as its own. */
  async holderOf(run: Pick<RunFields, "owner">): Promise<RunHolder> {
    const owner = await this.#records.read("run_owner", run.owner.name);
    const isAlive = await this.isAlive(run);
    return { isAlive, address: isAlive ? owner?.fields.address : undefined };
  }

  async #write(mustBeOurs: boolean, leaseMs = this.#setting.leaseMs): Promise<void> {
    const { now, leaseMs: wholeMs } = this.#setting;
    const beganMs = now();
    try {
      await this.#writeNow(mustBeOurs, leaseMs);
    } catch (error) {
      this.#wasCutOff = true;
      throw error;
    }
    const nowMs = now();
    if (this.#wasCutOff || nowMs - beganMs > wholeMs / 3) this.#patientUntilMs = nowMs + wholeMs;
    this.#wasCutOff = false;
  }

  async #writeNow(mustBeOurs: boolean, leaseMs: number): Promise<void> {
    const { name, incarnation, now } = this.#setting;
    this.#expiresAtMs = await this.#records.change(async () => {
      const stored = await this.#records.read("run_owner", name);
      if (mustBeOurs && stored?.fields.incarnation !== incarnation) throw takenOver(name);
      const expires_at = Math.max(0, now() + leaseMs);
      const address = this.#address;
      const fields = { incarnation, expires_at, ...(address === undefined ? {} : { address }) };
      const write = stored === undefined ? created("run_owner", name, fields) : changed("run_owner", stored, fields);
      return { writes: [write], result: expires_at };
    });
  }
}

const takenOver = (name: string) =>
  fault("lineage/not-ours", "Another process runs under this owner's name; give each its own.", { id: name });
