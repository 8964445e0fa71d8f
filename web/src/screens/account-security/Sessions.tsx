import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { account } from '@trainyard/contract/calls/account.ts'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Instant } from '#src/ui/Instant.tsx'
import { Lamp } from '#src/ui/Lamp.tsx'
import { notify } from '#src/ui/notices.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import styles from './AccountSecurity.module.css'

type Session = ReplyOf<typeof account.sessions>['sessions'][number]

const rowId = ({ id }: Session) => id

/** Returns a mutation that ends sessions, shows the server's reply and refetches the list. */
const useEnding = <Input,>(end: (input: Input) => Promise<{ message: string }>) =>
  useDedupedMutation({
    mutationFn: end,
    onSuccess: (reply) => {
      notify.status(reply.message)
      return invalidate('account')
    },
    onError: (error) => {
      notify.alert(error.message, error)
      return invalidate('account')
    },
  })

export function Sessions() {
  const heading = useId()
  const sessions = useQuery(query(api.account.sessions))
  const { mutate: end } = useEnding(api.account.endSession)
  const columns = useMemo<readonly Column<Session>[]>(
    () => [
      { id: 'browser', header: 'Browser', value: ({ browser }) => browser },
      { id: 'address', header: 'Address', value: ({ address }) => address },
      {
        id: 'since',
        header: 'Signed in since',
        value: ({ since }) => since,
        cell: ({ since }) => <Instant at={since} />,
      },
      { id: 'seen', header: 'Last seen', value: ({ seen }) => seen, cell: ({ seen }) => <Instant at={seen} /> },
      { id: 'end', header: 'Session', cell: (session) => <End session={session} end={end} /> },
    ],
    [end],
  )
  const others = sessions.data?.sessions.some(({ present }) => !present) ?? false
  return (
    <section className="stack" aria-labelledby={heading}>
      <div className={`row ${styles.head}`}>
        <h2 id={heading}>Sessions</h2>
        {others && <EndOthers />}
      </div>
      <p>
        You are signed in in these browsers. If you don’t recognise a browser or address, end its session and change
        your password.
      </p>
      <Fetched query={sessions} loading={<Skeleton rows={3} height="2.25rem" />}>
        {(data) => (
          <DataTable
            label="Sessions"
            rows={data.sessions}
            rowId={rowId}
            columns={columns}
            empty={EMPTY.list('Session')}
            stacks
          />
        )}
      </Fetched>
    </section>
  )
}

const End = ({ session, end }: { session: Session; end: (body: { id: string }) => void }) =>
  session.present ? (
    <Lamp signal="clear">This session</Lamp>
  ) : (
    <button
      type="button"
      className="text-button"
      aria-label={`End the session of ${session.browser}`}
      onClick={() => end({ id: session.id })}
    >
      End
    </button>
  )

function EndOthers() {
  const [asking, setAsking] = useState(false)
  const ending = useEnding(api.account.endSessions)
  const close = () => setAsking(false)
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setAsking(true)}>
        End all others
      </Button>
      {asking && (
        <ConfirmDialog
          title="End all other sessions"
          confirm="End all others"
          busy={ending.isPending && 'Ending...'}
          onConfirm={() => ending.mutate(undefined, { onSettled: close })}
          close={close}
        >
          <p>You stay signed in here, and are signed out everywhere else. Open terminals there end.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
