import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { lazy } from 'react'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'

const WriteQuote = lazy(() => import('./WriteQuote.tsx'))

const WriteQuoteButton = () => (
  <DialogButton icon={IconPlus} variant="default" dialog={(close) => <WriteQuote close={close} />}>
    Quote
  </DialogButton>
)
export default WriteQuoteButton
