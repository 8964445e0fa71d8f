import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ListedDocument, invoice } from '../contract/invoice.ts'
import type { MachineId, TaxDocumentId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { CANCELLATION_HOURS, type CustomerPlace } from '@trainyard/ledger/contract/tax-document.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Sought } from '@trainyard/platform/server/core/search.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { creditedOf, dueOn, isHeld } from '@trainyard/accounting/server/hooks.ts'
import { BALANCE_CHANGE_SQL } from '@trainyard/ledger/server/balance.ts'
import { isOfCancelled } from '@trainyard/ledger/server/entries.ts'
import { isCancelled, IS_WITHHELD } from './conditions.ts'
import { BILLING_ZONE, SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'
import { billUpTo, existedWithin, secondsUpTo } from '@trainyard/usage/server/queries.ts'

export const PAGE = 500

export interface EntryWithoutVoucher {
  readonly organisation: OrganisationId
  readonly kind: 'payment' | 'refund' | 'payment reversal'
  readonly number: string
  readonly date: string
  readonly amount: Paise
  readonly of: string | null
  /** Balance after this entry, in paise; negative if prepaid. */
  readonly balance: number
}

/** Maximum age in days of a payment that gets a voucher automatically. */
const DAYS = 60

export const selectDay = (tx: Tx, cancelledAt: string) =>
  sql<{ day: string }>`
    select to_char(${cancelledAt}::timestamptz at time zone ${BILLING_ZONE}, 'YYYY-MM-DD') as day`.execute(tx)

export const selectCancelObstacles = (tx: Tx, cancelledAt: string, id: TaxDocumentId) =>
  sql<{
    isRegistered: boolean
    isCancelled: boolean
    isFuture: boolean
    isInTime: boolean
    note: string | null
    isWrittenOff: boolean
  }>`
    select r.document_id is not null as "isRegistered", c.document_id is not null as "isCancelled",
      given.at > portal_now() as "isFuture",
      given.at between r.ack_date and r.ack_date + ${CANCELLATION_HOURS}::int * interval '1 hour' as "isInTime",
      note_that_depends_on(d.id) as note, exists (select from ledger_entry e
        where e.organisation_id = d.organisation_id and e.kind = 'write-off' and e.settles = d.number) as "isWrittenOff"
    from tax_document d left join tax_document_registration r on r.document_id = d.id
      left join e_invoice_cancellation c on c.document_id = d.id
      cross join (select ${cancelledAt}::timestamptz as at) as given
    where d.id = ${id}`.execute(tx)

export const selectDocuments = (
  db: Db,
  organisation: OrganisationId | null,
  isSupplier: boolean,
  before: string | undefined,
) => {
  // Also applies to the cursor, so that a page does not reveal whether a number exists in another organisation.
  const inScope = (column: RawBuilder<unknown>) =>
    organisation === null ? sql`true` : sql`${column} = ${organisation}`
  return sql<ListedDocument>`
    select d.number, d.kind, to_char(d.issued_on, 'YYYY-MM-DD') as date, o.name as organization,
      to_char(d.month, 'YYYY-MM') as month, coalesce(i.number, d.payment) as of, d.total_paise as "totalPaise",
      coalesce((select sum(n.total_paise) from tax_document n
        where n.of_document = d.id and n.kind <> 'debit note' and not ${isCancelled('n')}), 0)::bigint as "creditedPaise",
      exists (select from tax_document_registration r where r.document_id = d.id) as registered,
      ${isCancelled('d')} as cancelled
    from tax_document d join organisation o on o.id = d.organisation_id
      left join tax_document i on i.id = d.of_document
    where ${inScope(sql`d.organisation_id`)} and (${isSupplier} or not ${IS_WITHHELD})
      and ${before === undefined ? sql`true` : sql`(d.issued_on, d.number) < (select issued_on, number from tax_document where number = ${before} and ${inScope(sql`organisation_id`)})`}
    order by d.issued_on desc, d.number desc limit ${PAGE + 1}`.execute(db)
}

export const selectAwaitingDocuments = (db: Db, days: number | null, today: string) =>
  sql<ReplyOf<typeof invoice.preview>['awaiting'][number]>`
    select d.number, o.name as organization, to_char(d.issued_on, 'YYYY-MM-DD') as date,
      to_char(d.issued_on + ${days}::int, 'YYYY-MM-DD') as "registerBy",
      d.issued_on + ${days}::int - ${today}::date as "daysLeft"
    from tax_document d join organisation o on o.id = d.organisation_id
    where ${IS_WITHHELD} order by d.issued_on, d.number limit ${PAGE}`.execute(db)

export const selectNumber = (
  tx: Tx,
  input: {
    readonly today: string
    readonly paymentDays: number
    readonly gstin: string
    readonly prefix: string
    readonly year: string
  },
) =>
  sql<{ serial: number; date: string; due: string }>`
    select serial, to_char(greatest(last_issued_on, ${input.today}::date), 'YYYY-MM-DD') as date,
      to_char(greatest(last_issued_on, ${input.today}::date) + ${input.paymentDays}::int, 'YYYY-MM-DD') as due
    from next_document_serial(${input.gstin}, ${input.prefix}, ${input.year})`.execute(tx)

export const selectEntriesWithoutVoucher = (
  db: Db | Tx,
  input: {
    readonly from: string
    readonly today: string
    readonly organisation: OrganisationId | null
    readonly number: string | null
    readonly kind: string | null
  },
) =>
  sql<EntryWithoutVoucher>`
    with money as (
      select e.*, b.invoice_paise - b.payment_paise - coalesce((select sum(${BALANCE_CHANGE_SQL}) from ledger_entry later
          where later.organisation_id = e.organisation_id and (later.created_at, later.id) > (e.created_at, e.id)
            and not ${isOfCancelled('later')}), 0)
        as balance
      from organisation o join ledger_balance b on b.organisation_id = o.id
        join ledger_entry e on e.organisation_id = o.id and e.date >= greatest(${input.from}::date, ${input.today}::date - ${DAYS}::int)
      where o.removed_at is null and (${input.organisation}::uuid is null or o.id = ${input.organisation}) and e.kind in ('payment', 'refund', 'payment reversal') and e.source <> 'issued' and e.amount_paise > 0
        and not exists (select from ledger_entry r where e.kind = 'payment' and r.organisation_id = e.organisation_id
          and r.kind = 'payment reversal' and r.reverses = e.reference)
        and not exists (select from tax_document d
          where d.organisation_id = e.organisation_id and (d.payment = e.reference or d.refund = e.reference)))
    select organisation_id as organisation, kind, reference as number, to_char(date, 'YYYY-MM-DD') as date,
      amount_paise as amount, coalesce(refund_of, reverses) as of, balance::float8 as balance
    from money m
    where case kind when 'payment' then balance < 0
      else exists (select from tax_document d where d.organisation_id = m.organisation_id and d.payment = coalesce(m.refund_of, m.reverses))
        or exists (select from money p where p.organisation_id = m.organisation_id and p.reference = m.refund_of) end
      and (${input.number}::text is null or (kind = ${input.kind} and reference = ${input.number}))
    order by created_at, id`.execute(db)

export const postDocument = (tx: Tx, document: TaxDocumentId) =>
  sql`select post_documents(array[${document}::uuid])`.execute(tx)

export interface MonthLine {
  /** YYYY-MM-01. */
  readonly month: string
  readonly machineId: MachineId
  readonly machine: string
  readonly training: string
  /** Name of the learner, or the e-mail address. */
  readonly learner?: string
  readonly seconds: number
  readonly amount: Paise
  /** Part of the amount for usage before a change of the tax rate; 0 without a change. */
  readonly beforeChange: Paise
}

const startInZone = (day: RawBuilder<unknown>) => sql`(${day}::timestamp at time zone ${BILLING_ZONE})`

/**
 * SQL: usage that is not charged. The amount of a month is the bill at its end minus the bill at its start, so that
 * months add up.
 * @param month YYYY-MM-01
 * @param change first day of a tax rate
 */
const unchargedLines = (
  month: string,
  of: RawBuilder<unknown>,
  change: string | null = null,
): RawBuilder<unknown> => sql`(
  select ${month} as month, m.organisation_id, m.id as machine_id, m.number, m.name as machine, t.name as training, used.seconds, used.amount,
    used.before_change, coalesce((select u.name from portal_user u
      where u.email = m.email and u.organisation_id = m.organisation_id), m.email) as learner
  from (select ${startInZone(sql`${month}::date`)} as begins,
      ${startInZone(sql`(${month}::date + interval '1 month')`)} as ends,
      ${startInZone(sql`greatest(${month}::date, least(${change}::date, (${month}::date + interval '1 month')::date))`)} as changes) as month
    join machine m on ${of} and ${existedWithin(sql`month.begins`, sql`month.ends`)}
    join training t on t.id = m.training_id
    cross join lateral (
      select coalesce(sum(${secondsUpTo(sql`month.ends`)}), 0)::bigint
          - coalesce(sum(${secondsUpTo(sql`month.begins`)}), 0)::bigint as seconds,
        (${billUpTo(sql`month.ends`)} - ${billUpTo(sql`month.begins`)})::bigint as amount,
        ${change === null ? sql`0` : sql`(${billUpTo(sql`month.changes`)} - ${billUpTo(sql`month.begins`)})`}::bigint as before_change
      from run r where r.machine_id = m.id) as used
  where used.amount > 0
    and not exists (select from charged_line c where c.machine_id = m.id and c.month = ${month}::date))`

export const selectUnchargedLines = (db: Db, month: string, organisation: OrganisationId, change: string | null) =>
  sql<MonthLine>`
    select month, machine_id as "machineId", machine, training, learner, seconds, amount, before_change as "beforeChange"
    from ${unchargedLines(month, sql`m.organisation_id = ${organisation}`, change)} as line
    order by lower(training), training, number`.execute(db)

export const selectUnchargedByOrganisation = (db: Db, month: string) =>
  sql<{ id: OrganisationId; amount: Paise }>`
    select organisation_id as id, sum(amount)::bigint as amount from ${unchargedLines(month, sql`true`)} as line
    where not exists (select from carried_month c
      where c.organisation_id = line.organisation_id and c.month = ${month}::date)
    group by organisation_id`.execute(db)

export const insertChargedLines = (
  tx: Tx,
  organisation: OrganisationId,
  invoice: string,
  lines: readonly MonthLine[],
) =>
  sql`
    insert into charged_line (machine_id, month, organisation_id, seconds, amount_paise, invoice)
    select id, month, ${organisation}, seconds, amount, ${invoice}
    from unnest(${lines.map(({ machineId }) => machineId)}::uuid[], ${lines.map(({ seconds }) => seconds)}::bigint[],
      ${lines.map(({ amount }) => amount)}::bigint[], ${lines.map(({ month }) => month)}::date[])
      as line (id, seconds, amount, month)`.execute(tx)

export const deleteCarriedMonths = (tx: Tx, organisation: OrganisationId, months: readonly string[]) =>
  sql`delete from carried_month where organisation_id = ${organisation}
    and month = any(${months}::date[])`.execute(tx)

export const creditedByNotes: AnswerTo<typeof creditedOf> = () => sql`coalesce((select sum(n.total_paise)
  from tax_document i join tax_document n on n.of_document = i.id and n.kind <> 'debit note' and not ${isCancelled('n')}
  where i.organisation_id = e.organisation_id and i.number = e.reference), 0)`

/** Documents have a due date; an invoice that a user entered is due after the supplier's days. */
export const documentDueOn: AnswerTo<typeof dueOn> = () => sql`coalesce(
  (select issued.due_on from tax_document issued
    where issued.organisation_id = t.organisation_id and issued.number = t.reference),
  (t.date + (select payment_days from supplier))::date)`

export const documentIsHeld: AnswerTo<typeof isHeld> = (invoice) => sql`exists (select from tax_document d
  where d.organisation_id = ${sql.ref(`${invoice}.organisation_id`)} and d.number = ${sql.ref(`${invoice}.reference`)}
    and ${IS_WITHHELD})`

/** Data that, together with the addresses, decides how a customer's invoices are taxed. */
export interface TaxStatus {
  readonly place: CustomerPlace
  readonly gstin: string | null
}

/** SQL: `(select place, gstin)`, the tax status of an organisation on a day. */
export const taxStatusOn = (organisation: RawBuilder<unknown>, day: RawBuilder<unknown>) => sql<TaxStatus>`(
  select coalesce(changed.place, its_billing.place, 'india') as place,
    case when changed.place is null then taxed.gst else changed.gstin end as gstin
  from organisation taxed left join organisation_billing its_billing on its_billing.organisation_id = taxed.id
    left join lateral (select change.place, change.gstin from tax_status change
      where change.organisation_id = taxed.id and change.valid_from <= ${day}
      order by change.valid_from desc limit 1) as changed on true
  where taxed.id = ${organisation})`

/** SQL: a day; for null, the current day of the supplier. */
export const dayOrToday = (day: string | null) => sql<string>`coalesce(${day}::date, ${SUPPLIER_TODAY})`

export const selectTaxStatusOn = (db: Db, id: OrganisationId, day: string | null) =>
  sql<TaxStatus>`
    select place, gstin from ${taxStatusOn(sql`${id}::uuid`, dayOrToday(day))} as status`.execute(db)

export const selectTaxedDay = (tx: Tx, organisation: OrganisationId, from: string | null) =>
  sql<{ day: string; number: string | null }>`
    select to_char(day, 'YYYY-MM-DD') as day, (select number from tax_document d
      where organisation_id = ${organisation} and issued_on > day and not exists (select from e_invoice_cancellation c
        where c.document_id = d.id) order by issued_on desc limit 1) as number
    from (select ${dayOrToday(from)} as day) as given`.execute(tx)

/** Documents whose number begins with a text. @param within organisation; null: all */
export const selectDocumentsLike = (db: Db, { begins, within, most }: Sought) =>
  sql<{ number: string; kind: string; organisation: string }>`
    select d.number, d.kind, o.name as organisation
    from tax_document d join organisation o on o.id = d.organisation_id
    where lower(d.number) like ${begins} and (${within}::uuid is null or d.organisation_id = ${within})
    order by d.number desc limit ${most}`.execute(db)
