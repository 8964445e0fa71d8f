import { formatDuration } from '@trainyard/platform/contract/words/duration.ts'

/** How a machine opens in the browser. A terminal is usable once its prompt appears, a desktop once a full frame is shown. */
export const OPENING_KINDS = ['terminal', 'desktop'] as const
export type OpeningKind = (typeof OPENING_KINDS)[number]

export const OPERATION_KINDS = ['create', 'start', 'stop', 'restart', 'reset', 'delete', 'capture'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** In seconds, for machines of one size in one region. */
export interface UsualDuration {
  readonly median: number
  readonly p90: number
}

/** Instants of an operation, RFC 3339; null if not reached yet or unknown. */
export interface OperationTimes {
  readonly kind: OperationKind
  readonly askedAt: string
  readonly sentAt: string | null
  readonly acceptedAt: string | null
  readonly endedAt: string | null
  readonly readyAt: string | null
}

type StepName = 'Queued' | 'Network' | 'Sent' | 'Machine' | 'Snapshot' | 'Ready'

export interface OperationStep {
  readonly name: StepName
  readonly from: string | null
  readonly to: string | null
}

/** A user wants to connect, so the last step waits until the machine answers. */
export const OPERATIONS_WITH_READY_STEP: ReadonlySet<OperationKind> = new Set<OperationKind>([
  'create',
  'start',
  'restart',
  'reset',
])

export function stepsOf({ kind, askedAt, sentAt, acceptedAt, endedAt, readyAt }: OperationTimes): OperationStep[] {
  if (kind === 'capture') return [{ name: 'Snapshot', from: askedAt, to: endedAt }]
  // If the end of a step was not observed, the instant of a later step is used.
  const sent = sentAt ?? acceptedAt ?? endedAt
  const accepted = acceptedAt ?? endedAt
  const steps: OperationStep[] = [
    { name: 'Queued', from: askedAt, to: sent },
    { name: kind === 'create' ? 'Network' : 'Sent', from: sent, to: accepted },
    { name: 'Machine', from: accepted, to: endedAt },
  ]
  return OPERATIONS_WITH_READY_STEP.has(kind) ? [...steps, { name: 'Ready', from: endedAt, to: readyAt }] : steps
}

const secondsBetween = (from: string, to: string | Date): number =>
  Math.max(0, Math.round((new Date(to).getTime() - new Date(from).getTime()) / 1000))

export const secondsOf = ({ from, to }: OperationStep, now: Date): number | null =>
  from === null ? null : secondsBetween(from, to ?? now)

/** '52 s of about 80 s', or '52 s so far' without measurements. */
export function progressText(askedAt: string, usual: UsualDuration | null, now: Date): string {
  const seconds = secondsBetween(askedAt, now)
  if (usual === null) return `${formatDuration(seconds)} so far`
  const about = formatDuration(usual.median)
  if (usual.median < 1) return formatDuration(seconds)
  return seconds > usual.p90
    ? `${formatDuration(seconds)}, longer than the usual ${about}`
    : `${formatDuration(seconds)} of about ${about}`
}

export function waitText(
  { askedAt, endedAt, usual }: OperationTimes & { readonly usual: UsualDuration | null },
  now: Date,
): string {
  return endedAt === null
    ? progressText(askedAt, usual, now)
    : `No answer yet, ${formatDuration(secondsBetween(endedAt, now))}`
}
