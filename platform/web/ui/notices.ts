import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { requestIdOf } from '../api/error.ts'
import { Message, type MessageProps } from './Message.tsx'

/** Button shown with a message for a limited time. */
export interface Offer {
  readonly label: string
  readonly seconds: number
  readonly run: () => void
}

interface Notice extends MessageProps {
  readonly id: string
  /** Number of the user action that the message belongs to. */
  readonly action: number
}

/** Milliseconds for which a result is shown at least. */
const STATUS_SHOWN_MS = 8_000

/** More messages would wait until one of them is closed. */
const SHOWN_MAX = 4

const shown = new Set<Notice>()
let last = 0
let action = 0

function hide(isOver: (notice: Notice) => boolean): void {
  for (const notice of shown) if (isOver(notice)) notifications.hide(notice.id)
}

/**
 * Posts a message. A repeated text is announced again. Alerts of earlier actions are removed, because they could
 * contradict the new message.
 */
function post(message: MessageProps, offer?: Offer): void {
  const { kind, text } = message
  hide((notice) => notice.text === text || (notice.kind === 'alert' && notice.action !== action))
  const [oldest] = shown
  if (oldest !== undefined && shown.size === SHOWN_MAX) hide((notice) => notice === oldest)
  const id = `notice-${++last}`
  const notice = { ...message, id, action }
  shown.add(notice)
  const button = offer && {
    label: offer.label,
    onClick: () => {
      notifications.hide(id)
      offer.run()
    },
  }
  const offerMs = (offer?.seconds ?? 0) * 1_000
  notifications.show({
    id,
    // Only the text is announced.
    role: 'none',
    color: kind === 'alert' ? 'var(--danger)' : 'var(--clear)',
    message: createElement(Message, { ...message, button }),
    autoClose: kind === 'status' && Math.max(STATUS_SHOWN_MS, offerMs),
    closeButtonProps: { 'aria-label': 'Close this message' },
    onClose: () => shown.delete(notice),
  })
  if (offer) setTimeout(() => notifications.update({ id, message: createElement(Message, message) }), offerMs)
}

export const notify = {
  /** Shows an alert until it is closed, the next action has a result, or the user navigates. */
  alert: (text: string, error?: unknown) => post({ kind: 'alert', text, requestId: requestIdOf(error) }),
  /** Shows a result: role status, removed automatically. */
  status: (text: string, offer?: Offer) => post({ kind: 'status', text }, offer),
}

export const notices = {
  /** Counts a click or a submitted form as a new action. */
  noteAction: () => {
    action += 1
  },
  clearAlerts: () => hide(({ kind }) => kind === 'alert'),
}

/** Wraps a field's setter: removes all alerts when the user changes the field. */
export const clearingAlerts =
  <Value>(set: (value: Value) => void) =>
  (value: Value): void => {
    notices.clearAlerts()
    set(value)
  }
