import { sql } from 'kysely'
import type { MachineId, OrganisationId, ScheduleId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { SCHEDULE_GRACE_MINUTES } from '@trainyard/contract/words/limits.ts'
import type { ScheduleAction } from '@trainyard/contract/words/schedule.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { startRefusals } from '../machine/billing-rules.ts'
import { type LockedMachine, lockMachines } from '../machine/record.ts'
import { IS_OF_DEACTIVATED, setDesiredPower } from '../machine/desired-power.ts'
import { secondsUsed } from '../../money/meter/used.ts'
import { DUE_AT } from '../training/deferred-stops.ts'
import { type MachineResult, machineResult } from './machine-result.ts'

interface Due {
  readonly id: ScheduleId
  readonly training_id: TrainingId
  readonly organisation_id: OrganisationId
  readonly action: ScheduleAction
  readonly obsolete: boolean
}

/**
 * Maximum number of schedules per transaction. The next constant is the maximum number of machines. A schedule with
 * more machines gets a separate transaction.
 */
const MAX_SCHEDULES = 250
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

const planned = sql`completed_at is null and removed_at is null`

export const SCHEDULE_DUE = sql<boolean>`(
  select true from schedule where ${planned} and ${DUE_AT} <= portal_now()
  order by ${DUE_AT} limit 1)`

export async function untilNextFires(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(${DUE_AT}) - portal_now()) * 1000)::float8 as ms
    from schedule where ${planned}`.execute(db)
  return rows[0]?.ms ?? null
}

const grace = sql`make_interval(mins => ${sql.lit(SCHEDULE_GRACE_MINUTES)})`

/** Completes schedules as missed if it is too late to execute them, because the course may have ended. */
async function completeMissed(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update schedule set completed_at = portal_now(), missed = true
    where id in (
      select id from schedule
      where ${planned} and ${DUE_AT} < portal_now() - ${grace}
      order by ${DUE_AT} limit 1000 for update skip locked)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** SQL: true for a deferred stop of schedule `s` if machines were started for the next class in the meantime. */
const isObsolete = sql<boolean>`(s.deferred_until is not null and (
  exists (select from schedule start
    where start.training_id = s.training_id and start.action = 'Start' and start.removed_at is null
      and not start.missed and start.fires_at > s.fires_at and start.fires_at <= s.deferred_until)
  or exists (select from ready_by r left join class_session c on c.id = r.class_session_id
    where r.training_id = s.training_id and r.order_id is null and r.removed_at is null
      and r.started_at > s.fires_at and c.removed_at is null)))`

const OBSOLETE: MachineResult = { outcome: 'skipped', reason: 'the next class has started' }

/**
 * Claims due schedules, but only the earliest schedule of each training. A later schedule may do the opposite, so it is
 * claimed after the earliest schedule is done.
 */
async function claimDue(tx: Tx): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    select id, training_id, organisation_id, action, ${isObsolete} as obsolete from schedule s
    where ${planned} and ${DUE_AT} <= portal_now() and ${DUE_AT} >= portal_now() - ${grace}
      and not exists (
        select from schedule earlier
        where earlier.training_id = s.training_id and earlier.completed_at is null and earlier.removed_at is null
          and (coalesce(earlier.deferred_until, earlier.fires_at), earlier.fires_at, earlier.created_at, earlier.action)
            < (coalesce(s.deferred_until, s.fires_at), s.fires_at, s.created_at, s.action))
    order by ${DUE_AT} limit ${MAX_SCHEDULES} for update of s skip locked`.execute(tx)
  return rows
}

async function liveMachines(
  tx: Tx,
  due: readonly Due[],
): Promise<readonly { id: MachineId; training_id: TrainingId }[]> {
  if (due.length === 0) return []
  const { rows } = await sql<{ id: MachineId; training_id: TrainingId }>`
    select id, training_id from machine
    where training_id = any(${due.map(({ training_id }) => training_id)}::uuid[]) and terminated_at is null
      and withheld_at is null`.execute(tx)
  return rows
}

async function machinesOfDeactivated(tx: Tx, machines: readonly MachineId[]): Promise<ReadonlySet<MachineId>> {
  const { rows } = await sql<{ id: MachineId }>`
    select id from machine where id = any(${[...machines]}::uuid[]) and ${IS_OF_DEACTIVATED}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

function takeWhileFitting(due: readonly Due[], live: readonly { training_id: TrainingId }[]): readonly Due[] {
  const count = new Map<TrainingId, number>()
  for (const { training_id } of live) count.set(training_id, (count.get(training_id) ?? 0) + 1)
  let sum = 0
  const firstTooMany = due.findIndex(({ training_id }) => (sum += count.get(training_id) ?? 0) > MAX_MACHINES)
  return firstTooMany === -1 ? due : due.slice(0, Math.max(1, firstTooMany))
}

type ScheduledResult = MachineResult & { readonly machine: LockedMachine; readonly schedule: Due }

async function writeOutcomes(tx: Tx, results: readonly ScheduledResult[]): Promise<void> {
  if (results.length === 0) return
  await sql`
    insert into schedule_outcome (schedule_id, organisation_id, machine_id, outcome, reason, generation)
    select result.schedule, result.organisation, result.machine, result.outcome, result.reason,
      case when result.outcome = 'acted' then m.generation end
    from unnest(${results.map(({ schedule }) => schedule.id)}::uuid[],
      ${results.map(({ schedule }) => schedule.organisation_id)}::uuid[],
      ${results.map(({ machine }) => machine.id)}::uuid[], ${results.map(({ outcome }) => outcome)}::text[],
      ${results.map(({ reason }) => reason)}::text[]) as result (schedule, organisation, machine, outcome, reason)
    join machine m on m.id = result.machine`.execute(tx)
}

async function complete(tx: Tx, schedules: readonly Due[]): Promise<void> {
  if (schedules.length === 0) return
  await sql`
    update schedule set completed_at = portal_now()
    where id = any(${schedules.map(({ id }) => id)}::uuid[])`.execute(tx)
}

export async function fireIfDue(db: Db, max: number): Promise<number> {
  const next = await untilNextFires(db)
  if (next === null || next > 0) return Math.min(max, (next ?? Infinity) / 1000)
  const fired = await db.transaction().execute(fireDue)
  // Another worker is processing a due schedule that was not executed here.
  return fired > 0 ? 0 : max
}
