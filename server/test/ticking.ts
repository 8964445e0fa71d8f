import { setTimeout as pause } from 'node:timers/promises'
import { setPortalClock } from './clock.ts'
import type { TestEnvironment } from './environment.ts'

/** Portal and provider on one clock, which stands but for the seconds that it is told to run by. */
export interface Ticking {
  /** Where the clock stands: a whole second. */
  now(): Date
  /** Milliseconds of real time for each few seconds: tasks have their periods in real time. */
  pace: number
  /** Lets it run, a few seconds at a time, until something holds. */
  runUntil<T>(what: string, see: () => Promise<T>, holds: (seen: T) => boolean, seconds?: number): Promise<T>
  run(seconds: number): Promise<void>
  /** To a later instant, at once. */
  jump(to: Date): Promise<void>
}

/** Seconds between two looks: what the provider tells of its instants does not hang on them. */
const STEP = 3

export async function tickingFrom(env: TestEnvironment, begin: string): Promise<Ticking> {
  let now = Date.parse(begin)
  const tick = async (seconds: number) => {
    now += seconds * 1000
    await env.control('POST', '/_clock', { set: new Date(now).toISOString() })
    await setPortalClock(env.db, new Date(now))
  }
  await tick(0)
  const ticking: Ticking = {
    pace: 0,
    now: () => new Date(now),
    async runUntil(what, see, holds, seconds = 3_600) {
      for (const end = now + seconds * 1000; ; await tick(STEP)) {
        if (ticking.pace > 0) await pause(ticking.pace)
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
  return ticking
}
