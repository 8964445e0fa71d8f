const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** Offset of India's time zone, which has no daylight saving time. */
const INDIA = 330 * MINUTE

export interface PastRun {
  readonly started: Date
  readonly stopped: Date
}

/** Returns the runs of a month. The result depends only on the learner and the day. */
export function runsOfAMonth(now: Date, learner: string): PastRun[] {
  const today = Math.floor((now.getTime() + INDIA) / DAY) * DAY - INDIA
  const runs: PastRun[] = []
  for (let ago = 30; ago >= 2; ago--) {
    const midnight = today - ago * DAY
    const weekday = new Date(midnight + INDIA).getUTCDay()
    const chance = pseudoRandom(`${learner} ${new Date(midnight).toISOString()}`)
    if (weekday === 0 || weekday === 6 || chance % 5 === 0) continue
    const morning = midnight + (10 * 60 + (chance % 40)) * MINUTE + (chance % 60) * 1000
    runs.push(runFor(morning, 95 + (chance % 75), chance))
    const afternoon = midnight + (14 * 60 + (chance % 25)) * MINUTE
    if (chance % 3 !== 0) runs.push(runFor(afternoon, 60 + (chance % 110), chance))
  }
  return runs
}

const runFor = (start: number, minutes: number, chance: number): PastRun => ({
  started: new Date(start),
  stopped: new Date(start + minutes * MINUTE + ((chance >> 3) % 60) * 1000),
})

function pseudoRandom(text: string): number {
  let number = 2_166_136_261
  for (const character of text) number = Math.imul(number ^ character.codePointAt(0)!, 16_777_619)
  return number >>> 0
}
