import { formatRupees, paise, rupeesOfPaise } from '../../contract/words/money.ts'
import type { Column } from './table/columns.ts'

export function Rupees(given: { amount: number } | { paise: number }) {
  const rupees = 'paise' in given ? rupeesOfPaise(paise(given.paise)) : given.amount
  return <span style={{ whiteSpace: 'nowrap' }}>{formatRupees(rupees)}</span>
}

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

export const paiseColumn = <Id extends string>(id: Id, header: string): Column<Readonly<Record<Id, number>>> => ({
  id,
  header,
  align: 'end',
  value: (row) => rupeesOfPaise(paise(row[id])),
  sortBy: (row) => row[id],
  cell: ({ [id]: amount }) => <Rupees paise={amount} />,
})
