/** The one file that a call names: several, as a search names them, say nothing about which one a path means. */
export const onlyFile = (files: readonly string[]): string | undefined => (files.length === 1 ? files[0] : undefined);
