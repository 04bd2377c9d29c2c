/** How the management of one Pi session stands. Plain data: the status line, `/cm` and `doctor` say it to people. */
export interface Health {
  /**
   * `opening`: the store or the session is not there yet. `ok`: both answer. `offline`: the database does not answer,
   * work is kept in memory and written later. `damaged`: the database answers with data that cannot be true. `off`: Pi
   * is as without us.
   */
  readonly state: "opening" | "ok" | "offline" | "damaged" | "off";
  /** One sentence for people, without content or logins. */
  readonly reason?: string;
  /** Only a newer package can use the database: asking it again does not help. */
  readonly needsUpdate?: true;
  /** Steps of this Pi session that are not in the database yet. */
  readonly unwritten: number;
}
