import { Button } from '@mantine/core'
import { api } from '#src/api/client.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { Instant } from '#src/ui/Instant.tsx'

/** Asks the provider, says what it found, and leads to a sign-in that is tried and opens no session. */
export function TestSignIn({ organization, workedAt }: { organization: string; workedAt: string | null }) {
  const test = useMutation({ mutationFn: () => api.identityProvider.test({ organization }) })
  const { data } = test
  return (
    <>
      <h3>Test</h3>
      <p>
        {workedAt === null ? (
          'Nobody has signed in through the provider as it is saved now.'
        ) : (
          <>
            Somebody signed in through it on <Instant at={workedAt} />.
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

/** Goes to the provider, which leads back to this screen. */
function goTo(address: string): void {
  sessionStorage.setItem('next', location.pathname + location.search)
  location.assign(address)
}
