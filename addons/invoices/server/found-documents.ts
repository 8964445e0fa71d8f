import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { pagesSought } from '@trainyard/platform/server/core/search.ts'
import { selectDocumentsLike } from './queries.ts'

/** Finds invoices and other documents by the beginning of their number. */
export const findDocuments: AnswerTo<typeof pagesSought> = async (db, sought) => {
  const { rows } = await selectDocumentsLike(db, sought)
  return rows.map(({ number, kind, organisation }) => ({
    group: 'Invoices',
    label: number,
    hint: sought.within === null ? `${kind} · ${organisation}` : kind,
    path: '/ledger/invoice',
    search: { number },
  }))
}
