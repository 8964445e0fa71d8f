/** The database was brought further by a later version of the portal, and this one must not work on it. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}
