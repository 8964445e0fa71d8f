import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { classInScope } from '@trainyard/trainings/server/scope.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { operatorName } from '@trainyard/organisations/server/operator.ts'
import { attendanceLines } from './lines.ts'
import { attendancePdf } from './pdf.ts'
import { attendanceReport } from './report.ts'

const fileName = ({ from, until }: { readonly from: string; readonly until: string }, ending: string) =>
  `attendance-${from}-${until}.${ending}`

export const attendanceHandlers: HandlersOf<'attendance'> = {
  async list(db, { actor, query }) {
    const { id } = await classInScope(db, actor, query)
    return attendanceReport(db, id, query)
  },

  async csv(tx, { actor, body }) {
    const { id } = await classInScope(tx, actor, body)
    const report = await attendanceReport(tx, id, body)
    return { name: fileName(body, 'csv'), type: 'text/csv', content: attendanceLines(report) }
  },

  async pdf(tx, { actor, body }) {
    const { id, name, organisationId } = await classInScope(tx, actor, body)
    const report = await attendanceReport(tx, id, body)
    const { name: organization } = await tx
      .selectFrom('organisation')
      .select('name')
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow()
    const { from, until } = body
    const author = await operatorName(tx)
    const today = await supplierToday(tx)
    const pdf = await attendancePdf(report, { training: name, organization, from, until, author, today })
    return { name: fileName(body, 'pdf'), type: 'application/pdf', content: [pdf] }
  },
}
