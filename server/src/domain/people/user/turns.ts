import { Problem } from '../../../core/errors.ts'
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

interface Waiter {
  readonly path: readonly string[]
  readonly crowd: string
  call(): void
  refuse(problem: Problem): void
}

/**
 * Lets a few work at once while the others wait. Turns go round: between who is known and strangers, among these from
 * one address to the next, and among those of one address from one account to the next. Where all places are taken, the
 * newest of the largest crowd of strangers gives theirs up to who is known, or comes from where fewer wait.
 */
export function takeTurns({ atOnce, waiting, waitingPerAddress }: Room) {
  const queue = new Ring<Waiter>()
  /** Those who wait by lane and address, in the order in which they came. */
  const crowds = new Map<string, Set<Waiter>>()
  let working = 0
  let queued = 0

  const leave = (waiter: Waiter): void => {
    queued -= 1
    const crowd = crowds.get(waiter.crowd)!
    crowd.delete(waiter)
    if (crowd.size === 0) crowds.delete(waiter.crowd)
  }

  const largestOfStrangers = (): ReadonlySet<Waiter> | undefined =>
    [...crowds].filter(([name]) => name.startsWith(STRANGER)).sort(([, a], [, b]) => b.size - a.size)[0]?.[1]

  /** @param before how many wait from where the newcomer comes from */
  const makeRoom = (known: boolean, before: number): void => {
    if (before >= waitingPerAddress) throw full()
    if (queued < waiting) return
    const largest = largestOfStrangers()
    if (largest === undefined || (!known && largest.size <= before + 1)) throw full()
    const newest = [...largest].at(-1)!
    queue.remove(newest.path, newest)
    leave(newest)
    newest.refuse(full())
  }

  const wait = async ({ known, address, account }: Waiting): Promise<void> => {
    const lane = known ? KNOWN : STRANGER
    const crowd = `${lane} ${address}`
    makeRoom(known, crowds.get(crowd)?.size ?? 0)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { path: [lane, address, account], crowd, call: resolve, refuse: reject }
    queued += 1
    crowds.set(crowd, (crowds.get(crowd) ?? new Set()).add(waiter))
    queue.add(waiter.path, waiter)
    await promise
  }

  return async <T>(who: Waiting, work: () => Promise<T>): Promise<T> => {
    // A call that ends hands its place on, so `working` stays as it is.
    if (working >= atOnce) await wait(who)
    else working += 1
    try {
      return await work()
    } finally {
      const next = queue.take()
      if (next === undefined) working -= 1
      else {
        leave(next)
        next.call()
      }
    }
  }
}

const KNOWN = 'known'
const STRANGER = 'stranger'

const full = (): Problem =>
  new Problem('tooMany', 'Too many people are logging in just now. Please try again shortly.', 5)
