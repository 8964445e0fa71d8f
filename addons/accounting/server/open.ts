import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { accounting } from '../contract.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectOpenInvoices, type OpenInvoice } from './queries.ts'

/**
 * Returns the invoices that are not settled, oldest first, by the rule of `allocationOf`.
 * @param today the supplier's day
 */
export async function openInvoices(
  db: Db,
  today: string,
  of: { readonly organisation?: OrganisationId; readonly invoice?: string; readonly most?: number } = {},
): Promise<OpenInvoice[]> {
  const { rows } = await selectOpenInvoices(db, of.organisation, today, of.invoice ?? null, of.most ?? 100_000)
  return rows
}

/** Returns the only open invoice with exactly this open amount that its customer has received, or null. */
export async function exactMatch(
  db: Db,
  today: string,
  organisation: OrganisationId,
  amount: number,
): Promise<string | null> {
  const matches = (await openInvoices(db, today, { organisation })).filter(
    ({ open, isHeld }) => open === amount && !isHeld,
  )
  return matches.length === 1 ? matches[0]!.invoice : null
}

type AgeingRow = ReplyOf<typeof accounting.ageing>['rows'][number]

/** Returns the open amounts of each organisation by days since they were due, largest total first. */
export async function ageing(db: Db, today: string): Promise<AgeingRow[]> {
  const names = new Map(
    (await db.selectFrom('organisation').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
  )
  const rows = new Map<OrganisationId, AgeingRow>()
  for (const { organisation, open, overdue } of await openInvoices(db, today)) {
    const row = rows.get(organisation) ?? {
      organization: names.get(organisation)!,
      notDuePaise: 0,
      to30Paise: 0,
      to60Paise: 0,
      to90Paise: 0,
      over90Paise: 0,
      totalPaise: 0,
    }
    const bucket = bucketOf(overdue)
    rows.set(organisation, { ...row, [bucket]: row[bucket] + open, totalPaise: row.totalPaise + open })
  }
  return [...rows.values()].toSorted((a, b) => b.totalPaise - a.totalPaise)
}

function bucketOf(overdue: number): 'notDuePaise' | 'to30Paise' | 'to60Paise' | 'to90Paise' | 'over90Paise' {
  if (overdue <= 0) return 'notDuePaise'
  if (overdue <= 30) return 'to30Paise'
  if (overdue <= 60) return 'to60Paise'
  return overdue <= 90 ? 'to90Paise' : 'over90Paise'
}
