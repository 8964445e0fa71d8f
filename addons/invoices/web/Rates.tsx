import type { SupplierSettings } from '../contract/supplier.ts'
import { EditableRows, type RowField } from './EditableRows.tsx'
import { basisPointsIn } from '@trainyard/platform/contract/words/money.ts'

const FIELDS = {
  from: { label: 'From', type: 'date' },
  basisPoints: { label: 'Rate (%)', inputMode: 'decimal' },
} as const satisfies Record<string, RowField>

/** Tax rates by start date. CGST and SGST are each half of a rate. */
export function Rates({ rates }: { rates: SupplierSettings['rates'] }) {
  return (
    <EditableRows
      setting="rates"
      title="Rates of Tax"
      text="Each rate applies from its day on. CGST and SGST are half of it each; IGST is all of it. Keep earlier rates: usage that was paid in advance before a change bears the earlier rate."
      noun="rate"
      fields={FIELDS}
      saved={rates.map(({ from, basisPoints }) => ({ from, basisPoints: String(basisPoints / 100) }))}
      blank={{ from: '', basisPoints: '18' }}
      toBody={(rows) => ({
        rates: rows.map(({ from, basisPoints }) => ({ from, basisPoints: basisPointsIn(basisPoints) })),
      })}
    />
  )
}
