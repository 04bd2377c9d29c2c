import type { BlockedSecretFile } from "../files/blocked-secret-files.ts";
import type { Managed } from "../managed/managed.ts";
import type { Settings } from "../settings/settings.ts";

/** What `/cm` needs of the extension. */
export interface CommandHost {
  /** The Pi session that runs now. Undefined where none is managed. */
  managed(): Managed | undefined;
  /** Whether requests are managed now. */
  isEnabled(): boolean;
  /** Resolves when the next request goes out accordingly. */
  setEnabled(on: boolean): Promise<void>;
  /** Lets go of the database while the work is done, and takes the session up again behind it. */
  apart(work: () => void): Promise<void>;
  settings(): Settings;
  /** Files of this session that are closed because their names are those of secrets. */
  closedSecrets(): readonly BlockedSecretFile[];
}
