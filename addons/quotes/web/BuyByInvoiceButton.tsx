import type { PrepaidState } from '@trainyard/prepaid-credit/web/forecast.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { preloadable } from '@trainyard/platform/web/ui/preloadable.ts'

const BuyByInvoice = preloadable(() => import('./BuyByInvoice.tsx'))

export default function BuyByInvoiceButton({ state }: { state: PrepaidState }) {
  return (
    <DialogButton
      variant="default"
      icon="plus"
      load={BuyByInvoice.load}
      dialog={(close) => <BuyByInvoice state={state} close={close} />}
    >
      Buy by Invoice
    </DialogButton>
  )
}
