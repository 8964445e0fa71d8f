import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { sandboxUser } from '@trainyard/lab-users/contract/sandbox.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { DeleteButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { NotPriced } from '@trainyard/lab-users/web/NotPriced.tsx'
import { SandboxStatus } from '@trainyard/lab-users/web/SandboxStatus.tsx'
import { AccessPass } from './AccessPass.tsx'
import styles from './UserSandboxes.module.css'

export type AzureUser = ReplyOf<typeof sandboxUser.list>['users'][number]

export function UserSandboxes({ user }: { user: AzureUser }) {
  const [toDelete, setToDelete] = useState<string | null>(null)
  const { consumed, total } = user.credits
  return (
    <div className={styles.more}>
      <Bar
        label={`Credits consumed by ${user.email}`}
        value={consumed}
        total={total}
        text={`Credits ${formatRupees(consumed)} of ${formatRupees(total)}`}
      />
      <AccessPass user={user} />
      {user.sandbox.length > 0 && (
        <ul className={styles.list} aria-label={`Sandboxes of ${user.email}`}>
          {user.sandbox.map((sandbox) => (
            <li key={sandbox._id}>
              <div className={styles.sandbox}>
                <span className="mono">{sandbox.resourceGroupName}</span>
                <SandboxStatus status={sandbox.status} />
                <span className="dim">
                  until <Instant at={sandbox.deleteTime} />
                </span>
                {sandbox.statusReason && <span className={styles.reason}>{sandbox.statusReason}</span>}
                <NotPriced what={sandbox.notPriced} />
              </div>
              {sandbox.status !== 'Deleting' && (
                <DeleteButton name={sandbox.resourceGroupName} onClick={() => setToDelete(sandbox.resourceGroupName)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {toDelete !== null && (
        <DeleteDialog
          name={toDelete}
          remove={() => api.azureSandbox.remove({ resourceGroupName: toDelete })}
          invalidates={['sandboxUser']}
          failed={ALERTS.userSandboxDeleteFailed}
          done={ALERTS.userSandboxDeleted(toDelete)}
          close={() => setToDelete(null)}
        >
          <p>
            <strong>{user.email}</strong> loses access to <span className="mono">{toDelete}</span> at once, and
            everything in it is deleted. Credits already used are not returned.
          </p>
        </DeleteDialog>
      )}
    </div>
  )
}
