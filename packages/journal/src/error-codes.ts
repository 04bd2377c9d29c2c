/** The error codes of session files, always in a `CmError`. Messages and data never contain content. */
export type JournalErrorCode =
  | "journal/not-a-session" // no header at the top; data: file, objects, skipped
  | "journal/line-too-long" // a line passes the bound; data: file, line, bytesMax
  | "journal/too-large" // a file passes the bound; data: file, bytesMax
  | "journal/locked" // another process rewrites the file all the time; data: file, waitedMs
  | "journal/write-failed" // writing failed before, and nothing was written since; data: file, reason
  | "journal/unknown-entry" // an id that the session does not have; data: id
  | "journal/invalid-entry" // what was to be appended is not of its kind; data: kind
  | "journal/unreadable"; // the file or the given bytes failed; data: file, reason, such as ENOENT or EISDIR
