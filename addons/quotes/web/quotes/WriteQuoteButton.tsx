import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { preloadable } from '@trainyard/platform/web/ui/preloadable.ts'

const WriteQuote = preloadable(() => import('./WriteQuote.tsx'))

const WriteQuoteButton = () => (
  <DialogButton icon="plus" variant="default" load={WriteQuote.load} dialog={(close) => <WriteQuote close={close} />}>
    Quote
  </DialogButton>
)
export default WriteQuoteButton
