import { Button } from '@mantine/core'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'

/** Tests the provider's settings and offers a trial sign-in that opens no session. */
export function TestSignIn({ organization, workedAt }: { organization: string; workedAt: string | null }) {
  const test = useDedupedMutation({ mutationFn: () => api.identityProvider.test({ organization }) })
  const { data } = test
  return (
    <>
      <h3>Test</h3>
      <p>
        {workedAt === null ? (
          'No user has signed in with the saved settings yet.'
        ) : (
          <>
            A user signed in with these settings on <Instant at={workedAt} />.
          </>
        )}
      </p>
      <div className="row">
        <Button variant="default" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Testing...' : 'Test Sign-in'}
        </Button>
        {data?.address && <Button onClick={() => goTo(data.address!)}>Try to Sign In</Button>}
      </div>
      {data && data.found.length > 0 && (
        <ul aria-live="polite">
          {data.found.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {(data?.problem ?? test.error) && <p role="alert">{data?.problem ?? test.error?.message}</p>}
    </>
  )
}

function goTo(address: string): void {
  sessionStorage.setItem('next', location.pathname + location.search)
  location.assign(address)
}
