import { sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { startRefusals } from '@trainyard/machines/server/may-start.ts'
import { lockMachines } from '@trainyard/machines/server/record.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { secondsUsed } from '@trainyard/usage/server/used.ts'
import { DUE_AT } from './queries.ts'
import { type MachineResult, machineResult } from './machine-result.ts'
import {
  selectMsUntilNext,
  completeMissedSchedules,
  claimDueSchedules,
  selectLiveMachines,
  selectMachinesOfDeactivated,
  insertOutcomes,
  completeSchedules,
  planned,
  type DueSchedule,
  type ScheduledResult,
} from './queries.ts'

const MAX_MACHINES = 1_000

/** Executes due schedules in one transaction. If the process dies, none of them was executed. */
export async function fireDue(tx: Tx): Promise<number> {
  const missed = await completeMissed(tx)
  const due = await claimDue(tx)
  const live = await liveMachines(tx, due)
  const now = takeWhileFitting(due, live)
  const trainings = new Map(now.map((schedule) => [schedule.training_id, schedule]))
  const machines = await lockMachines(
    tx,
    live.filter(({ training_id }) => trainings.has(training_id)).map(({ id }) => id),
  )
  const used = await secondsUsed(
    tx,
    machines.filter(({ allotted_minutes }) => allotted_minutes !== null).map(({ id }) => id),
  )
  const refusals = await startRefusals(tx, [...trainings.keys()])
  const ofDeactivated = await machinesOfDeactivated(
    tx,
    machines.map(({ id }) => id),
  )
  const results = machines.map((machine) => {
    const schedule = trainings.get(machine.training_id)!
    return {
      machine,
      schedule,
      ...(schedule.obsolete
        ? OBSOLETE
        : machineResult(
            schedule.action,
            { ...machine, isOfDeactivated: ofDeactivated.has(machine.id) },
            used.get(machine.id) ?? 0,
            refusals.get(machine.training_id) ?? null,
          )),
    }
  })
  for (const [action, desired] of [['Start', 'running'] as const, ['Stop', 'stopped'] as const]) {
    const acted = results.filter(({ outcome, schedule }) => outcome === 'acted' && schedule.action === action)
    await setDesiredPower(
      tx,
      acted.map(({ machine }) => machine.id),
      desired,
    )
  }
  await writeOutcomes(tx, results)
  await complete(tx, now)
  return missed + now.length
}

export const SCHEDULE_DUE = sql<boolean>`(
  select true from schedule where ${planned} and ${DUE_AT} <= portal_now()
  order by ${DUE_AT} limit 1)`

export async function untilNextFires(db: Db): Promise<number | null> {
  const { rows } = await selectMsUntilNext(db)
  return rows[0]?.ms ?? null
}

/** Completes schedules as missed if it is too late to execute them, because the course may have ended. */
async function completeMissed(tx: Tx): Promise<number> {
  const { numAffectedRows } = await completeMissedSchedules(tx)
  return Number(numAffectedRows ?? 0)
}

const OBSOLETE: MachineResult = { outcome: 'skipped', reason: 'the next class has started' }

/**
 * Claims due schedules, but only the earliest schedule of each training. A later schedule may do the opposite, so it is
 * claimed after the earliest schedule is done.
 */
async function claimDue(tx: Tx): Promise<readonly DueSchedule[]> {
  const { rows } = await claimDueSchedules(tx)
  return rows
}

async function liveMachines(
  tx: Tx,
  due: readonly DueSchedule[],
): Promise<readonly { id: MachineId; training_id: TrainingId }[]> {
  if (due.length === 0) return []
  const { rows } = await selectLiveMachines(
    tx,
    due.map(({ training_id }) => training_id),
  )
  return rows
}

async function machinesOfDeactivated(tx: Tx, machines: readonly MachineId[]): Promise<ReadonlySet<MachineId>> {
  const { rows } = await selectMachinesOfDeactivated(tx, [...machines])
  return new Set(rows.map(({ id }) => id))
}

function takeWhileFitting(
  due: readonly DueSchedule[],
  live: readonly { training_id: TrainingId }[],
): readonly DueSchedule[] {
  const count = new Map<TrainingId, number>()
  for (const { training_id } of live) count.set(training_id, (count.get(training_id) ?? 0) + 1)
  let sum = 0
  const firstTooMany = due.findIndex(({ training_id }) => (sum += count.get(training_id) ?? 0) > MAX_MACHINES)
  return firstTooMany === -1 ? due : due.slice(0, Math.max(1, firstTooMany))
}

async function writeOutcomes(tx: Tx, results: readonly ScheduledResult[]): Promise<void> {
  if (results.length === 0) return
  await insertOutcomes(tx, results)
}

async function complete(tx: Tx, schedules: readonly DueSchedule[]): Promise<void> {
  if (schedules.length === 0) return
  await completeSchedules(
    tx,
    schedules.map(({ id }) => id),
  )
}

export async function fireIfDue(db: Db, max: number): Promise<number> {
  const next = await untilNextFires(db)
  if (next === null || next > 0) return Math.min(max, (next ?? Infinity) / 1000)
  const fired = await db.transaction().execute(fireDue)
  // Another worker is processing a due schedule that was not executed here.
  return fired > 0 ? 0 : max
}
