import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { accounting } from '../contract.ts'
import type { ReversibleKind } from '@trainyard/ledger/contract/entry.ts'
import { formatRupees, paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { openInvoices } from './open.ts'
import { selectReversibleEntries, selectDeductionOf } from './queries.ts'

const NOUNS: Readonly<Record<ReversibleKind, string>> = {
  invoice: 'invoice',
  payment: 'payment',
  tds: 'TDS certificate',
}

/** Returns an organisation's entries that a user recorded and that are not reversed, newest first. */
export async function reversibleEntries(
  db: Db,
  organisation: OrganisationId,
): Promise<ReplyOf<typeof accounting.reversible>['entries']> {
  const { rows } = await selectReversibleEntries(db, organisation)
  return rows
}

/**
 * Adds the reversal of an entry that a user recorded, and the reversal of the tax deducted from it. The caller holds
 * the organisation's lock. @throws Problem notFound or conflict
 */
export async function reverseEntry(
  tx: Tx,
  actor: Actor,
  customer: OrganisationInScope,
  { kind, id, reason, date }: Omit<BodyOf<typeof accounting.reverse>, 'organization'>,
): Promise<string> {
  const { id: organisation, name } = customer
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
    by: actor.email,
  })
  if (!added) throw conflict(`The ${NOUNS[kind]} ${id} of ${name} is already reversed.`)
  if (kind === 'payment') {
    const { rows } = await selectDeductionOf(tx, organisation, id)
    for (const { tds } of rows) await reverseEntry(tx, actor, customer, { kind: 'tds', id: tds, reason, date })
  }
  return `The ${NOUNS[kind]} ${id} is reversed.`
}

/** Writes off an amount of an open invoice. The caller holds the organisation's lock. @throws Problem conflict */
export async function writeOff(
  tx: Tx,
  { email }: Actor,
  { id: organisation, name }: OrganisationInScope,
  { invoice, amount, reason, date }: BodyOf<typeof accounting.writeOff>,
  today: string,
): Promise<string> {
  const [open] = await openInvoices(tx, today, { organisation, invoice })
  const paise = paiseOfRupees(amount)!
  if (open === undefined) throw conflict(`${name} has no open invoice ${invoice}.`)
  if (paise > open.open) throw conflict(`Only ${formatRupees(open.open / 100)} of ${invoice} is open.`)
  const earlier = await tx
    .selectFrom('ledger_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisation)
    .where('kind', '=', 'write-off')
    .where('settles', '=', invoice)
    .executeTakeFirstOrThrow()
  // A write-off of another invoice may already use the next number, because the number of an invoice can end like 'A
  // (2)'.
  let part = earlier.count + 1
  while (
    !(await addEntry(tx, {
      organisation,
      kind: 'write-off',
      reference: `Write-off of ${invoice}${part === 1 ? '' : ` (${part})`}`,
      settles: invoice,
      particular: `Write-off: ${reason}`,
      amount: paise,
      date,
      source: 'manual',
      by: email,
    }))
  ) {
    part += 1
  }
  return `${formatRupees(amount)} of ${invoice} is written off.`
}
