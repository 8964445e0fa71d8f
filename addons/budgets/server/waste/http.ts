import { Temporal } from 'temporal-polyfill'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { waste } from '../../contract/waste.ts'
import { WEEKLY_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { NO_SAVING, WASTE_DAYS } from '../../contract/waste-words.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { instantOf } from '@trainyard/schedules/server/instant.ts'
import { weeklyConflicts } from '@trainyard/schedules/server/weekly-conflicts.ts'
import { type TrainingInScope, trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { type Day, propose, type Proposal } from './propose.ts'
import { selectTrainingToPropose, selectStretches, selectRuns } from './queries.ts'
import { wasteOf } from './weeks.ts'

type Proposed = ReplyOf<typeof waste.schedule>

const DEFAULT_DAYS = 84

export const wasteHandlers: HandlersOf<'waste'> = {
  async list(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return { trainings: await wasteOf(db, id) }
  },

  async schedule(db, { actor, query }) {
    return proposedFor(db, await trainingInScope(db, actor, query))
  },
}

async function proposedFor(db: Db, { id, organisationId }: TrainingInScope): Promise<Proposed> {
  const [lost] = await wasteOf(db, organisationId, id)
  const { rows } = await selectTrainingToPropose(db, id)
  const { now, timeZone, endsOn, isEarly } = rows[0]!
  const nothing = {
    weeks: lost?.weeks ?? 0,
    lostPaiseAWeek: lost?.lostPaiseAWeek ?? 0,
    rule: null,
    savedPaiseAWeek: 0,
    savedSecondsAWeek: 0,
    stopsAWeek: 0,
    timeZone,
    conflicts: [],
  }
  if (lost === undefined || lost.measuredSeconds === 0) return { ...nothing, reason: NO_SAVING.unmeasured }
  if (isEarly) return { ...nothing, reason: NO_SAVING.tooEarly }
  if (lost.idleSeconds === 0) return { ...nothing, reason: NO_SAVING.nothingLost }
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  const found = await proposalOf(db, id, today, timeZone)
  if (found === null) return { ...nothing, reason: NO_SAVING.always }
  const last = today.add({ days: DEFAULT_DAYS }).toString()
  const most = today.add({ days: WEEKLY_DAYS_MAX }).toString()
  const until = endsOn === null ? last : endsOn < most ? endsOn : most
  const rule = {
    action: 'Stop' as const,
    time: found.time,
    weekdays: [...found.weekdays],
    from: today.toString(),
    until,
  }
  try {
    const conflicts = await ask(db, weeklyConflicts, { training: id, ...rule })
    return {
      ...nothing,
      rule,
      reason: null,
      savedPaiseAWeek: Math.round(found.paise / lost.weeks),
      savedSecondsAWeek: Math.round(found.seconds / lost.weeks),
      stopsAWeek: Math.round((found.stops / lost.weeks) * 10) / 10,
      conflicts,
    }
  } catch (problem) {
    // The training ends before the next run of the schedule.
    if (problem instanceof Problem && problem.code === 'invalid') return { ...nothing, reason: problem.message }
    throw problem
  }
}

/** Returns the proposal from the last four weeks, by days in the organisation's time zone. */
async function proposalOf(
  db: Db,
  training: TrainingInScope['id'],
  today: Temporal.PlainDate,
  timeZone: string,
): Promise<Proposal | null> {
  const { rows: periods } = await selectStretches(db, training)
  const { rows: runs } = await selectRuns(db, training)
  const days = Array.from({ length: WASTE_DAYS + 1 }, (_, back): Day => {
    const date = today.subtract({ days: WASTE_DAYS - back })
    return { weekday: date.dayOfWeek, at: (time) => instantOf(date.toString(), time, timeZone).getTime() }
  })
  return propose(periods, runs, days)
}
