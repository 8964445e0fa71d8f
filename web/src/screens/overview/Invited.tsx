import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { user } from '@trainyard/contract/calls/user.ts'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { notify } from '#src/ui/notices.ts'
import styles from './Invited.module.css'

type User = ReplyOf<typeof user.list>['users'][number]

export function Invited({ row }: { row: User }) {
  const { email, organization, invitation } = row
  const act = useDedupedMutation({
    mutationFn: (call: typeof api.user.resendInvitation | typeof api.user.revokeInvitation) =>
      call({ email, organization }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      return invalidate('user')
    },
    onError: (error) => notify.alert(error.message, error),
  })
  if (invitation === null) return null
  return (
    <span className={styles.invited}>
      {invitation.expired ? 'Invitation expired' : 'Invited'}
      <button
        type="button"
        className="text-button"
        disabled={act.isPending}
        aria-label={`Resend the invitation of ${email}`}
        onClick={() => act.mutate(api.user.resendInvitation)}
      >
        Resend
      </button>
      <button
        type="button"
        className="text-button"
        disabled={act.isPending}
        aria-label={`Revoke the invitation of ${email}`}
        onClick={() => act.mutate(api.user.revokeInvitation)}
      >
        Revoke
      </button>
    </span>
  )
}
