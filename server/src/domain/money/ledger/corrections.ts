import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { ledger } from '@trainyard/contract/calls/ledger.ts'
import type { ReversibleKind } from '@trainyard/contract/words/entry.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/contract/words/money.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { OrganisationInScope } from '../../people/organisation/scope.ts'
import { addEntry } from './entries.ts'
import { openInvoices } from './open.ts'

const NOUNS: Readonly<Record<ReversibleKind, string>> = {
  invoice: 'invoice',
  payment: 'payment',
  tds: 'TDS certificate',
}

/** Returns an organisation's typed entries that are not reversed, newest first. */
export async function reversibleEntries(
  db: Db,
  organisation: OrganisationId,
): Promise<ReplyOf<typeof ledger.reversible>['entries']> {
  const { rows } = await sql<ReplyOf<typeof ledger.reversible>['entries'][number]>`
    select kind, reference as id, date, amount_paise as "amountPaise" from ledger_entry e
    where organisation_id = ${organisation} and source = 'manual' and kind in ('invoice', 'payment', 'tds')
      and not exists (select from ledger_entry r where r.organisation_id = e.organisation_id
        and r.kind = e.kind || ' reversal' and r.reverses = e.reference)
    order by date desc, id desc limit 500`.execute(db)
  return rows
}

/** Adds the reversal of a typed entry. The caller holds the organisation's lock. @throws Problem notFound or conflict */
export async function reverseEntry(
  tx: Tx,
  { email }: Actor,
  { id: organisation, name }: OrganisationInScope,
  { kind, id, reason, date }: BodyOf<typeof ledger.reverse>,
): Promise<string> {
  const entry = await tx
    .selectFrom('ledger_entry')
    .select(['source', 'amount_paise'])
    .where('organisation_id', '=', organisation)
    .where('kind', '=', kind)
    .where('reference', '=', id)
    .executeTakeFirst()
  if (entry === undefined) throw notFound('entry')
  if (entry.source === 'issued') throw conflict(`${id} was issued by the portal. Issue a credit note instead.`)
  if (entry.source === 'provider') throw conflict(`${id} was paid online. Refund it instead.`)
  const added = await addEntry(tx, {
    organisation,
    kind: `${kind} reversal`,
    reference: `Reversal of ${id}`,
    reverses: id,
    particular: `Reversal of the ${NOUNS[kind]} ${id}: ${reason}`,
    amount: entry.amount_paise,
    date,
    source: 'manual',
    by: email,
  })
  if (!added) throw conflict(`The ${NOUNS[kind]} ${id} of ${name} is already reversed.`)
  return `The ${NOUNS[kind]} ${id} is reversed.`
}

/** Writes off an amount of an open invoice. The caller holds the organisation's lock. @throws Problem conflict */
export async function writeOff(
  tx: Tx,
  { email }: Actor,
  { id: organisation, name }: OrganisationInScope,
  { invoice, amount, reason, date }: BodyOf<typeof ledger.writeOff>,
  today: string,
): Promise<string> {
  const [open] = await openInvoices(tx, today, { organisation, invoice })
  const paise = paiseOfRupees(amount)!
  if (open === undefined) throw conflict(`${name} has no open invoice ${invoice}.`)
  if (paise > open.open) throw conflict(`At most ${formatRupees(open.open / 100)} of ${invoice} is open.`)
  const earlier = await tx
    .selectFrom('ledger_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisation)
    .where('kind', '=', 'write-off')
    .where('settles', '=', invoice)
    .executeTakeFirstOrThrow()
  const part = earlier.count + 1
  await addEntry(tx, {
    organisation,
    kind: 'write-off',
    reference: `Write-off of ${invoice}${part === 1 ? '' : ` (${part})`}`,
    settles: invoice,
    particular: `Write-off: ${reason}`,
    amount: paise,
    date,
    source: 'manual',
    by: email,
  })
  return `${formatRupees(amount)} of ${invoice} is written off.`
}
