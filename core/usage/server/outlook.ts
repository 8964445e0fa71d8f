import { Temporal } from 'temporal-polyfill'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { meter } from '../contract/meter.ts'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { dailyUse } from './daily.ts'
import { paiseSecondsBetween, trainingRate, type TrainingRate } from './prices.ts'
import { billOf, hoursOfSeconds } from './used.ts'

export type Outlook = ReplyOf<typeof meter.outlook>

export interface RunningTime {
  readonly from: Date
  readonly to: Date
}

/** Times after `now` at which the machines of a training are planned to run. They may overlap. */
export const plannedTimes = hook<{ readonly training: TrainingId; readonly now: Date }, readonly RunningTime[]>(
  'usage.plannedTimes',
  [],
  (first, second) => [...first, ...second],
)

export interface MoneySubject {
  readonly organisation: OrganisationId
  readonly training: TrainingId | null
}

/** Credit that is left for a subject. The answer of a later module is more exact. */
export const creditLeft = hook<MoneySubject, Outlook['credit']>(
  'usage.creditLeft',
  null,
  (first, second) => second ?? first,
)

/** Budget of a training in paise; null without one. */
export const budgetOf = hook<TrainingId, number | null>('usage.budgetOf', null, (first, second) => second ?? first)

const DAYS = 90

export async function outlookOf(db: Db, subject: MoneySubject & { readonly timeZone: string }): Promise<Outlook> {
  const { organisation, training, timeZone } = subject
  const now = await portalNow(db)
  return {
    asOf: now.toISOString(),
    timeZone,
    today: now.toLocaleDateString('sv-SE', { timeZone }),
    credit: await ask(db, creditLeft, subject),
    training: training === null ? null : await ofTraining(db, { organisation, training, timeZone, now }),
  }
}

async function ofTraining(
  db: Db,
  of: { readonly organisation: OrganisationId; readonly training: TrainingId; readonly timeZone: string; now: Date },
): Promise<Outlook['training']> {
  const { training, timeZone, now } = of
  const times = joined(await ask(db, plannedTimes, { training, now }), now)
  const rate = await trainingRate(db, of)
  const { days } = await dailyUse(db, training, null, DAYS)
  const planned = [...Map.groupBy(byDay(times, timeZone), ({ date }) => date)]
  return {
    spentPaise: (await billOf(db, training, null)).amount,
    plannedPaise: costOf(times, rate),
    paisePerHour: rate.runningPaisePerHour,
    budgetPaise: await ask(db, budgetOf, training),
    days: days.map(({ date, seconds, amount }) => ({ date, hours: hoursOfSeconds(seconds), amountPaise: amount })),
    planned: planned.map(([date, parts]) => ({ date, amountPaise: costOf(parts, rate) })),
  }
}

const costOf = (times: readonly RunningTime[], { currentPaisePerHour, steps }: TrainingRate): number =>
  Math.round(
    times.reduce((sum, { from, to }) => sum + paiseSecondsBetween(currentPaisePerHour, steps, from, to), 0) / 3600,
  )

/** Returns the times after `now` in order and without overlap, so that no hour costs twice. */
function joined(times: readonly RunningTime[], now: Date): RunningTime[] {
  const result: RunningTime[] = []
  for (const { from, to } of times.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    if (to <= now) continue
    const last = result.at(-1)
    if (last !== undefined && from <= last.to) {
      result[result.length - 1] = { from: last.from, to: to > last.to ? to : last.to }
    } else result.push({ from: from > now ? from : now, to })
  }
  return result
}

/** Returns the midnight at which the day of an instant ends in a time zone. */
export function endOfDay(at: Date, timeZone: string): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  return new Date(day.startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds)
}

/** Splits times at the midnights of a time zone. */
const byDay = (times: readonly RunningTime[], timeZone: string): (RunningTime & { readonly date: string })[] =>
  times.flatMap(({ from, to }) => {
    const parts = []
    for (let begins = from; begins < to;) {
      const midnight = endOfDay(begins, timeZone)
      const ends = midnight < to ? midnight : to
      parts.push({ date: begins.toLocaleDateString('sv-SE', { timeZone }), from: begins, to: ends })
      begins = ends
    }
    return parts
  })
