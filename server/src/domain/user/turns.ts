import { Problem } from '../../http/problem.ts'

/**
 * Lets a few do their work at once and the others wait in order.
 * @param waiting how many may wait; who comes after them is refused with 503
 */
export function takeTurns(atOnce: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let working = 0
  return async (work) => {
    if (working >= atOnce) {
      if (queue.length >= waiting) throw new Problem('unavailable', 'Too many people are logging in just now.', 5)
      // Who leaves hands the place on, so `working` stays as it is.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else working += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) working -= 1
      else next()
    }
  }
}
