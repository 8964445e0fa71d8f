import type { TaxDocumentId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { publishEntry } from '@trainyard/ledger/server/entries.ts'

/** Publishes the entry of an issued document. */
export async function publishEntryOf(tx: Tx, document: TaxDocumentId): Promise<void> {
  const entry = await tx
    .selectFrom('tax_document as d')
    .innerJoin('ledger_entry as e', (join) =>
      join
        .onRef('e.organisation_id', '=', 'd.organisation_id')
        .onRef('e.kind', '=', 'd.entry_kind')
        .onRef('e.reference', '=', 'd.number'),
    )
    .selectAll('e')
    .where('d.id', '=', document)
    .executeTakeFirst()
  if (entry !== undefined) await publishEntry(tx, entry)
}
