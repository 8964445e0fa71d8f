import { requestIdOf } from '../api/error.ts'

/** A message to the user. Screen readers announce an alert at once and a status when idle. */
export interface Notice {
  readonly id: number
  readonly kind: 'alert' | 'status'
  readonly text: string
  readonly requestId: string | null
  /** Number of the user action that the message belongs to. */
  readonly action: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Button shown with the message for a limited time. */
  readonly offer?: Offer | undefined
}

export interface Offer {
  readonly label: string
  readonly seconds: number
  readonly run: () => void
}

/** Milliseconds for which a result is shown. */
const STATUS_SHOWN_MS = 8_000

let shown: readonly Notice[] = []
let last = 0
let action = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/**
 * Posts a message. A repeated text is announced again. Alerts of earlier actions are removed, because they could
 * contradict the new message.
 */
function post(kind: Notice['kind'], text: string, requestId: string | null, offer?: Offer): void {
  const stays = shown.filter((notice) => notice.text !== text && (notice.kind === 'status' || notice.action === action))
  const id = ++last
  change([...stays, { id, kind, text, requestId, action, offer, at: Date.now() }].slice(-4))
  if (kind === 'status') setTimeout(() => notices.close(id), STATUS_SHOWN_MS)
}

export const notify = {
  /** Shows an alert until it is closed, the next action has a result, or the user navigates. */
  alert: (text: string, error?: unknown) => post('alert', text, requestIdOf(error)),
  /** Shows a result: role status, removed automatically. */
  status: (text: string, offer?: Offer) => post('status', text, null, offer),
}

export const notices = {
  read: () => shown,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Counts a click or a submitted form as a new action. */
  noteAction: () => {
    action += 1
  },
  clearAlerts: () => change(shown.filter(({ kind }) => kind === 'status')),
  /** Renders the messages again, because a dialog opened or closed. The messages are shown in the topmost dialog. */
  rerender: () => change([...shown]),
  close: (id: number) => change(shown.filter((notice) => notice.id !== id)),
}

/** Wraps a field's setter: removes all alerts when the user changes the field. */
export const clearingAlerts =
  <Value>(set: (value: Value) => void) =>
  (value: Value): void => {
    notices.clearAlerts()
    set(value)
  }
