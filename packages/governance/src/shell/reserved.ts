import type { Word } from "./word.ts";

/** What follows is a command again. */
const transparent = new Set(["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!"]);

/** What follows is in a grammar of its own, or is defined to run later. */
const others = new Set(["case", "esac", "select", "function", "coproc", "[[", "]]", "in", "for", "time", "repeat"]);

export const isTransparent = ({ text, isBare }: Word): boolean => isBare && transparent.has(text);

export const isReserved = ({ text, isBare }: Word): boolean => isBare && (transparent.has(text) || others.has(text));
