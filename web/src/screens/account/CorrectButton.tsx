import { DialogButton } from '#src/ui/DialogButton.tsx'
import { preloadable } from '#src/ui/preloadable.ts'

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
