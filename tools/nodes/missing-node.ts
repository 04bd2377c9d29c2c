/** Why a version of Node is not here and could not be fetched; the tests that need it are then left out by name. */
export class MissingNode extends Error {
  override readonly name = "MissingNode";
}
