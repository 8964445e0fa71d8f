/** The things that are asked of a machine and take their time. */
export const OPERATION_KINDS = ['create', 'start', 'stop', 'restart', 'reset', 'delete', 'capture'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** The seconds that an operation took of late, of machines of one size in one region. */
export interface Usual {
  readonly median: number
  readonly p90: number
}

/** An operation's instants, RFC 3339; null: not yet, or not known. */
export interface OperationTimes {
  readonly kind: OperationKind
  readonly askedAt: string
  readonly sentAt: string | null
  readonly acceptedAt: string | null
  readonly endedAt: string | null
  readonly readyAt: string | null
}

export type StepName = 'Queued' | 'Network' | 'Sent' | 'Machine' | 'Snapshot' | 'Ready'

/** A part of an operation; `to` null: it is under way, `from` null: it has not begun. */
export interface OperationStep {
  readonly name: StepName
  readonly from: string | null
  readonly to: string | null
}

/** After these somebody wants to come in: they are over once the machine answers. */
export const ENDS_READY: ReadonlySet<OperationKind> = new Set<OperationKind>(['create', 'start', 'restart', 'reset'])

/** Returns an operation's steps in their order, those to come among them. */
export function stepsOf({ kind, askedAt, sentAt, acceptedAt, endedAt, readyAt }: OperationTimes): OperationStep[] {
  if (kind === 'capture') return [{ name: 'Snapshot', from: askedAt, to: endedAt }]
  // A later step tells that those before it are over, where nobody saw its end.
  const sent = sentAt ?? acceptedAt ?? endedAt
  const accepted = acceptedAt ?? endedAt
  const steps: OperationStep[] = [
    { name: 'Queued', from: askedAt, to: sent },
    { name: kind === 'create' ? 'Network' : 'Sent', from: sent, to: accepted },
    { name: 'Machine', from: accepted, to: endedAt },
  ]
  return ENDS_READY.has(kind) ? [...steps, { name: 'Ready', from: endedAt, to: readyAt }] : steps
}

const secondsBetween = (from: string, to: string | Date): number =>
  Math.max(0, Math.round((new Date(to).getTime() - new Date(from).getTime()) / 1000))

/** Returns the seconds that a step took, or takes until now; null: it has not begun. */
export const secondsOf = ({ from, to }: OperationStep, now: Date): number | null =>
  from === null ? null : secondsBetween(from, to ?? now)

/** '52 s', '3 min', '3 min 20 s' */
export function inWords(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 120) return `${whole} s`
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60]
  return rest === 0 || minutes >= 10 ? `${Math.round(whole / 60)} min` : `${minutes} min ${rest} s`
}

/** '52 s of about 80 s'; '52 s so far' where nothing was measured yet. */
export function progressText(askedAt: string, usual: Usual | null, now: Date): string {
  const seconds = secondsBetween(askedAt, now)
  if (usual === null) return `${inWords(seconds)} so far`
  const about = inWords(usual.median)
  return seconds > usual.p90
    ? `${inWords(seconds)}, longer than the usual ${about}`
    : `${inWords(seconds)} of about ${about}`
}

/** The same, and once the machine runs, how long it has not answered. */
export function waitText(
  { askedAt, endedAt, usual }: OperationTimes & { readonly usual: Usual | null },
  now: Date,
): string {
  return endedAt === null
    ? progressText(askedAt, usual, now)
    : `No answer yet, ${inWords(secondsBetween(endedAt, now))}`
}
