import { DialogButton } from '#src/ui/DialogButton.tsx'
import { preloadable } from '#src/ui/preloadable.ts'

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
