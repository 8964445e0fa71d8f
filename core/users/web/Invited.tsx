import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { user } from '../contract/user.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import styles from './Invited.module.css'

type User = ReplyOf<typeof user.list>['users'][number]

export function Invited({ row }: { row: User }) {
  const { email, organization, invitation } = row
  const act = useAction(
    (call: typeof api.user.resendInvitation | typeof api.user.revokeInvitation) => call({ email, organization }),
    { invalidates: ['user'] },
  )
  if (invitation === null) return null
  return (
    <span className={styles.invited}>
      {stateOf(invitation)}
      <TextButton
        disabled={act.isPending}
        label={`Resend the invitation of ${email}`}
        onClick={() => act.mutate(api.user.resendInvitation)}
      >
        Resend
      </TextButton>
      <TextButton
        disabled={act.isPending}
        label={`Revoke the invitation of ${email}`}
        onClick={() => act.mutate(api.user.revokeInvitation)}
      >
        Revoke
      </TextButton>
    </span>
  )
}

function stateOf({ expired, bounced }: NonNullable<User['invitation']>): string {
  if (bounced !== null) return `Invitation rejected: ${bounced}`
  return expired ? 'Invitation expired' : 'Invited'
}
