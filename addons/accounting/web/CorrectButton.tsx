import IconPencil from '@tabler/icons-react/icons/IconPencil'
import { lazy } from 'react'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'

const CorrectEntry = lazy(() => import('./CorrectEntry.tsx'))

const CorrectButton = ({ organization }: { organization: string }) => (
  <DialogButton
    variant="default"
    icon={IconPencil}
    dialog={(close) => <CorrectEntry organization={organization} close={close} />}
  >
    Correct an Entry
  </DialogButton>
)
export default CorrectButton
