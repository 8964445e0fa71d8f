import { Button } from '@mantine/core'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { CopiedFact, Facts } from '@trainyard/lab-users/web/Facts.tsx'
import { ProviderLink } from '@trainyard/lab-users/web/ProviderLink.tsx'
import styles from './AwsSandbox.module.css'

export function SignIn({ consoleUrl }: { consoleUrl: string }) {
  const signInQuery = useDedupedMutation({ mutationFn: () => api.awsSandbox.signIn(), gcTime: 0 })
  return (
    <div className="stack">
      <p>
        <ProviderLink href={consoleUrl}>Open the AWS console</ProviderLink>
      </p>
      {signInQuery.data ? (
        <>
          <div className={styles.typed}>
            <Facts>
              <CopiedFact term="Account ID" value={signInQuery.data.account} label="Copy the Account ID" />
              <CopiedFact term="IAM username" value={signInQuery.data.username} label="Copy the IAM username" />
              <CopiedFact term="First password" value={signInQuery.data.password} label="Copy the First password" />
            </Facts>
          </div>
          <p className="dim">
            AWS asks for a new password at the first sign-in. The first password then stops working.
          </p>
          <p>
            <Button variant="default" size="sm" onClick={() => signInQuery.reset()}>
              Hide
            </Button>
          </p>
        </>
      ) : (
        <>
          <p className="dim">The console asks for an account, a user name and a password.</p>
          <p>
            <Button variant="default" disabled={signInQuery.isPending} onClick={() => signInQuery.mutate()}>
              Show how to sign in
            </Button>
          </p>
          {signInQuery.isError && <p role="alert">{signInQuery.error.message}</p>}
        </>
      )}
    </div>
  )
}
