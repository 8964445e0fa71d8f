import { useState } from 'react'
import { ALERTS, EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { AzureAccount, Sandbox } from '@trainyard/lab-users/web/azure-account.ts'
import styles from './AzureSandbox.module.css'
import { SandboxCard } from './SandboxCard.tsx'

export function Sandboxes({ account }: { account: AzureAccount }) {
  const [toDelete, setToDelete] = useState<Sandbox | null>(null)
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set())
  const removal = useAction(({ resourceGroupName }: Sandbox) => api.azureSandbox.remove({ resourceGroupName }), {
    invalidates: ['azureSandbox'],
    fallback: ALERTS.sandboxDeleteFailed,
    done: ALERTS.sandboxDeleted,
    onDone: (_reply, { _id }) => setRemovedIds((before) => new Set(before).add(_id)),
  })
  const listed = account.sandbox.filter(({ _id }) => !removedIds.has(_id))
  return (
    <section className="stack" aria-labelledby="your-sandboxes">
      <h2 id="your-sandboxes">Your Sandboxes</h2>
      {listed.length === 0 ? (
        <EmptyState text={EMPTY.sandboxes} />
      ) : (
        <ul className={`cards ${styles.cards}`}>
          {listed.map((sandbox) => (
            <SandboxCard
              key={sandbox._id}
              sandbox={sandbox}
              portalUrl={account.portalUrl}
              deleting={removal.isPending && removal.variables._id === sandbox._id}
              onDelete={() => setToDelete(sandbox)}
            />
          ))}
        </ul>
      )}
      {toDelete && (
        <ConfirmDialog
          title={`Delete ${toDelete.resourceGroupName}`}
          confirm="Delete"
          destroys
          onConfirm={() => {
            removal.mutate(toDelete)
            setToDelete(null)
          }}
          close={() => setToDelete(null)}
        >
          <p>
            You lose access to <strong>{toDelete.resourceGroupName}</strong> at once, and everything in it is deleted:
            machines, disks, networks, data. This can’t be undone.
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}
