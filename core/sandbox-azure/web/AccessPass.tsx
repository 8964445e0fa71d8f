import { Button } from '@mantine/core'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { CopiedFact, Facts } from '@trainyard/lab-users/web/Facts.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import type { LabUser } from '@trainyard/lab-users/web/lab-users.ts'

/** Issues a Temporary Access Pass, and shows it once. */
export function AccessPass({ user: { email, status, accessPass } }: { user: LabUser }) {
  const issue = useAction(() => api.sandboxUser.issueAccessPass({ email }), { invalidates: ['sandboxUser'] })
  const show = useDedupedMutation({
    mutationFn: () => api.sandboxUser.showAccessPass({ email }),
    onSettled: () => invalidate('sandboxUser'),
    gcTime: 0,
  })
  if (status === 'Creating' || status === 'Ending') return null
  const requested = accessPass === 'Requested' || issue.isPending
  return (
    <div>
      {accessPass === 'Ready' ? (
        <Button
          variant="default"
          size="sm"
          disabled={show.isPending}
          aria-label={`Show access pass of ${email}`}
          onClick={() => show.mutate()}
        >
          Show access pass
        </Button>
      ) : (
        <Button
          variant="default"
          size="sm"
          disabled={requested}
          aria-label={requested ? undefined : `Issue access pass for ${email}`}
          onClick={() => issue.mutate()}
        >
          {requested ? 'Issuing the access pass...' : 'Issue access pass'}
        </Button>
      )}
      {show.isError && <p role="alert">{show.error.message}</p>}
      {show.data && (
        <Dialog title={`Access pass of ${email}`} close={() => show.reset()}>
          <p>
            Microsoft accepts this Temporary Access Pass instead of the password, for one sign-in and without a second
            factor. Send it to the learner, who can then set up multifactor authentication. It is shown only once.
          </p>
          <Facts>
            <CopiedFact term="Access pass" value={show.data.accessPass} label="Copy the access pass" />
            <Fact term="Valid until">
              <Instant at={show.data.endDate} />
            </Fact>
          </Facts>
        </Dialog>
      )}
    </div>
  )
}
