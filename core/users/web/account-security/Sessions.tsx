import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { account } from '../../contract/account.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import styles from './AccountSecurity.module.css'

type Session = ReplyOf<typeof account.sessions>['sessions'][number]

const rowId = ({ id }: Session) => id

const REFETCH = { invalidates: ['account'], refetchesOnFailure: true } as const

export default function Sessions() {
  const heading = useId()
  const sessions = useQuery(query(api.account.sessions))
  const { mutate: end } = useAction(api.account.endSession, REFETCH)
  const columns = useMemo<readonly Column<Session>[]>(
    () => [
      { id: 'browser', header: 'Browser', value: ({ browser }) => browser },
      { id: 'address', header: 'Address', value: ({ address }) => address },
      instantColumn('since', 'Signed in since'),
      instantColumn('seen', 'Last seen'),
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
    <TextButton label={`End the session of ${session.browser}`} onClick={() => end({ id: session.id })}>
      End
    </TextButton>
  )

function EndOthers() {
  const [isDialogOpen, setDialogOpen] = useState(false)
  const close = () => setDialogOpen(false)
  const ending = useAction(api.account.endSessions, { ...REFETCH, onSettled: close })
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setDialogOpen(true)}>
        End all others
      </Button>
      {isDialogOpen && (
        <ConfirmDialog
          title="End all other sessions"
          confirm="End all others"
          busy={ending.isPending && 'Ending...'}
          onConfirm={() => ending.mutate()}
          close={close}
        >
          <p>You stay signed in here, and are signed out everywhere else. Open terminals there end.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
