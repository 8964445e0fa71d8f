import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../db/schema.ts'
import { addEntry } from '../domain/money/ledger/entries.ts'
import type { DemoLine } from './ledger-lines.ts'
import { DAY } from './past-days.ts'
import { OTHERS } from './people.ts'

/** Adds invoices and payments of past months, oldest first, as entered by a superadmin. */
export async function addLedger(
  tx: Tx,
  organisation: OrganisationId,
  lines: readonly DemoLine[],
  now: Date,
): Promise<void> {
  const by = OTHERS.find(({ role }) => role === 'superadmin')!.email
  for (const { daysAgo, kind, reference, particular, amount } of lines) {
    const date = new Date(now.getTime() - daysAgo * DAY)
    await addEntry(tx, { organisation, kind, reference, particular, amount, date, source: 'manual', by })
  }
}
