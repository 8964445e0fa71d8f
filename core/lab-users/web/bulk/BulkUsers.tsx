import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { SANDBOX_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { useUnsaved } from '@trainyard/platform/web/ui/unsaved.tsx'
import { FetchFailed } from '@trainyard/platform/web/ui/FetchFailed.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { daysOf, type LabUser, type LabUserSource } from '../lab-users.ts'
import { ChooseFile } from './ChooseFile.tsx'
import { DryRun } from './DryRun.tsx'
import { planOf } from './plan.ts'
import { readFile, type Chosen } from './read-csv.ts'
import { ReportView } from './ReportView.tsx'
import { useBulk, type Bulk } from './useBulk.ts'
import styles from './Bulk.module.css'

interface BulkUsersProps {
  source: LabUserSource<LabUser>
  close: () => void
}

export default function BulkUsers({ source, close }: BulkUsersProps) {
  const { bulk, start, stop, resume } = useBulk(source)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [duration, setDuration] = useState('')
  const [asking, setAsking] = useState(false)
  const list = useQuery({
    ...query(source.list),
    select: ({ users }) => users,
    enabled: bulk === null,
  })
  const days = daysOf(duration, SANDBOX_DAYS_MAX)
  const { leave, question } = useUnsaved(bulk === null && (chosen !== null || duration !== ''))
  const rows = chosen !== null && 'rows' in chosen ? chosen.rows : null
  // Until a duration is typed, the rows are checked with 1 day.
  const plan = useMemo(() => (rows && list.data ? planOf(rows, days ?? 1, list.data) : null), [rows, days, list.data])
  const daysProblem = `Enter a duration from 1 to ${SANDBOX_DAYS_MAX} days.`
  const may: TrueOrReason =
    plan === null
      ? 'Choose a CSV file first.'
      : plan.valid.length === 0
        ? 'The file has no users to create.'
        : plan.needsDays && days === null
          ? daysProblem
          : true

  if (bulk !== null) {
    const running = bulk.state === 'running' || (bulk.state === 'done' && bulk.shown < 100)
    return (
      <Dialog
        title="Bulk Add Users"
        wide
        close={running ? stop : close}
        foot={
          running ? (
            <Button variant="default" onClick={stop}>
              Cancel
            </Button>
          ) : (
            <>
              <Button variant={bulk.state === 'stopped' ? 'default' : undefined} onClick={close}>
                Close
              </Button>
              {bulk.state === 'stopped' && <Button onClick={resume}>Resume</Button>}
            </>
          )
        }
      >
        <Progress bulk={bulk} />
        {!running && <ReportView bulk={bulk} name={chosen?.name ?? 'users'} />}
      </Dialog>
    )
  }
  return (
    <Dialog
      title="Bulk Add Users"
      wide
      close={() => leave(close)}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ReasonButton may={may} onClick={() => setAsking(true)}>
            {plan === null ? 'Create users' : `Create ${countOf(plan.valid.length, 'user')}`}
          </ReasonButton>
        </>
      }
    >
      <ChooseFile
        choose={(file) => void (file && readFile(file).then(setChosen))}
        problem={chosen !== null && 'problem' in chosen ? chosen.problem : null}
        duration={duration}
        setDuration={setDuration}
        durationProblem={days === null && duration.trim() !== '' ? daysProblem : null}
      />
      {chosen !== null && 'rows' in chosen && (
        <>
          {plan !== null ? (
            <DryRun name={chosen.name} plan={plan} unusedColumns={chosen.unusedColumns} />
          ) : list.isError ? (
            <FetchFailed text={ALERTS.usersFailed} retry={() => void list.refetch()} />
          ) : (
            <Skeleton rows={3} />
          )}
        </>
      )}
      {asking && plan !== null && (
        <ConfirmDialog
          title={`Create ${countOf(plan.valid.length, 'user')}`}
          confirm={`Create ${countOf(plan.valid.length, 'user')}`}
          onConfirm={() => {
            setAsking(false)
            start(plan)
          }}
          close={() => setAsking(false)}
        >
          <p>
            {countOf(plan.valid.length, 'user')} will be created and invited by mail at the personal address.
            {plan.needsDays && days !== null && ` Rows without a duration get ${countOf(days, 'day')}.`}
            {plan.invalid.length > 0 && ` ${countOf(plan.invalid.length, 'row')} will be skipped.`}
          </p>
        </ConfirmDialog>
      )}
      {question}
    </Dialog>
  )
}

function Progress({ bulk: { shown, outcomes, total, state } }: { bulk: Bulk }) {
  const full = shown === 100
  return (
    <div className={styles.progress}>
      <progress className="visually-hidden" aria-label="Creating users" value={shown} max={100}>
        {shown}%
      </progress>
      <div className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${shown}%` }} />
      </div>
      <p className="ends">
        <output>{full ? ALERTS.bulkDone : state === 'stopped' ? 'Stopped' : 'Creating users...'}</output>
        <span className="dim">
          {outcomes.size} of {countOf(total, 'user')} · {shown}%
        </span>
      </p>
    </div>
  )
}
