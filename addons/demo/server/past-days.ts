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
    const random = pseudoRandom(`${learner} ${new Date(midnight).toISOString()}`)
    if (weekday === 0 || weekday === 6 || random % 5 === 0) continue
    const morning = midnight + (10 * 60 + (random % 40)) * MINUTE + (random % 60) * 1000
    runs.push(runFor(morning, 95 + (random % 75), random))
    const afternoon = midnight + (14 * 60 + (random % 25)) * MINUTE
    if (random % 3 !== 0) runs.push(runFor(afternoon, 60 + (random % 110), random))
  }
  return runs
}

const runFor = (start: number, minutes: number, random: number): PastRun => ({
  started: new Date(start),
  stopped: new Date(start + minutes * MINUTE + ((random >> 3) % 60) * 1000),
})

function pseudoRandom(text: string): number {
  let number = 2_166_136_261
  for (const character of text) number = Math.imul(number ^ character.codePointAt(0)!, 16_777_619)
  return number >>> 0
}
