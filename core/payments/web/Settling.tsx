import { Button } from '@mantine/core'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { paymentActions } from '@trainyard/ledger/web/slots.ts'
import type { Page } from '@trainyard/ledger/web/statement.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import type { Unsettled } from './unsettled.ts'

interface SettlingProps {
  verifying: boolean
  unsettled: Unsettled | null
  /** Ledger entry of the unsettled payment, once it exists. */
  arrival: Page['transactions'][number] | null | undefined
  forget: () => void
}

export function Settling({ verifying, unsettled, arrival, forget }: SettlingProps) {
  const statusText = verifying
    ? 'Your payment is being verified...'
    : arrival
      ? `${formatRupees(arrival.payment ?? 0)} has been credited as ${arrival.id}.`
      : unsettled?.why
  if (statusText === undefined) return null
  return (
    <div className="panel row no-print">
      <output style={{ flex: '1 1 20rem', overflowWrap: 'anywhere' }}>{statusText}</output>
      {arrival && <Fills of={paymentActions} props={{ id: arrival.id }} />}
      {!verifying && (
        <Button variant="default" size="sm" onClick={forget}>
          Dismiss
        </Button>
      )}
    </div>
  )
}
