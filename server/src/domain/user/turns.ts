import { Problem } from '../../core/errors.ts'
import { Ring } from './ring.ts'

/** Somebody who waits for a password to be hashed. */
export interface Waiting {
  /** Known by their browser, or signed in: strangers, however many, make them wait for one turn of theirs at most. */
  readonly known: boolean
  readonly address: string
  readonly account: string
}

export interface Room {
  /** How many work at once. */
  readonly atOnce: number
  /** How many may wait, in all and from one address; who comes after them is refused with 429. */
  readonly waiting: number
  readonly waitingPerAddress: number
}

/**
 * Lets a few work at once while the others wait. Turns go round: between who is known and strangers, among these from
 * one address to the next, and among those of one address from one account to the next.
 */
export function takeTurns({ atOnce, waiting, waitingPerAddress }: Room) {
  const queue = new Ring<() => void>()
  const perAddress = new Map<string, number>()
  let working = 0
  let queued = 0

  const wait = async ({ known, address, account }: Waiting): Promise<void> => {
    const before = perAddress.get(address) ?? 0
    if (queued >= waiting || before >= waitingPerAddress) {
      throw new Problem('tooMany', 'Too many people are logging in just now. Please try again shortly.', 5)
    }
    queued += 1
    perAddress.set(address, before + 1)
    await new Promise<void>((resolve) => queue.add([known ? 'known' : 'stranger', address, account], resolve))
    queued -= 1
    const left = perAddress.get(address)! - 1
    if (left === 0) perAddress.delete(address)
    else perAddress.set(address, left)
  }

  return async <T>(who: Waiting, work: () => Promise<T>): Promise<T> => {
    // Who leaves hands the place on, so `working` stays as it is.
    if (working >= atOnce) await wait(who)
    else working += 1
    try {
      return await work()
    } finally {
      const next = queue.take()
      if (next === undefined) working -= 1
      else next()
    }
  }
}
