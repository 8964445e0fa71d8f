import { AUDIT_PAGE } from '@trainyard/contract/words/limits.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { portalNow } from '../../db/client.ts'
import { csvLines, jsonLines } from './export.ts'
import { rowsAsked } from './filter.ts'
import { auditRows, tellTo } from './list.ts'

export const auditHandlers: HandlersOf<'audit'> = {
  async list(db, { actor, query }) {
    const found = await auditRows(db, await rowsAsked(db, actor, query), {
      before: query.before,
      limit: AUDIT_PAGE + 1,
    })
    const shown = found.slice(0, AUDIT_PAGE)
    return {
      rows: shown.map(({ row }) => tellTo(actor, row)),
      earlier: found.length > AUDIT_PAGE ? shown.at(-1)!.mark : null,
    }
  },

  async export(tx, { actor, body }, db) {
    const of = await rowsAsked(tx, actor, body)
    const { format, ...filter } = body
    const day = (await portalNow(tx)).toISOString().slice(0, 10)
    return format === 'csv'
      ? { name: `audit-${day}.csv`, type: 'text/csv', lines: csvLines(db, actor, of) }
      : { name: `audit-${day}.jsonl`, type: 'application/jsonl', lines: jsonLines(db, actor, of, filter) }
  },
}
