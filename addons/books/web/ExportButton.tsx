import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { preloadable } from '@trainyard/platform/web/ui/preloadable.ts'

const ExportEntries = preloadable(() => import('./ExportEntries.tsx'))

const ExportButton = () => (
  <DialogButton
    variant="default"
    icon="download"
    load={ExportEntries.load}
    dialog={(close) => <ExportEntries close={close} />}
  >
    Export for Bookkeeping
  </DialogButton>
)
export default ExportButton
