import { traceOf } from '#src/api/error.ts'

/** A message to the person. An alert interrupts; a status waits its turn. */
export interface Notice {
  readonly id: number
  readonly kind: 'alert' | 'status'
  readonly text: string
  /** The trace of the call that failed; null where it tells of none. */
  readonly trace: string | null
  /** The number of the click or key that it answers. */
  readonly action: number
  /** Something that can be done about it, for a while. */
  readonly offer?: Offer | undefined
}

/** A button in a message; it goes after so many seconds, and once it is pressed. */
export interface Offer {
  readonly label: string
  readonly seconds: number
  readonly run: () => void
}

let shown: readonly Notice[] = []
let last = 0
let action = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/**
 * The same sentence again replaces the one shown, so that a repeat is read out again and does not pile up. An alert
 * that answered an earlier action goes: beside the present answer it would contradict it.
 */
function post(kind: Notice['kind'], text: string, trace: string | null, offer?: Offer): void {
  const stays = shown.filter((notice) => notice.text !== text && (notice.kind === 'status' || notice.action === action))
  change([...stays, { id: ++last, kind, text, trace, action, offer }].slice(-4))
}

export const notify = {
  /**
   * Something went wrong, or needs the person: role alert, stays until closed, the next action's answer, or another
   * screen.
   * @param error what it tells of, where a call failed
   */
  alert: (text: string, error?: unknown) => post('alert', text, traceOf(error)),
  /** Something was done: role status, goes by itself. */
  status: (text: string, offer?: Offer) => post('status', text, null, offer),
}

export const notices = {
  read: () => shown,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** The person clicked, or sent a form. */
  noteAction: () => {
    action += 1
  },
  /** Alerts are over once the person went to another screen, or changed what was complained of. */
  dropAlerts: () => change(shown.filter(({ kind }) => kind === 'status')),
  /** A dialog opened or closed: the messages move to the topmost one. */
  rehang: () => change([...shown]),
  close: (id: number) => change(shown.filter((notice) => notice.id !== id)),
}

/** Returns the setter, with the alerts dropped: the person changes what was complained of. */
export const droppingAlerts =
  <Value>(set: (value: Value) => void) =>
  (value: Value): void => {
    notices.dropAlerts()
    set(value)
  }
