import type { Orphan } from '../contract/cost.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { TypeNameDialog } from '@trainyard/platform/web/ui/TypeNameDialog.tsx'
import { formatCost } from './adoptable.ts'

export default function DeleteOrphan({ orphan, close }: { orphan: Orphan; close: () => void }) {
  const { name, resourceGroup, costADay } = orphan
  const removal = useAction(() => api.cost.deleteOrphan({ name, resourceGroup, confirm: name }), {
    invalidates: ['cost', 'home'],
    onDone: close,
  })
  return (
    <TypeNameDialog
      title={`Delete ${name}`}
      kind="machine"
      name={name}
      confirm="Delete at the Provider"
      busy={removal.isPending}
      remove={() => removal.mutate()}
      close={close}
    >
      <p>
        The machine <strong>{name}</strong> in {resourceGroup} will be deleted at the provider, with its disk, its
        address and its network interface if they carry the portal’s tag. Its data is lost. Cost per day:{' '}
        {formatCost(costADay, 'not billed yet')}. This can’t be undone.
      </p>
    </TypeNameDialog>
  )
}
