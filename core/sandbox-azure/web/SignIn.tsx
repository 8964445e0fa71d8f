import { Button } from '@mantine/core'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { CopiedFact, Facts } from '@trainyard/lab-users/web/Facts.tsx'
import { ProviderLink } from '@trainyard/lab-users/web/ProviderLink.tsx'
import sheet from '@trainyard/lab-users/web/Sheet.module.css'
import styles from './AzureSandbox.module.css'

export function SignIn({ email, portalUrl }: { email: string; portalUrl: string }) {
  const signInQuery = useDedupedMutation({ mutationFn: () => api.azureSandbox.signIn(), gcTime: 0 })
  return (
    <section className={`panel ${sheet.sheet}`} aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in to Azure</h2>
      <Facts>
        <CopiedFact term="Username" value={signInQuery.data?.username ?? email} label="Copy the username" />
        {signInQuery.data && (
          <CopiedFact term="First password" value={signInQuery.data.password} label="Copy the first password" />
        )}
      </Facts>
      <p className="dim">Azure asks for a new password at the first sign-in. The first password then stops working.</p>
      <p className="dim">
        Microsoft also requires multifactor authentication: have a phone with an authenticator app ready to set it up.
      </p>
      <div className={styles.actions}>
        <ProviderLink href={portalUrl}>Open the Azure portal</ProviderLink>
        {signInQuery.data ? (
          <Button variant="default" onClick={() => signInQuery.reset()}>
            Hide the password
          </Button>
        ) : (
          <Button variant="default" disabled={signInQuery.isPending} onClick={() => signInQuery.mutate()}>
            Show the first password
          </Button>
        )}
      </div>
      {signInQuery.isError && <p role="alert">{signInQuery.error.message}</p>}
    </section>
  )
}
