import type { NewLabUser } from '../lab-users.ts'

/**
 * The same wish has the same key, on whatever computer and in whatever file it stands: what an earlier run asked for
 * is answered as it was then, and makes nobody twice.
 */
export async function keyOf(list: string, { username, personalEmail, duration }: NewLabUser): Promise<string> {
  const wish = new TextEncoder().encode(JSON.stringify([list, username, personalEmail, duration]))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', wish))
  return `bulk ${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
