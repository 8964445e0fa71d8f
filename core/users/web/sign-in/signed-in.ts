import { safeNext, storeSession, storeSignOut } from '@trainyard/platform/web/session/session.ts'

/** Reply that opens a session. */
export interface SignedIn {
  readonly uid: string
  readonly email: string
  readonly organization: string | null
  readonly session: string
}

/**
 * Stores a session that is not linked to one at an identity provider, and opens the page that the address asks for.
 * @param otherwise page if the address asks for none; null: Home
 */
export function enter(reply: SignedIn, otherwise: string | null = null): void {
  storeSession(reply)
  storeSignOut(null)
  location.assign(safeNext(new URLSearchParams(location.search).get('next') ?? otherwise, location.origin))
}
