import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { preloadable } from '@trainyard/platform/web/ui/preloadable.ts'

const RecordTds = preloadable(() => import('./RecordTds.tsx'))

const TdsButton = () => (
  <DialogButton variant="default" icon="plus" load={RecordTds.load} dialog={(close) => <RecordTds close={close} />}>
    Record TDS
  </DialogButton>
)
export default TdsButton
