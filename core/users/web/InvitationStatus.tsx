import { lazy, Suspense, useState } from 'react'
import type { InvitationState } from '../contract/people.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { formatInstant } from '@trainyard/platform/web/ui/time.ts'
import type { Invite } from './CorrectAddress.tsx'
import styles from './InvitationStatus.module.css'

const CorrectAddress = lazy(() => import('./CorrectAddress.tsx'))

interface InvitationStatusProps {
  email: string
  /** null if the user never received an invitation. */
  invitation: InvitationState | null
  invite: Invite
}

/** State of the invitation of a user who has not signed in, with the actions on it. */
export function InvitationStatus({ email, invitation, invite }: InvitationStatusProps) {
  const { timeZone } = useMe()
  const [isOpen, setOpen] = useState(false)
  const resend = useAction(() => invite({ email }), { invalidates: ['people', 'user', 'home'] })
  const isBounced = invitation?.bounced != null
  return (
    <>
      <span className={styles.status}>
        <span className={styles.state} data-failed={isBounced || undefined}>
          {stateText(invitation, (at) => formatInstant(at, timeZone).replace(/:\d\d,/, ','))}
        </span>
        {isBounced && (
          <TextButton label={`Edit address ${email}`} onClick={() => setOpen(true)}>
            Edit address
          </TextButton>
        )}
        <TextButton
          label={`Resend the invitation of ${email}`}
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {invitation === null ? 'Invite' : 'Resend'}
        </TextButton>
      </span>
      {isOpen && (
        <Suspense>
          <CorrectAddress email={email} invite={invite} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function stateText(invitation: InvitationState | null, format: (instant: string) => string): string {
  if (invitation === null) return 'Not invited'
  const { bounced, openedAt, deliveredAt, until } = invitation
  if (bounced !== null) return `Invitation rejected: ${bounced.reason}`
  if (Date.parse(until) <= Date.now()) return `Invitation expired ${format(until)}`
  if (openedAt !== null) return `Opened the link ${format(openedAt)}`
  return deliveredAt === null ? 'Invitation is being sent' : `Invitation delivered ${format(deliveredAt)}`
}
