import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ClassSession } from '../../contract/class-session.ts'
import type { ClassSessionScope } from '../../contract/class-session-words.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { CloseButton, Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { changeDraft, type SessionDraft } from './draft.ts'
import { dayWords, repeatWords, stateOf, timeWords } from './session-words.ts'
import styles from './Sessions.module.css'

const INVALIDATES = ['classSession', 'schedule', 'recurrence', 'ready', 'accessWindow'] as const

const ROW_WORDS = {
  none: 'not planned',
  pending: 'planned',
  done: 'done',
  missed: 'missed: the portal could not act in time',
} as const

interface SessionDialogProps {
  training: TrainingQuery
  session: ClassSession
  change: (draft: SessionDraft) => void
  close: () => void
}

export default function SessionDialog({ training, session, change, close }: SessionDialogProps) {
  const [cancels, setCancels] = useState<ClassSessionScope | null>(null)
  const now = useNow()
  const { words } = stateOf(session, now)
  const isOver = new Date(session.stopsAt) <= now
  const hasStarted = new Date(session.startsAt) <= now
  const skipping = useAction(
    (skipped: boolean) => api.classSession.skip({ ...training, sessionId: session._id, skipped }),
    {
      invalidates: INVALIDATES,
      refetchesOnFailure: true,
      onDone: close,
    },
  )
  const edit = (scope: ClassSessionScope) => change(changeDraft(session, scope))
  if (cancels !== null) {
    return (
      <DeleteDialog
        name={
          cancels === 'one' ? `session on ${formatDate(session.date)}` : `sessions from ${formatDate(session.date)}`
        }
        remove={() => api.classSession.remove({ ...training, sessionId: session._id, scope: cancels })}
        invalidates={INVALIDATES}
        close={close}
      >
        <p>
          {cancels === 'one'
            ? 'Its machines are not prepared, started or shut down at its times.'
            : 'This session and all later ones of the weekly class are cancelled. Earlier ones stay listed.'}
        </p>
      </DeleteDialog>
    )
  }
  return (
    <Dialog
      title={`${dayWords(session.date)}, ${timeWords(session)}`}
      close={close}
      foot={<CloseButton close={close} />}
    >
      <div className="stack">
        <p>
          {repeatWords(session)}.{words !== '' && ` ${words}.`}
        </p>
        {!session.skipped && (
          <dl className={styles.rows}>
            <dt>Ready by {session.start}</dt>
            <dd>{ROW_WORDS[session.ready]}</dd>
            <dt>Power On {session.start}</dt>
            <dd>{ROW_WORDS[session.powerOn]}</dd>
            <dt>Shut Down {session.stop}</dt>
            <dd>{ROW_WORDS[session.shutDown]}</dd>
            <dt>Access of learners</dt>
            <dd>{session.limitsAccess ? 'only during sessions' : 'not limited by this session'}</dd>
            {session.cost !== undefined && (
              <>
                <dt>Cost at current prices</dt>
                <dd>{formatRupees(session.cost)}</dd>
              </>
            )}
          </dl>
        )}
        {!isOver && (
          <div className={styles.actions}>
            <Button variant="default" data-autofocus onClick={() => edit('one')}>
              {session.weekly === null ? 'Change' : 'Change this session'}
            </Button>
            {session.weekly !== null && !hasStarted && (
              <Button variant="default" onClick={() => edit('following')}>
                Change this and following
              </Button>
            )}
            {!hasStarted && session.weekly !== null && (
              <Button variant="default" disabled={skipping.isPending} onClick={() => skipping.mutate(!session.skipped)}>
                {session.skipped ? 'Restore this session' : 'Skip this date'}
              </Button>
            )}
            {!hasStarted && session.weekly === null && (
              <Button variant="default" onClick={() => setCancels('one')}>
                Cancel session
              </Button>
            )}
            {session.weekly !== null && (
              <Button variant="default" onClick={() => setCancels('following')}>
                {hasStarted ? 'Cancel following sessions' : 'Cancel this and following'}
              </Button>
            )}
          </div>
        )}
      </div>
    </Dialog>
  )
}
