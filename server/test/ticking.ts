import { setPortalClock } from './clock.ts'
import type { TestEnvironment } from './environment.ts'

/** Portal and provider on one clock, which stands but for the seconds that it is told to run by. */
export interface Ticking {
  /** Where the clock stands: a whole second. */
  now(): Date
  /** Lets it run, second by second, until something holds. */
  runUntil<T>(what: string, see: () => Promise<T>, holds: (seen: T) => boolean, seconds?: number): Promise<T>
  run(seconds: number): Promise<void>
  /** To a later instant, at once. */
  jump(to: Date): Promise<void>
}

export async function tickingFrom(env: TestEnvironment, begin: string): Promise<Ticking> {
  let now = Date.parse(begin)
  const tick = async (seconds: number) => {
    now += seconds * 1000
    await env.control('POST', '/_clock', { set: new Date(now).toISOString() })
    await setPortalClock(env.db, new Date(now))
  }
  await tick(0)
  return {
    now: () => new Date(now),
    async runUntil(what, see, holds, seconds = 3_600) {
      for (const end = now + seconds * 1000; ; await tick(1)) {
        const seen = await see()
        if (holds(seen)) return seen
        if (now > end)
          throw new Error(`Waited ${seconds} s in vain until ${what}: ${JSON.stringify(seen).slice(0, 2000)}`)
      }
    },
    jump: (to) => tick((to.getTime() - now) / 1000),
    async run(seconds) {
      for (let i = 0; i < seconds; i++) await tick(1)
    },
  }
}
