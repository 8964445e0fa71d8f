/**
 * Readers of claims. Providers that map a claim from an attribute of their directory may send other JSON types than the
 * standards define. Amazon Cognito sends `email_verified` as a string. Other providers send a JSON array encoded as a
 * string, or an array of one element instead of a string.
 */
import type { Claims } from './open-id-provider.ts'

/** Returns the string in a claim, which may be in an array of one element. Returns null for any other value. */
export function textIn(claims: Claims, name: string): string | null {
  const value = claims[name]
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
  return typeof only === 'string' ? only.trim() : null
}

/**
 * Returns the truth value of a claim: a boolean, 0 or 1, or one of these as a string. Returns null for any other value,
 * and undefined if the claim is absent.
 */
export function truthIn(claims: Claims, name: string): boolean | null | undefined {
  const value = claims[name]
  if (value === undefined) return undefined
  if (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'string') return null
  const text = String(value).trim().toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : null
}

/**
 * Returns the strings of a claim that is an array, a JSON array encoded as a string, or a single string. Elements that
 * are not strings are ignored.
 */
export function textsIn(claims: Claims, name: string): readonly string[] {
  const value = claims[name]
  const listed = typeof value === 'string' ? (listInText(value) ?? [value]) : value
  return Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : []
}

/** Returns the words of a claim, which is an array of words or a string with words separated by spaces or commas. */
export function wordsIn(claims: Claims, name: string): readonly string[] {
  const value = claims[name]
  if (typeof value !== 'string') return textsIn(claims, name)
  return listInText(value) === null ? value.split(/[\s,]+/).filter((word) => word !== '') : textsIn(claims, name)
}

/** True if the token refers to another source for a claim instead of containing it (OpenID Connect Core 5.6.2). */
export function isElsewhere(claims: Claims, name: string): boolean {
  const { _claim_names: names } = claims
  return typeof names === 'object' && names !== null && Object.hasOwn(names, name)
}

function listInText(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : null
  } catch {
    return null
  }
}
