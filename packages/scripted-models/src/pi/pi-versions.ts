/** The versions of Pi that the tests drive: the one to develop against, and the newest that runs. */
export const piVersions = ["0.87.1", "1.5.2"] as const;
export type PiVersion = (typeof piVersions)[number];

/** How a Pi is started: `node CLI ...`. */
export interface PiCommand {
  readonly version: PiVersion;
  /** The JavaScript file of the command line. */
  readonly cli: string;
}
