import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '#src/api.ts'
import { CopyButton } from '#src/ui/CopyButton.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import styles from './AwsSandbox.module.css'

/** The link to the console, and what to type there. The password is asked for, and not kept. */
export function SignIn({ consoleUrl }: { consoleUrl: string }) {
  const asking = useMutation({ mutationFn: () => api.awsSandbox.signIn(), gcTime: 0 })
  return (
    <div className="stack">
      <p>
        <Button
          component="a"
          className={styles.open}
          href={consoleUrl}
          target="_blank"
          rel="noreferrer"
          rightSection={<Icon name="external" size={16} />}
        >
          Open the AWS console
        </Button>
      </p>
      {asking.data ? (
        <>
          <dl className={styles.lines}>
            <Line term="Account ID" value={asking.data.account} />
            <Line term="IAM username" value={asking.data.username} />
            <Line term="First password" value={asking.data.password} />
          </dl>
          <p className="dim">
            AWS asks for a new password at the first sign-in. After that this one opens nothing any more.
          </p>
          <p>
            <Button variant="default" size="sm" onClick={() => asking.reset()}>
              Hide
            </Button>
          </p>
        </>
      ) : (
        <>
          <p className="dim">The console asks for an account, a user name and a password.</p>
          <p>
            <Button variant="default" disabled={asking.isPending} onClick={() => asking.mutate()}>
              Show how to sign in
            </Button>
          </p>
          {asking.isError && <p role="alert">{asking.error.message}</p>}
        </>
      )}
    </div>
  )
}

const Line = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt>{term}</dt>
    <dd>
      <span className="mono">{value}</span>
      <CopyButton text={value} label={`Copy the ${term}`} />
    </dd>
  </div>
)
