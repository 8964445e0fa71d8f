import { useState } from 'react'
import type { SupplierSettings } from '../contract/supplier.ts'
import { financialYear } from '@trainyard/ledger/contract/financial-year.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { EditableRows, type RowField } from './EditableRows.tsx'

const FIELDS = {
  number: { label: 'Number (ARN)' },
  year: { label: 'Financial Year' },
} as const satisfies Record<string, RowField>

/** Undertakings (LUT) by financial year. */
export function Undertakings({ undertakings }: { undertakings: SupplierSettings['undertakings'] }) {
  const { timeZone } = useMe()
  const [currentYear] = useState(() => financialYear(today(new Date(), timeZone)))
  const isMissing = undertakings.length > 0 && !undertakings.some(({ year }) => year === currentYear)
  return (
    <EditableRows
      setting="undertakings"
      title="Letters of Undertaking"
      text={`With a letter of undertaking, exports and supplies to SEZs in its financial year (April to March) are not taxed.${
        isMissing ? ` There is no letter for 20${currentYear}, so these invoices bear IGST.` : ''
      }`}
      noun="letter"
      fields={FIELDS}
      saved={undertakings.map(({ year, number }) => ({ year, number }))}
      blank={{ year: currentYear, number: '' }}
      toBody={(rows) => ({
        undertakings: rows.map(({ year, number }) => ({ year: year.trim(), number: number.trim() })),
      })}
    />
  )
}
