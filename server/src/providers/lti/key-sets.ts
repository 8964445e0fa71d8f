import { createLocalJWKSet, type CryptoKey, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import { LmsError } from '../lms.ts'
import { type LmsFetch, objectIn } from './fetch.ts'

/** A revoked key is trusted for at most this time. */
const CACHE_MS = 60 * 60_000
/** Minimum time between two fetches because of an unknown key, so that forged tokens do not cause requests. */
const REFETCH_MS = 60_000
const CACHE_SIZE = 500
const KEYS_MAX = 100

interface Cached {
  readonly set: JSONWebKeySet
  readonly fetchedAt: number
}

/** Key sets of LMSs, cached by address. An LMS that rotates its keys is noticed by the unknown key ID. */
export class KeySets {
  readonly #fetch: LmsFetch
  readonly #cache = new Map<string, Cached>()
  readonly #pending = new Map<string, Promise<JSONWebKeySet>>()
  readonly #tried = new Map<string, number>()

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

  /** @throws LmsError if the key set does not contain the key */
  async keyFor(url: string, header: JWSHeaderParameters): Promise<CryptoKey> {
    const { kid } = header
    if (typeof kid !== 'string' || kid === '') {
      throw new LmsError('invalid', 'The token of the LMS does not name its key.')
    }
    let set = await this.#cached(url)
    if (!set.keys.some((key) => key.kid === kid)) set = await this.#afterRotation(url, set)
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
    // An LMS that does not answer must not stop launches while its keys are known.
    return this.read(url).catch((error: unknown) => {
      if (cached === undefined || Date.now() - cached.fetchedAt > 2 * CACHE_MS) throw error
      return cached.set
    })
  }

  async #afterRotation(url: string, known: JSONWebKeySet): Promise<JSONWebKeySet> {
    if (Date.now() - (this.#tried.get(url) ?? 0) < REFETCH_MS) return known
    this.#tried.set(url, Date.now())
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
    if (this.#tried.size > CACHE_SIZE) this.#tried.clear()
    return set
  }
}
