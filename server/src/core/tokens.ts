import { createHash } from 'node:crypto'

/** A browser stays known for this long; browsers themselves keep a cookie no longer than 400 days. */
export const BROWSER_SECONDS = 365 * 24 * 60 * 60

/** A sign-in that was begun at an organisation's provider may be finished for so long. */
export const SIGN_IN_SECONDS = 10 * 60

/** Returns the sha256 that the database keeps of a token: whoever reads it there can't use it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
