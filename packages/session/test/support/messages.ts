import { incomingWords } from "@cm/testkit";
import { at } from "./map-source.ts";

/** What tests tell a session, in few words; files are those of a `MapSource`. */
export const { user, result, call, says, runs, answering, reads, touch } = incomingWords(at);
