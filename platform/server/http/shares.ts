import type { Actor } from '../core/actor.ts'
import { networkOf } from '../core/network.ts'

export type Owner = 'user' | 'organisation' | 'address'

/** User of a place: a user with an organisation, or a network if the user is not known. */
export type Claimant = Readonly<Partial<Record<Owner, string>>>

/** Maximum number of places of one owner, and of all together. */
export type ShareLimits = Readonly<Partial<Record<Owner | 'all', number>>>

const OWNERS: readonly Owner[] = ['user', 'organisation', 'address']

/**
 * Returns the claimant of a call. The address counts only if the user is not known, because a class of 400 learners may
 * share one address.
 */
export function claimantOf(actor: Actor | null, address: string): Claimant {
  if (actor === null) return { address: networkOf(address) }
  return { user: actor.id, ...(actor.organisation !== null && { organisation: actor.organisation.id }) }
}

/**
 * Limits how many places, such as event streams, are in use at once: by a user, by an organisation, by a network, and in
 * all. An organisation never holds more places than remain free, so that several large ones cannot take all.
 */
export class Shares {
  readonly #limits: ShareLimits
  readonly #used = new Map<string, number>()
  #size = 0

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  /** Acquires a place. Returns the function that frees the place, or the owner whose share is used up. */
  acquire(claimant: Claimant): (() => void) | Owner | 'all' {
    const free = (this.#limits.all ?? Infinity) - this.#size
    if (free <= 0) return 'all'
    const keys: string[] = []
    for (const owner of OWNERS) {
      const [name, limit] = [claimant[owner], this.#limits[owner]]
      if (name === undefined || limit === undefined) continue
      const key = `${owner} ${name}`
      const most = owner === 'organisation' ? Math.min(limit, free) : limit
      if ((this.#used.get(key) ?? 0) >= most) return owner
      keys.push(key)
    }
    for (const key of keys) this.#used.set(key, (this.#used.get(key) ?? 0) + 1)
    this.#size += 1
    let isUsed = true
    return () => {
      if (!isUsed) return
      isUsed = false
      this.#size -= 1
      for (const key of keys) {
        const remaining = this.#used.get(key)! - 1
        if (remaining === 0) this.#used.delete(key)
        else this.#used.set(key, remaining)
      }
    }
  }
}

interface Held {
  readonly claimant: Claimant
  cut(): void
}

/**
 * Places of which the oldest gives way to a new one: if a share is used up, its oldest holder is cut. For work that a
 * client finishes at once unless it only occupies a place, such as sending a body.
 */
export class YieldingShares {
  readonly #shares: Shares
  /** The oldest first. */
  readonly #held = new Set<Held>()

  constructor(limits: ShareLimits) {
    this.#shares = new Shares(limits)
  }

  /** Acquires a place. Returns the function that frees it. @param cut ends the work, after its place was freed */
  acquire(claimant: Claimant, cut: () => void): () => void {
    const release = this.#acquire(claimant)
    const end = () => {
      this.#held.delete(held)
      release()
    }
    const held: Held = {
      claimant,
      cut: () => {
        end()
        cut()
      },
    }
    this.#held.add(held)
    return end
  }

  #acquire(claimant: Claimant): () => void {
    for (;;) {
      const acquired = this.#shares.acquire(claimant)
      if (typeof acquired === 'function') return acquired
      for (const held of this.#held) {
        if (acquired !== 'all' && held.claimant[acquired] !== claimant[acquired]) continue
        held.cut()
        break
      }
    }
  }
}
