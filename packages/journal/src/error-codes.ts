/** The error codes of reading a session, always in a `CmError`. Messages and data never contain content. */
export type JournalErrorCode =
  | "journal/not-a-session" // no header at the top; data: file, objects, skipped
  | "journal/line-too-long" // a line passes the bound; data: file, line, bytesMax
  | "journal/unreadable"; // the file or the given bytes failed; data: file, reason, such as ENOENT or EISDIR
