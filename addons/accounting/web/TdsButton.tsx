import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { lazy } from 'react'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'

const RecordTds = lazy(() => import('./RecordTds.tsx'))

const TdsButton = () => (
  <DialogButton variant="default" icon={IconPlus} dialog={(close) => <RecordTds close={close} />}>
    Record TDS
  </DialogButton>
)
export default TdsButton
