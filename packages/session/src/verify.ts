/** `@cm/session/verify`: for programs that look after a database. An agent's own session loads nothing of it. */
export * from "@cm/step-log/verify";
