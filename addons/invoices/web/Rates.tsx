import type { SupplierSettings } from '../contract/supplier.ts'
import { EditableRows, type RowField } from './EditableRows.tsx'

function parseBasisPoints(percent: string): number | null {
  const entered = percent.replace('%', '').trim()
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(entered)) return null
  const points = Math.round(Number(entered) * 100)
  return points <= 10_000 ? points : null
}

const FIELDS = {
  from: { label: 'From', type: 'date', problem: (entered) => (entered === '' ? 'Enter a day.' : null) },
  percent: {
    label: 'Rate (%)',
    inputMode: 'decimal',
    problem: (entered) => (parseBasisPoints(entered) === null ? 'Enter a rate such as 18.' : null),
  },
} as const satisfies Record<string, RowField>

/** Tax rates by start date. CGST and SGST are each half of a rate. */
export function Rates({ rates }: { rates: SupplierSettings['rates'] }) {
  return (
    <EditableRows
      title="Rates of Tax"
      text="Each rate applies from its day on. CGST and SGST are half of it each; IGST is all of it. Keep earlier rates: usage that was paid in advance before a change bears the earlier rate."
      noun="rate"
      fields={FIELDS}
      saved={rates.map(({ from, basisPoints }) => ({ from, percent: String(basisPoints / 100) }))}
      blank={{ from: '', percent: '18' }}
      toBody={(rows) => ({
        rates: rows.map(({ from, percent }) => ({ from, basisPoints: parseBasisPoints(percent)! })),
      })}
    />
  )
}
