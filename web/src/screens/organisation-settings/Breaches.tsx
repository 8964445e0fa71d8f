import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { useSaveFile } from '#src/api/file.ts'
import { query } from '#src/api/queries.ts'
import { useAction } from '#src/api/useAction.ts'
import { Section } from '#src/forms/Section.tsx'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { countOf } from '#src/ui/count-of.ts'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Instant } from '#src/ui/Instant.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useNow } from '#src/ui/useNow.ts'
import { TextButton } from '#src/ui/TextButton.tsx'
import { AddAffected, type Breach, EditBreach, RecordBreach } from './BreachDialogs.tsx'

/** Personal data breaches of the whole portal, for superadmins. */
export default function Breaches() {
  const list = useQuery({
    ...query(api.breach.list),
    refetchInterval: ({ state }) => (state.data?.breaches.some(({ notices }) => notices.requested > 0) ? 5_000 : false),
  })
  return (
    <Section
      title="Personal Data Breaches"
      text="Of the whole portal, for superadmins only. Users must be informed without delay, the Data Protection Board within 72 hours."
    >
      <div className="row">
        <DialogButton icon="plus" variant="default" dialog={(close) => <RecordBreach close={close} />}>
          Record a Breach
        </DialogButton>
      </div>
      <Fetched query={list} loading={<Skeleton rows={1} height="4rem" />}>
        {({ breaches }) =>
          breaches.length === 0 ? (
            <p className="dim">No breach is recorded.</p>
          ) : (
            <ul>
              {breaches.map((breach) => (
                <BreachItem key={breach.number} breach={breach} />
              ))}
            </ul>
          )
        }
      </Fetched>
    </Section>
  )
}

type DialogName = 'edit' | 'add' | 'notify' | 'reported'

function BreachItem({ breach }: { breach: Breach }) {
  const [open, setOpen] = useState<DialogName | null>(null)
  const { saving, save } = useSaveFile()
  const { number, what, foundAt, recordedBy, affected, notices } = breach
  const close = () => setOpen(null)
  return (
    <li>
      <strong>Breach {number}:</strong> {what} Found at <Instant at={foundAt} />, recorded by {recordedBy}.
      <BoardDeadline breach={breach} />
      <p>
        {affected.length === 0
          ? 'No affected users are listed yet.'
          : `Affected: ${affected.map(({ organization, users }) => `${countOf(users, 'user')} of ${organization ?? 'no organisation'}`).join(', ')}.`}{' '}
        {`Notices: ${notices.sent} sent, ${notices.requested} in the queue, ${notices.failed} failed, ${notices.waiting} not requested.`}
      </p>
      <p className="row">
        <TextButton label={`Details of breach ${number}`} onClick={() => setOpen('edit')}>
          Details
        </TextButton>
        <TextButton label={`Add affected users to breach ${number}`} onClick={() => setOpen('add')}>
          Add affected users
        </TextButton>
        <TextButton label={`Send notices about breach ${number}`} onClick={() => setOpen('notify')}>
          Send notices
        </TextButton>
        <TextButton
          label={`Recipients as CSV for breach ${number}`}
          disabled={saving}
          onClick={() => void save(['breach', 'recipients'], { number })}
        >
          Recipients as CSV
        </TextButton>
        <TextButton
          label={`Draft report on breach ${number}`}
          disabled={saving}
          onClick={() => void save(['breach', 'draft'], { number })}
        >
          Draft report
        </TextButton>
        {breach.boardReportedAt === null && (
          <TextButton label={`Report sent for breach ${number}`} onClick={() => setOpen('reported')}>
            Report sent
          </TextButton>
        )}
      </p>
      {open === 'edit' && <EditBreach breach={breach} close={close} />}
      {open === 'add' && <AddAffected number={number} close={close} />}
      {open === 'notify' && <SendNotices breach={breach} close={close} />}
      {open === 'reported' && <ReportSent number={number} close={close} />}
    </li>
  )
}

function BoardDeadline({ breach: { boardReportDue, boardReportedAt } }: { breach: Breach }) {
  const now = useNow()
  if (boardReportedAt !== null)
    return (
      <p>
        Reported to the Board at <Instant at={boardReportedAt} />.
      </p>
    )
  const isOverdue = Date.parse(boardReportDue) < now.getTime()
  return (
    <p>
      {isOverdue ? 'The report to the Board is overdue since ' : 'Report to the Board until '}
      <Instant at={boardReportDue} />.
    </p>
  )
}

function SendNotices({ breach: { number, notices }, close }: { breach: Breach; close: () => void }) {
  const sending = useAction(() => api.breach.notify({ number }), { invalidates: ['breach'], onDone: close })
  return (
    <ConfirmDialog
      title={`Send notices about breach ${number}?`}
      confirm="Send Notices"
      busy={sending.isPending && 'Sending...'}
      onConfirm={() => sending.mutate()}
      close={close}
    >
      <p>
        {countOf(notices.waiting + notices.failed, 'recipient')} and the admins of their organisations receive what
        happened, the likely consequences, the measures, the advice and the contact by e-mail. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

function ReportSent({ number, close }: { number: number; close: () => void }) {
  const recording = useAction(() => api.breach.reported({ number }), { invalidates: ['breach'], onDone: close })
  return (
    <ConfirmDialog
      title={`Was the report on breach ${number} sent?`}
      confirm="Record as Sent"
      busy={recording.isPending && 'Recording...'}
      onConfirm={() => recording.mutate()}
      close={close}
    >
      <p>The portal does not send the report. Record it here after you have sent it to the Data Protection Board.</p>
    </ConfirmDialog>
  )
}
