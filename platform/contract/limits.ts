/** Limit of the rate of calls. Each process counts separately. Normal use is far below, even with a class of 400 learners. */
export interface Limit {
  readonly name: string
  readonly per: 'address' | 'browser' | 'person' | 'organisation' | 'key'
  readonly max: number
  readonly seconds: number
  /**
   * True for calls of monitoring and providers. These limits are scaled like limits per user, because the calls reveal
   * no secret to guessing.
   */
  readonly isFromPrograms?: true
}

export const MINUTE = 60
export const HOUR = 3_600

/**
 * Calls that take a password, a code, a passkey or a token: an attacker may be guessing. A class of 400 behind one address
 * may log in within a minute, some of them in two steps.
 */
export const guesses: Limit = { name: 'sign-in', per: 'address', max: 600, seconds: MINUTE }

export const knownBrowsers: Limit = { name: 'known-browser', per: 'browser', max: 60, seconds: MINUTE }

export const ownPasswords: Limit = { name: 'password', per: 'person', max: 20, seconds: MINUTE }

/** Probes of load balancers and monitoring, many of them behind one address. */
export const probes: Limit = { name: 'health', per: 'address', isFromPrograms: true, max: 3_000, seconds: MINUTE }

/** Also read by programs. Browsers keep a logo for a year, but a class of 400 may open the portal at once. */
export const publicFiles: Limit = {
  name: 'public-files',
  per: 'address',
  isFromPrograms: true,
  max: 3_000,
  seconds: MINUTE,
}

export const documents: Limit = { name: 'documents', per: 'person', max: 600, seconds: HOUR }

export const exports: Limit = { name: 'exports', per: 'person', max: 60, seconds: HOUR }

/** The limit is far above the pieces of three concurrent transfers over a network of 100 MB/s. */
export const transfers: Limit = { name: 'transfers', per: 'person', max: 12_000, seconds: MINUTE }

/** Each request costs a query. A whole class behind one address opens the portal, or returns to it, within a minute. */
export const unknownSessions: Limit = { name: 'unknown-sessions', per: 'address', max: 6_000, seconds: MINUTE }

export const searches: Limit = { name: 'search', per: 'person', max: 240, seconds: MINUTE }

/** A program that polls every second stays far below this limit. */
export const key: Limit = { name: 'key', per: 'key', max: 600, seconds: MINUTE }

export const calls: Limit = { name: 'calls', per: 'person', max: 3_000, seconds: MINUTE }
