import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { schedule } from '../contract/schedule.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectSchedules, selectOutcomes, type OutcomeGroup } from './queries.ts'

type Listed = ReplyOf<typeof schedule.list>['schedules'][number]

export async function schedulesOf(db: Db, training: TrainingId): Promise<Listed[]> {
  const { rows } = await selectSchedules(db, training)
  const outcomes = await outcomesOf(
    db,
    rows.map(({ id }) => id),
  )
  const groups = Map.groupBy(outcomes, ({ schedule_id }) => schedule_id)
  return rows.map(({ id, date, time, action, completed, missed, repeats, late }) => ({
    _id: id,
    date,
    time,
    action,
    status: completed ? 'Completed' : 'Pending',
    result: missed ? 'missed' : completed ? resultOf(groups.get(id) ?? []) : null,
    repeats,
    late,
  }))
}

async function outcomesOf(db: Db, schedules: readonly string[]): Promise<readonly OutcomeGroup[]> {
  const { rows } = await selectOutcomes(db, schedules)
  return rows
}

function resultOf(groups: readonly OutcomeGroup[]): Exclude<Listed['result'], string | null> {
  const count = (outcome: OutcomeGroup['outcome']) =>
    groups.filter((group) => group.outcome === outcome).reduce((sum, group) => sum + group.count, 0)
  return {
    acted: count('acted'),
    skipped: count('skipped'),
    failed: count('failed'),
    reasons: groups.filter(({ reason }) => reason !== null).map((group) => `${namesOf(group)}: ${group.reason}.`),
  }
}

function namesOf({ names, count }: OutcomeGroup): string {
  const others = count - names.length
  return `${names.join(', ')}${others === 0 ? '' : others === 1 ? ' and another' : ` and ${others} others`}`
}
