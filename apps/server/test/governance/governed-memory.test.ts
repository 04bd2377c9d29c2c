// @module-tag process
// @module-tag long
// Verifies: the life of governed sessions, in memory.
import { createMemoryStore } from "@cm/object-model";
import { serverTypes } from "../../src/store/open-store.ts";
import { inMemory } from "../support/mortal-server.ts";
import { governedLaws } from "./laws/all.ts";

governedLaws("memory", { open: async () => createMemoryStore({ types: serverTypes }), mortal: inMemory });
