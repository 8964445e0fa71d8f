import { roleOfMarker, type Role } from '../../contract/words/role.ts'

/** Session in the browser's storage (spec.md section 3). `uid` is the bearer token. */
export interface Session {
  readonly email: string
  readonly organization: string
  readonly uid: string
  readonly role: Role
}

type Store = Pick<Storage, 'getItem' | 'setItem'>

const UNKNOWN = 'Unknown'
const SIGN_OUT = 'signOut'

/** Returns null without a session, also if the browser blocks site data. Login then says so. */
export function readSession(from?: Store): Session | null {
  const store = from ?? ownStorage()
  const uid = store?.getItem('uid')
  if (!store || !uid) return null
  return {
    uid,
    email: store.getItem('email') || UNKNOWN,
    organization: store.getItem('organization') || UNKNOWN,
    role: roleOfMarker(store.getItem('session')),
  }
}

/** Returns null if the browser blocks site data: the access throws a SecurityError. */
function ownStorage(): Storage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}

/** Returns true if the browser blocks the storage or the cookies that a session needs. */
export const isSiteDataBlocked = (): boolean => ownStorage() === null || !navigator.cookieEnabled

export function storeSession(
  reply: { uid: string; email?: string | null; organization?: string | null; session: string },
  store: Store = localStorage,
): void {
  store.setItem('uid', reply.uid)
  store.setItem('email', reply.email || UNKNOWN)
  store.setItem('organization', reply.organization || UNKNOWN)
  store.setItem('session', reply.session)
}

/** Updates the stored session with what the server reports about its user. */
export function updateSession(me: {
  readonly email: string
  readonly organization: string | null
  readonly userType: string
}): void {
  const uid = localStorage.getItem('uid')
  if (uid) storeSession({ uid, email: me.email, organization: me.organization, session: me.userType })
}

/** Stores the URL that ends the session at the organisation's identity provider, for the next logout; null for none. */
export function storeSignOut(address: string | null): void {
  if (address === null) localStorage.removeItem(SIGN_OUT)
  else localStorage.setItem(SIGN_OUT, address)
}

/** Returns the URL to visit after a logout; null for the login page. */
export const readSignOut = (): string | null => localStorage.getItem(SIGN_OUT)

/**
 * Returns a URL of this portal. Returns the home page for an address of another site. A path alone is not safe:
 * `/.//evil.test` would become `//evil.test`, which names another host.
 */
export function safeNext(next: string | null, origin: string): string {
  const home = `${origin}/`
  if (!next?.startsWith('/')) return home
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null
  if (url?.origin !== origin || /^\/(?:\/|(?:login|logout|api)(?:\/|$))/.test(url.pathname)) return home
  return url.href
}
