import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { machine as calls } from '../contract/machine.ts'
import { formatDuration } from '@trainyard/platform/contract/words/duration.ts'
import {
  type OperationStep,
  OPERATIONS_WITH_READY_STEP,
  progressText,
  secondsOf,
  stepsOf,
} from '../contract/operation.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { useSeconds } from '@trainyard/platform/web/ui/useSeconds.ts'
import { formatMilliseconds, OPENING_LABELS } from './openings.ts'
import type { MachineDialogProps } from './machine-dialog.ts'
import styles from './Timeline.module.css'

type Opening = ReplyOf<typeof calls.operations>['openings'][number]
type Operation = ReplyOf<typeof calls.operations>['operations'][number]

const TITLES: Record<Operation['kind'], string> = {
  create: 'Create',
  start: 'Start',
  stop: 'Stop',
  restart: 'Restart',
  reset: 'Reset',
  delete: 'Delete',
  capture: 'Snapshot',
}

export default function Timeline({ machines, training, close }: MachineDialogProps) {
  return (
    <Dialog title={`Timeline of ${machines[0]!.name}`} close={close}>
      <Operations machine={machines[0]!} training={training} />
    </Dialog>
  )
}

interface OperationsProps {
  machine: MachineDialogProps['machines'][number]
  training: MachineDialogProps['training']
}

export function Operations({ machine: { name, _id }, training }: OperationsProps) {
  const operations = useQuery(query(api.machine.operations, { vmName: name }))
  // The machine list is updated by the console's event stream; refetch when the progress in it changes.
  const { data: pushed } = useQuery({
    ...query(api.machine.list, training),
    select: (machines) => JSON.stringify(machines.find((machine) => machine._id === _id)?.progress),
  })
  useEffect(() => void invalidate(api.machine.operations), [pushed])
  return (
    <Fetched query={operations} loading={<Skeleton rows={3} height="5rem" />}>
      {(data) =>
        data.operations.length + data.openings.length === 0 ? (
          <p>No operations on this instance yet.</p>
        ) : (
          <ol className={styles.operations} aria-label={`Operations of ${name}, newest first`}>
            {eventsOf(data).map((event) =>
              'opening' in event ? (
                <OpeningLine key={event.at} opening={event.opening} />
              ) : (
                <OperationLine key={event.at + event.operation.kind} operation={event.operation} />
              ),
            )}
          </ol>
        )
      }
    </Fetched>
  )
}

const eventsOf = ({ operations, openings }: ReplyOf<typeof calls.operations>) =>
  [
    ...operations.map((operation) => ({ at: operation.askedAt, operation })),
    ...openings.map((opening) => ({ at: opening.at, opening })),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))

const OpeningLine = ({ opening: { kind, at, milliseconds, usual } }: { opening: Opening }) => (
  <li>
    <h3>{OPENING_LABELS[kind]} in the browser</h3>
    <p className={styles.about}>
      <Instant at={at} />
      <span>usable {formatMilliseconds(milliseconds)} after the click</span>
      <span>
        usually {formatMilliseconds(usual.median)}, 95 % within {formatMilliseconds(usual.p95)}
      </span>
    </p>
  </li>
)

function OperationLine({ operation }: { operation: Operation }) {
  const now = useSeconds(!operation.closed)
  const { kind, askedAt, endedAt, usual, closed, reason } = operation
  const steps = stepsOf(operation)
  const durations = steps.map((step) => secondsOf(step, now))
  const askedMs = Date.parse(askedAt)
  const offsetOf = ({ from }: OperationStep) => (from === null ? 0 : (Date.parse(from) - askedMs) / 1000)
  const whole = Math.max(1, ...steps.map((step, index) => offsetOf(step) + (durations[index] ?? 0)))
  const visibleSteps = closed ? steps.filter(({ to }) => to !== null) : steps
  return (
    <li>
      <h3>{TITLES[kind]}</h3>
      <p className={styles.about}>
        <Instant at={askedAt} />
        <span>{summaryOf(operation, now)}</span>
        {usual !== null && endedAt !== null && (
          <span>
            usually {formatDuration(usual.median)}, 90 % within {formatDuration(usual.p90)}
          </span>
        )}
      </p>
      {reason !== null && <Reason text={reason} />}
      <ol className={styles.steps} aria-label="Steps">
        {visibleSteps.map((step) => {
          const seconds = durations[steps.indexOf(step)]!
          return (
            <li key={step.name} data-ahead={seconds === null || undefined}>
              <span>{step.name}</span>
              <span
                className={styles.bar}
                aria-hidden="true"
                style={{ '--from': offsetOf(step) / whole, '--share': (seconds ?? 0) / whole } as object}
              />
              <span className={styles.seconds}>{seconds === null ? 'pending' : formatDuration(seconds)}</span>
            </li>
          )
        })}
      </ol>
    </li>
  )
}

function summaryOf({ kind, askedAt, endedAt, readyAt, usual, closed }: Operation, now: Date): string {
  if (endedAt === null) return closed ? 'not completed' : progressText(askedAt, usual, now)
  const durationText = `took ${formatDuration(secondsOf({ name: 'Machine', from: askedAt, to: endedAt }, now)!)}`
  if (!OPERATIONS_WITH_READY_STEP.has(kind)) return durationText
  if (readyAt !== null)
    return `${durationText}, ready after ${formatDuration((Date.parse(readyAt) - Date.parse(askedAt)) / 1000)}`
  return closed ? durationText : `${durationText}, not answering yet`
}
