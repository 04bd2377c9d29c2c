/** Why a version of Pi is not here and could not be fetched; the tests that need it are then left out by name. */
export class MissingPi extends Error {
  override readonly name = "MissingPi";
}
