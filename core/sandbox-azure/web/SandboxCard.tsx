import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink'
import IconTrash from '@tabler/icons-react/icons/IconTrash'
import { Button } from '@mantine/core'
import { useId } from 'react'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Facts } from '@trainyard/lab-users/web/Facts.tsx'
import type { Sandbox } from '@trainyard/lab-users/web/azure-account.ts'
import styles from './AzureSandbox.module.css'
import { NotPriced } from '@trainyard/lab-users/web/NotPriced.tsx'
import { SandboxStatus } from '@trainyard/lab-users/web/SandboxStatus.tsx'

interface SandboxCardProps {
  sandbox: Sandbox
  portalUrl: string
  deleting: boolean
  onDelete: () => void
}

export function SandboxCard({ sandbox, portalUrl, deleting, onDelete }: SandboxCardProps) {
  const id = useId()
  const { resourceGroupName, status, statusReason } = sandbox
  const enterable = status === 'Ready' || status === 'Frozen'
  return (
    <li className={`panel ${styles.card}`} aria-labelledby={id}>
      <div className="ends">
        <h3 id={id} className="mono">
          {resourceGroupName}
        </h3>
        <SandboxStatus status={status} />
      </div>
      {statusReason && <p className={status === 'Failing' ? styles.reason : 'dim'}>{statusReason}</p>}
      <NotPriced what={sandbox.notPriced} />
      <Facts>
        <Fact term="Created">
          <Instant at={sandbox.createdTime} />
        </Fact>
        <Fact term="Will be deleted">
          <Instant at={sandbox.deleteTime} />
        </Fact>
      </Facts>
      <div className={styles.actions}>
        {enterable && (
          <Button
            component="a"
            variant="default"
            size="sm"
            href={portalUrl}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open the Azure portal for ${resourceGroupName}`}
            rightSection={<IconExternalLink size={15} aria-hidden />}
          >
            Open the Azure portal
          </Button>
        )}
        {status !== 'Deleting' && (
          <Button
            variant="default"
            c="var(--danger)"
            size="sm"
            aria-label={deleting ? undefined : `Delete ${resourceGroupName}`}
            disabled={deleting}
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={onDelete}
          >
            {deleting ? 'Deleting...' : 'Delete'}
          </Button>
        )}
      </div>
    </li>
  )
}
