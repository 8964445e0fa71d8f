import { csvOf, saveCsv } from '#src/ui/csv.ts'
import type { Statement } from './statement.ts'

/** A statement as a file: oldest first, between what was owed before it and after it. Amounts are rupees. */
function statementCsv({ lines, opening, closing, invoiced, paid }: Statement): string {
  return csvOf([
    ['Sl', 'Date', 'Particular', 'Invoice', 'Payment', 'ID', 'Balance'],
    [null, null, 'Opening balance', null, null, null, opening],
    ...lines.map(({ date, particular, invoice, payment, id, balance }, index) => [
      index + 1,
      date,
      particular,
      invoice,
      payment,
      id,
      balance,
    ]),
    [null, null, 'Closing balance', invoiced, paid, null, closing],
  ])
}

export const saveStatement = (name: string, statement: Statement): void =>
  saveCsv(`Statement ${name}`, statementCsv(statement))
