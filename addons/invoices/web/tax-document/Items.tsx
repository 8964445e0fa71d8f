import { useMemo } from 'react'
import type { TaxDocument } from '../../contract/invoice.ts'
import { describeItem, formatTaxRate } from '@trainyard/ledger/contract/tax-document.ts'
import { paiseColumn, Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

type Item = TaxDocument['items'][number]

/** Returns the taxes of an item. CGST and SGST are each half of the rate. */
export const taxesOf = ({ totals, localTax }: Pick<TaxDocument, 'totals' | 'localTax'>) => [
  ...(totals.igstPaise > 0 ? [['IGST', 'igstPaise', 1] as const] : []),
  ...(totals.cgstPaise > 0 ? [['CGST', 'cgstPaise', 2] as const, [localTax, 'sgstPaise', 2] as const] : []),
]

export function Items({ document }: { document: TaxDocument }) {
  const columns = useMemo(() => columnsOf(document), [document])
  return (
    <DataTable
      label="Items"
      rows={document.items}
      rowId={({ description }) => description}
      columns={columns}
      empty="No items."
      stacks
    />
  )
}

const columnsOf = (document: TaxDocument): readonly Column<Item>[] => [
  { id: 'place', header: '#', width: '3rem', value: (_, index) => index + 1, sortable: false, onPhone: false },
  { id: 'description', header: 'Description', value: describeItem, sortable: false },
  { id: 'sac', header: 'SAC', width: '6rem', value: ({ sac }) => sac, sortable: false },
  paiseColumn('taxablePaise', 'Taxable value'),
  ...taxesOf(document).map(([name, field, parts]): Column<Item> => ({
    id: name,
    header: name,
    align: 'end',
    value: (item) => item[field] / 100,
    cell: (item) => (
      <>
        <Rupees paise={item[field]} /> at {formatTaxRate(item.rate / parts)}
      </>
    ),
  })),
  paiseColumn('totalPaise', 'Total'),
]
