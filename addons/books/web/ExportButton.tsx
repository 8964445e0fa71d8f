import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { lazy } from 'react'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'

const ExportEntries = lazy(() => import('./ExportEntries.tsx'))

const ExportButton = () => (
  <DialogButton variant="default" icon={IconDownload} dialog={(close) => <ExportEntries close={close} />}>
    Export for Bookkeeping
  </DialogButton>
)
export default ExportButton
