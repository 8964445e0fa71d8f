import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { preloadable } from '@trainyard/platform/web/ui/preloadable.ts'

const CorrectEntry = preloadable(() => import('./CorrectEntry.tsx'))

const CorrectButton = ({ organization }: { organization: string }) => (
  <DialogButton
    variant="default"
    icon="pencil"
    load={CorrectEntry.load}
    dialog={(close) => <CorrectEntry organization={organization} close={close} />}
  >
    Correct an Entry
  </DialogButton>
)
export default CorrectButton
