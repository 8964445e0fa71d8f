import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { secondFactor } from '../contract/second-factor.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import styles from './SecondFactor.module.css'

const AddApp = lazy(() => import('./AddApp.tsx'))

type Factors = ReplyOf<typeof secondFactor.read>

export default function SecondFactor() {
  const heading = useId()
  const factors = useQuery(query(api.secondFactor.read))
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <section className="stack" aria-labelledby={heading}>
      <h2 id={heading}>Second Factor</h2>
      <p>With a second factor, your password is not enough: you will also need a code or a passkey to sign in.</p>
      <Fetched query={factors} loading={<Skeleton rows={2} height="2.25rem" />}>
        {(data) => (
          <>
            <App app={data.app} show={setCodes} />
            {(data.app !== null || data.passkeys.length > 0) && (
              <RecoveryCodes left={data.recoveryCodes} show={setCodes} />
            )}
          </>
        )}
      </Fetched>
      {codes && <RecoveryCodesDialog codes={codes} close={() => setCodes(null)} />}
    </section>
  )
}

type Show = (codes: readonly string[]) => void
const failed = (error: Error) => notify.alert(error.message, error)
const FACTORS = ['secondFactor', 'session', 'account'] as const

function App({ app, show }: { app: Factors['app']; show: Show }) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const begin = useDedupedMutation({ mutationFn: () => api.secondFactor.beginApp(), onError: failed })
  const remove = useAction(() => api.secondFactor.removeApp(), {
    invalidates: FACTORS,
    onSettled: () => setDialogOpen(false),
  })
  return (
    <div className={styles.line}>
      {app === null ? (
        <>
          <p>No authenticator app is set up.</p>
          <Button variant="default" size="sm" disabled={begin.isPending} onClick={() => begin.mutate()}>
            Set up an authenticator app
          </Button>
        </>
      ) : (
        <>
          <p>
            Authenticator app, added <Instant at={app.addedAt} />
          </p>
          <Button size="sm" variant="default" onClick={() => setDialogOpen(true)}>
            Remove the app
          </Button>
        </>
      )}
      {begin.data && (
        <Suspense>
          <AddApp
            setup={begin.data}
            close={begin.reset}
            added={(reply) => {
              begin.reset()
              notify.status(reply.message)
              if (reply.recoveryCodes) show(reply.recoveryCodes)
              void invalidate(...FACTORS)
            }}
          />
        </Suspense>
      )}
      {isDialogOpen && (
        <ConfirmDialog
          title="Remove the authenticator app"
          confirm="Remove the app"
          busy={remove.isPending && 'Removing...'}
          destroys
          onConfirm={() => remove.mutate()}
          close={() => setDialogOpen(false)}
        >
          <p>Its codes no longer sign you in. Without a passkey, your password alone is then enough to sign in.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function RecoveryCodes({ left, show }: { left: number; show: Show }) {
  const making = useDedupedMutation({
    mutationFn: () => api.secondFactor.renewRecoveryCodes(),
    onSuccess: (reply) => {
      show(reply.recoveryCodes)
      return invalidate(...FACTORS)
    },
    onError: failed,
  })
  return (
    <div className={styles.line}>
      <p>{countOf(left, 'recovery code')} left. New codes replace them.</p>
      <Button size="sm" variant="default" disabled={making.isPending} onClick={() => making.mutate()}>
        Make new recovery codes
      </Button>
    </div>
  )
}
