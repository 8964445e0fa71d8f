import { AUDIT_PAGE } from '@trainyard/platform/contract/words/limits.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { csvLines, jsonLines } from './export.ts'
import { rowFilter } from './filter.ts'
import { auditRows, redactFor } from './list.ts'

export const auditHandlers: HandlersOf<'audit'> = {
  async list(db, { actor, query }) {
    const found = await auditRows(db, await rowFilter(db, actor, query), {
      before: query.before,
      limit: AUDIT_PAGE + 1,
    })
    const page = found.slice(0, AUDIT_PAGE)
    return {
      rows: page.map(({ row }) => redactFor(actor, row)),
      earlier: found.length > AUDIT_PAGE ? page.at(-1)!.cursor : null,
    }
  },

  async export(tx, { actor, body }, db) {
    const selection = await rowFilter(tx, actor, body)
    const { format, ...filter } = body
    const day = (await portalNow(tx)).toISOString().slice(0, 10)
    return format === 'csv'
      ? { name: `audit-${day}.csv`, type: 'text/csv', content: csvLines(db, actor, selection) }
      : { name: `audit-${day}.jsonl`, type: 'application/jsonl', content: jsonLines(db, actor, selection, filter) }
  },
}
