import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Network } from '../contract/network.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import styles from './Gateway.module.css'

interface GatewayProps {
  network: string
  agent: NonNullable<Network['agent']>
  close: () => void
}

/** A network's gateway: its state, and buttons to enrol or revoke it. */
export function Gateway({ network, agent, close }: GatewayProps) {
  const [token, setToken] = useState<string | null>(null)
  const issuing = useAction(() => api.network.issueToken({ network }), {
    invalidates: ['network'],
    onDone: (reply) => setToken(reply.token),
  })
  const revoking = useAction(() => api.network.revoke({ network }), {
    invalidates: ['network'],
    onDone: () => setToken(null),
  })
  const busy = issuing.isPending || revoking.isPending
  const command = `GATEWAY_PORTAL=${globalThis.location.origin} GATEWAY_TOKEN=${token ?? ''} npm run gateway`
  return (
    <Dialog title={`Gateway of ${network}`} wide close={close}>
      <dl className={styles.facts}>
        {agent.state === 'never' ? (
          <Fact term="State">No gateway is enrolled.</Fact>
        ) : (
          <>
            <Fact term="State">{agent.state === 'connected' ? 'Connected' : 'Not connected'}</Fact>
            <Fact term="Enrolled">{agent.enrolledAt !== null && <Instant at={agent.enrolledAt} />}</Fact>
            <Fact term="Connected from">{agent.address ?? '–'}</Fact>
            <Fact term="Version">{agent.version ?? '–'}</Fact>
            <Fact term="Own address ranges">{agent.ownRanges?.join(', ') ?? 'Those of the network'}</Fact>
          </>
        )}
        {agent.tokenExpiresAt !== null && (
          <Fact term="Unused token until">
            <Instant at={agent.tokenExpiresAt} />
          </Fact>
        )}
      </dl>
      {agent.duplicate !== null && (
        <p role="alert">
          A second gateway with the same identity was connected at <Instant at={agent.duplicate.seenAt} /> (
          {agent.duplicate.addresses.join(' and ')}). If you did not start it, its file gateway.json was copied: choose
          Revoke Gateway, and enrol a gateway with a new token. If you did, stop one of the two and issue a new token.
        </p>
      )}
      {token !== null && (
        <output className={styles.token}>
          <span>
            Start the gateway inside the network with this command. The token enrols one gateway, once, within 24 hours,
            and is <strong>not shown again</strong>.
          </span>
          <span className={styles.command}>
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </output>
      )}
      <p className="dim">
        A new token replaces an unused one. The current gateway stays connected until the new one is enrolled.
      </p>
      <div className="row">
        <Button disabled={busy} data-autofocus onClick={() => issuing.mutate()}>
          {issuing.isPending ? 'Issuing...' : 'Issue Token'}
        </Button>
        <Button
          variant="default"
          disabled={busy || (agent.state === 'never' && agent.tokenExpiresAt === null)}
          onClick={() => revoking.mutate()}
        >
          {revoking.isPending ? 'Revoking...' : 'Revoke Gateway'}
        </Button>
      </div>
    </Dialog>
  )
}
