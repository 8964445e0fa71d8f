import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import OrderDialog from './OrderDialog.tsx'
import { useLastBatch } from './useLastBatch.ts'

/** Orders a machine for a further learner, like those that the training ordered last. */
export default function AddLearner({ training, close }: { training: TrainingQuery; close: () => void }) {
  const { organization } = useSelection()
  const { isPending, template, templateName, like } = useLastBatch(organization, training)
  if (isPending || organization === null) return null
  if (template !== undefined)
    return <OrderDialog template={template} like={like} organization={organization} close={close} />
  return (
    <Dialog title="Add learner" close={close} foot={<Button onClick={close}>Close</Button>}>
      <p>
        {templateName === null
          ? 'Nothing was ordered for this training yet.'
          : `${templateName} can no longer be ordered.`}{' '}
        <Link to="/createvm" search={(now: object) => now}>
          Choose a card in Provision New Instance
        </Link>
        .
      </p>
    </Dialog>
  )
}
