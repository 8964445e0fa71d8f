import { sql } from 'kysely'
import {
  creditLimitSentence,
  orderHoldSentence,
  ordersRefusedSentence,
  overdueStopSentence,
  prepaidUsedUpSentence,
  startsRefusedSentence,
} from '../contract/credit-words.ts'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Refusal, StartRefusal } from '@trainyard/machines/server/may-start.ts'
import { creditLimitOf } from './limit.ts'
import { overdueStage } from './overdue.ts'
import { selectSubjects, selectEnforcedLimit, selectStops, deleteStop, type Subject } from './queries.ts'
import { allMachinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** For queries on `machine`: true while it must stay off because of used up prepaid credit or an overdue invoice. */
export const isStoppedByCredit = sql<boolean>`(exists (select from prepaid_account p
    where p.hard_limit and p.used_up_at is not null and p.organisation_id = machine.organisation_id
      and (p.training_id = machine.training_id or (p.training_id is null
        and not exists (select from prepaid_account own where own.training_id = machine.training_id))))
  or exists (select from overdue_stop s where s.organisation_id = machine.organisation_id))`

/** Organisations that can have machines for which `isStoppedByCredit` is true. */
export const STOPPED_BY_CREDIT = sql`select organisation_id from prepaid_account where hard_limit and used_up_at is not null
  union all select organisation_id from overdue_stop`

/**
 * Returns why machines of trainings stay off: prepaid credit that is used up, or an overdue invoice. The texts do not
 * mention debts, because learners read them.
 */
export async function creditStopReasons(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  const reasons = new Map<TrainingId, string>()
  for (const { id, name, usedUp, isStopped } of await subjectsOf(db, trainings)) {
    if (usedUp !== null) reasons.set(id, prepaidUsedUpSentence(usedUp))
    else if (isStopped) reasons.set(id, startsRefusedSentence(name))
  }
  return reasons
}

async function subjectsOf(db: Db, trainings: readonly TrainingId[]): Promise<Subject[]> {
  const { rows } = await selectSubjects(db, trainings)
  return rows
}

/**
 * Returns why machines of trainings must not start. A reached credit limit is a reason too. Lifts the stops
 * of organisations whose invoices have been paid, so that a payment takes effect immediately.
 */
export async function creditRefusals(tx: Tx, trainings: readonly TrainingId[]): Promise<Map<TrainingId, StartRefusal>> {
  await liftPaid(tx, trainings)
  const reasons = new Map<TrainingId, StartRefusal>()
  const byOrganisation = new Map<OrganisationId, StartRefusal | null>()
  for (const { id, name, organisation, usedUp, isStopped } of await subjectsOf(tx, trainings)) {
    if (!byOrganisation.has(organisation)) {
      byOrganisation.set(
        organisation,
        isStopped ? debtRefusal(overdueStopSentence(name), name) : await limitRefusal(tx, organisation, name),
      )
    }
    const reason = usedUp === null ? byOrganisation.get(organisation)! : prepaidRefusal(prepaidUsedUpSentence(usedUp))
    if (reason !== null) reasons.set(id, reason)
  }
  return reasons
}

const prepaidRefusal = (sentence: string): StartRefusal => ({
  sentence,
  toLearners: sentence,
  brief: 'the prepaid credit is used up',
})

/** Debts are not mentioned to instructors and learners. */
const debtRefusal = (sentence: string, organisation: string): StartRefusal => ({
  sentence,
  toLearners: startsRefusedSentence(organisation),
  brief: 'starts are on hold',
})

async function limitRefusal(db: Db, organisation: OrganisationId, name: string): Promise<StartRefusal | null> {
  const { rows } = await selectEnforcedLimit(db, organisation)
  if (rows.length === 0 || !(await creditLimitOf(db, organisation)).isReached) return null
  return debtRefusal(creditLimitSentence(name), name)
}

/** Lifts stops because of overdue invoices that are paid now. Otherwise the task would stop started machines again. */
async function liftPaid(tx: Tx, trainings: readonly TrainingId[]): Promise<void> {
  const { rows } = await selectStops(tx, trainings)
  for (const { id } of rows) {
    if ((await overdueStage(tx, id)).stage === 'stop') continue
    await deleteStop(tx, id)
    await allMachinesChanged(tx, id)
  }
}

/** Returns why an organisation must not order: an overdue invoice, or a credit limit that is reached. */
export async function creditOrderRefusal(tx: Tx, organisation: OrganisationId): Promise<Refusal | null> {
  const { name } = await tx
    .selectFrom('organisation')
    .select('name')
    .where('id', '=', organisation)
    .executeTakeFirstOrThrow()
  const { stage, invoice } = await overdueStage(tx, organisation)
  const isHeld = stage === 'hold' || stage === 'stop'
  const refusal = isHeld ? null : await limitRefusal(tx, organisation, name)
  if (!isHeld && refusal === null) return null
  return {
    sentence: refusal?.sentence ?? orderHoldSentence(name, invoice!.invoice, invoice!.dueOn),
    toLearners: ordersRefusedSentence(name),
  }
}
