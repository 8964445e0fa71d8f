import { createLocalJWKSet, type CryptoKey, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import { LmsError } from './lms-provider.ts'
import { type LmsFetch, objectIn } from './fetch.ts'

/** Maximum age of a cached key set, in milliseconds. Twice as long while the LMS does not answer. */
const CACHE_MS = 60 * 60_000
/** Minimum interval of fetches for unknown keys, in milliseconds, so that forged tokens do not cause many requests. */
const REFETCH_MS = 60_000
const CACHE_SIZE = 500
const KEYS_MAX = 100

interface Cached {
  readonly set: JSONWebKeySet
  readonly fetchedAt: number
}

/** Key sets of LMSs, cached by address. An unknown key ID causes a new fetch, because the LMS may have rotated its keys. */
export class KeySets {
  readonly #fetch: LmsFetch
  readonly #cache = new Map<string, Cached>()
  readonly #pending = new Map<string, Promise<JSONWebKeySet>>()
  readonly #refetchedAt = new Map<string, number>()

  constructor(fetch: LmsFetch) {
    this.#fetch = fetch
  }

  /** Fetches the key set, without the cache. Concurrent calls share one request. */
  read(url: string): Promise<JSONWebKeySet> {
    const pending = this.#pending.get(url)
    if (pending !== undefined) return pending
    const reading = this.#read(url).finally(() => this.#pending.delete(url))
    this.#pending.set(url, reading)
    return reading
  }

  /** Returns the key that a token names. @throws LmsError if the key set does not contain it */
  async keyFor(url: string, header: JWSHeaderParameters): Promise<CryptoKey> {
    const { kid } = header
    if (typeof kid !== 'string' || kid === '') {
      throw new LmsError('invalid', 'The token of the LMS does not name its key.')
    }
    let set = await this.#cached(url)
    if (!set.keys.some((key) => key.kid === kid)) set = await this.#refetch(url, set)
    if (!set.keys.some((key) => key.kid === kid)) {
      throw new LmsError('invalid', 'The token is signed with a key that is not in the key set of the LMS.')
    }
    try {
      return await createLocalJWKSet(set)(header)
    } catch (error) {
      throw new LmsError('invalid', 'The key of the LMS cannot be used to check its signature.', error)
    }
  }

  async #cached(url: string): Promise<JSONWebKeySet> {
    const cached = this.#cache.get(url)
    if (cached !== undefined && Date.now() - cached.fetchedAt < CACHE_MS) return cached.set
    // Launches continue with the cached keys while the LMS does not answer.
    return this.read(url).catch((error: unknown) => {
      if (cached === undefined || Date.now() - cached.fetchedAt > 2 * CACHE_MS) throw error
      return cached.set
    })
  }

  async #refetch(url: string, known: JSONWebKeySet): Promise<JSONWebKeySet> {
    if (Date.now() - (this.#refetchedAt.get(url) ?? 0) < REFETCH_MS) return known
    this.#refetchedAt.set(url, Date.now())
    return this.read(url).catch(() => known)
  }

  async #read(url: string): Promise<JSONWebKeySet> {
    const { host } = new URL(url)
    const reply = await this.#fetch(url, { method: 'GET', headers: { accept: 'application/json' } })
    if (reply.status !== 200) {
      throw new LmsError('unreachable', `${host} answers ${reply.status} at the address of its key set, ${url}.`)
    }
    const { keys } = objectIn(reply, 'its key set', host)
    if (!Array.isArray(keys) || keys.length === 0 || keys.length > KEYS_MAX) {
      throw new LmsError('invalid', `The key set of ${host} has no keys.`)
    }
    const set = { keys: keys as JSONWebKeySet['keys'] }
    this.#cache.delete(url)
    this.#cache.set(url, { set, fetchedAt: Date.now() })
    if (this.#cache.size > CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value!)
    if (this.#refetchedAt.size > CACHE_SIZE) this.#refetchedAt.clear()
    return set
  }
}
