import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { lazy } from 'react'
import type { PrepaidState } from '@trainyard/prepaid-credit/web/forecast.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'

const BuyByInvoice = lazy(() => import('./BuyByInvoice.tsx'))

export default function BuyByInvoiceButton({ state }: { state: PrepaidState }) {
  return (
    <DialogButton variant="default" icon={IconPlus} dialog={(close) => <BuyByInvoice state={state} close={close} />}>
      Buy by Invoice
    </DialogButton>
  )
}
