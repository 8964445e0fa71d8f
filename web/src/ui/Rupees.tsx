import { formatRupees } from '@trainyard/contract/words/money.ts'
import type { Column } from './table/columns.ts'

/** An amount as people in India write it; `amount` is rupees as the wire gives them. */
export function Rupees({ amount }: { amount: number }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{formatRupees(amount)}</span>
}

/** Returns a table's column of amounts, in the rows' field `id`; empty where a row has none. */
export const rupeesColumn = <Id extends string>(
  id: Id,
  header: string,
  width?: string,
): Column<Readonly<Record<Id, number | null>>> => ({
  id,
  header,
  width,
  align: 'end',
  value: (row) => row[id],
  sortBy: (row) => row[id],
  cell: ({ [id]: amount }) => (amount === null ? '' : <Rupees amount={amount} />),
})
