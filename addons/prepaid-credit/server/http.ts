import { addDays } from '@trainyard/platform/contract/words/day.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { credit } from '../contract/credit.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PrepaidAccountRow } from '../tables.gen.ts'
import {
  lockOrganisation,
  organisationByName,
  organisationInScope,
  type OrganisationInScope,
} from '@trainyard/organisations/server/scope.ts'
import { addManualEntry } from '@trainyard/ledger/server/entries.ts'
import { creditLimitOf } from './limit.ts'
import { overdueOf } from './overdue.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { runsOutAt, prepaidStateOf } from './prepaid.ts'
import {
  type PrepaidAccountOwner,
  prepaidAccountRow,
  buyPrepaidCredit,
  ensurePrepaidAccount,
  refreshed,
  trainingOf,
} from './purchase.ts'
import { selectAccounts } from './queries.ts'
import { allMachinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

type Reply = ReplyOf<typeof credit.read>

export const creditHandlers: HandlersOf<'credit'> = {
  async read(db, { actor, query }) {
    return creditReply(db, await organisationInScope(db, actor, query.organization))
  },

  async setAccount(tx, { body, auditChange }) {
    const organisation = await organisationByName(tx, body.organization)
    const of = await lockPrepaidAccount(tx, organisation, body.trainingName)
    const id = await ensurePrepaidAccount(tx, of)
    const before = await prepaidAccountRow(tx, of)
    await tx
      .updateTable('prepaid_account')
      .set({ hard_limit: body.hardLimit, low_paise: paiseOfRupees(body.low)!, valid_days: body.validDays })
      .where('id', '=', id)
      .execute()
    if (before.used_up_at !== null && before.hard_limit !== body.hardLimit)
      await allMachinesChanged(tx, organisation.id)
    auditChange(settingsOf(before), settingsOf(await refreshed(tx, of)))
    return { message: `Prepaid credit of ${body.trainingName ?? organisation.name} saved.` }
  },

  async setAlert(tx, { actor, body, auditChange }) {
    const organisation = await organisationInScope(tx, actor, body.organization)
    const of = await lockPrepaidAccount(tx, organisation, body.trainingName)
    const before = await prepaidAccountRow(tx, of)
    await tx
      .updateTable('prepaid_account')
      .set({ low_paise: paiseOfRupees(body.low)! })
      .where('id', '=', before.id)
      .execute()
    auditChange(settingsOf(before), settingsOf(await refreshed(tx, of)))
    const subject = body.trainingName ?? organisation.name
    return { message: `Admins are notified below ${formatRupees(body.low)} of prepaid credit of ${subject}.` }
  },

  async record(tx, { actor, body }) {
    const organisation = await organisationByName(tx, body.organization)
    const of = await lockPrepaidAccount(tx, organisation, body.trainingName)
    const amount = paiseOfRupees(body.amount)!
    const added = await addManualEntry(tx, {
      organisation: organisation.id,
      kind: 'payment',
      reference: body.id,
      particular: `Prepaid credit of ${body.trainingName ?? organisation.name}`,
      amount,
      date: body.date,
      by: actor.email,
    })
    if (!added) throw conflict(`${organisation.name} already has the payment ${body.id}.`)
    return { message: await buyPrepaidCredit(tx, of, { payment: body.id, amount }) }
  },

  async setTerms(tx, { body, auditChange }) {
    const organisation = await organisationByName(tx, body.organization)
    const { id, name } = organisation
    await lockOrganisation(tx, id, 'change')
    const before = await termsRow(tx, id)
    const { warnDays, holdDays, stopDays } = body.overdue ?? { warnDays: null, holdDays: null, stopDays: null }
    const set = {
      limit_enforced: body.limitEnforced,
      own_policy: body.overdue !== null,
      warn_days: warnDays,
      hold_days: holdDays,
      stop_days: stopDays,
      paused_until: body.pausedUntil,
    }
    await tx
      .insertInto('credit_terms')
      .values({ organisation_id: id, ...set })
      .onConflict((on) => on.column('organisation_id').doUpdateSet(set))
      .execute()
    auditChange(before, await termsRow(tx, id))
    return { message: `Credit terms of ${name} saved.` }
  },
}

async function lockPrepaidAccount(
  tx: Tx,
  { id }: OrganisationInScope,
  trainingName: string | undefined,
): Promise<PrepaidAccountOwner> {
  await lockOrganisation(tx, id, 'change')
  return { organisation: id, training: trainingName === undefined ? null : await trainingOf(tx, id, trainingName) }
}

const settingsOf = ({ hard_limit, low_paise, valid_days }: PrepaidAccountRow) => ({
  hardLimit: hard_limit,
  lowPaise: low_paise,
  validDays: valid_days,
})

async function termsRow(tx: Tx, id: PrepaidAccountOwner['organisation']) {
  const row = await tx.selectFrom('credit_terms').selectAll().where('organisation_id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  const { limit_enforced, own_policy, warn_days, hold_days, stop_days, paused_until } = row
  return {
    limitEnforced: limit_enforced,
    overdue: own_policy ? { warnDays: warn_days, holdDays: hold_days, stopDays: stop_days } : null,
    pausedUntil: paused_until,
  }
}

async function creditReply(db: Db, { id, name, timeZone }: OrganisationInScope): Promise<Reply> {
  const { rows } = await selectAccounts(db, id)
  const accounts = []
  for (const row of rows) accounts.push(await accountReply(db, row))
  const trainings = await db
    .selectFrom('training')
    .select('name')
    .where('organisation_id', '=', id)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute()
  const { enforced, limit, balance, unbilled, isReached } = await creditLimitOf(db, id)
  const { policy, invoice, stage } = await overdueOf(db, id)
  const { warnDays, holdDays, stopDays, isOwn, pausedUntil } = policy
  return {
    organization: name,
    timeZone,
    now: (await portalNow(db)).toISOString(),
    accounts,
    trainings: trainings.map((training) => training.name),
    limit: { enforced, limitPaise: limit, balancePaise: balance, unbilledPaise: unbilled, isReached },
    overdue: {
      warnDays,
      holdDays,
      stopDays,
      isOwn,
      pausedUntil,
      stage,
      invoice:
        invoice === null
          ? null
          : {
              number: invoice.invoice,
              dueOn: invoice.dueOn,
              openPaise: invoice.open,
              warnOn: stepDay(invoice.dueOn, warnDays),
              holdOn: stepDay(invoice.dueOn, holdDays),
              stopOn: stepDay(invoice.dueOn, stopDays),
            },
    },
  }
}

async function accountReply(
  db: Db,
  row: PrepaidAccountRow & { readonly training: string | null },
): Promise<Reply['accounts'][number]> {
  const state = await prepaidStateOf(db, row)
  const { bought, used, expired, left, perHour, purchases } = state
  return {
    trainingName: row.training,
    hardLimit: row.hard_limit,
    lowPaise: row.low_paise,
    validDays: row.valid_days,
    startedAt: row.started_at.toISOString(),
    boughtPaise: bought,
    usedPaise: used,
    expiredPaise: expired,
    leftPaise: left,
    paisePerHour: perHour,
    runsOutAt: runsOutAt(state)?.toISOString() ?? null,
    isLow: left < row.low_paise,
    isUsedUp: left <= 0,
    purchases: purchases.map((each) => ({
      payment: each.payment,
      boughtAt: each.boughtAt.toISOString(),
      grossPaise: each.gross,
      creditPaise: each.credit,
      expiresAt: each.expiresAt?.toISOString() ?? null,
      expiredPaise: each.expired,
    })),
  }
}

/** A step never begins on the due date itself. */
const stepDay = (dueOn: string, days: number | null): string | null =>
  days === null ? null : addDays(dueOn, Math.max(1, days))
