import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '#src/api.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import styles from './AzureSandbox.module.css'

/** The link to the portal, and what to type there. The password is asked for, and not kept. */
export function SignIn({ email, portalUrl }: { email: string; portalUrl: string }) {
  const asking = useMutation({ mutationFn: () => api.azureSandbox.signIn(), gcTime: 0 })
  return (
    <section className={`panel ${styles.sheet}`} aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in to Azure</h2>
      <dl className={styles.facts}>
        <Line term="Username" value={asking.data?.username ?? email} />
        {asking.data && <Line term="First password" value={asking.data.password} />}
      </dl>
      <p className="dim">
        Azure asks for a new password at the first sign-in. After that the first one opens nothing any more.
      </p>
      <div className={styles.actions}>
        <Button
          component="a"
          className={styles.open}
          href={portalUrl}
          target="_blank"
          rel="noreferrer"
          rightSection={<Icon name="external" size={16} />}
        >
          Open the Azure portal
        </Button>
        {asking.data ? (
          <Button variant="default" onClick={() => asking.reset()}>
            Hide the password
          </Button>
        ) : (
          <Button variant="default" disabled={asking.isPending} onClick={() => asking.mutate()}>
            Show the first password
          </Button>
        )}
      </div>
      {asking.isError && <p role="alert">{asking.error.message}</p>}
    </section>
  )
}

const Line = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt>{term}</dt>
    <dd className={styles.copied}>
      <span className="mono">{value}</span>
      <CopyButton text={value} label={`Copy the ${term.toLowerCase()}`} />
    </dd>
  </div>
)
