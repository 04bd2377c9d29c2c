/** That the database has lost something of a session, and what became of that one, in a line for people. */
export function lostNotice(left: string): string {
  return `Context Manager's database has lost a part of session ${left}. Pi's own session file has all of it, so this goes on as a new session; cm verify names what is lost.`;
}
