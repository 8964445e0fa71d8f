import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { notification } from '../contract/notification.ts'
import { api, streamUrl } from '@trainyard/platform/web/api/client.ts'
import { useEventStream } from '@trainyard/platform/web/api/event-stream.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import { usePageVisible } from '@trainyard/platform/web/api/usePageVisible.ts'
import { choiceOf } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import styles from './Bell.module.css'

/** Poll interval in ms of learners. They have no stream, because only decisions about their requests concern them. */
const REFRESH_MS = 60_000
const SHOWN_MAX = 99

/** Link to the notifications, with the number of those that the user has not read. */
export default function Bell() {
  const { role, instructorOf } = useMe()
  const isLearner = role === 'user' && (instructorOf ?? []).length === 0
  const { data } = useQuery({ ...query(api.notification.list), ...(isLearner && { refetchInterval: REFRESH_MS }) })
  const isVisible = usePageVisible()
  const texts = useRef<string | null>(null)
  useEventStream<ReplyOf<typeof notification.watch>>({
    // Hidden pages disconnect, because browsers limit connections per server.
    url: isVisible && !isLearner ? streamUrl('notification', 'watch', {}) : null,
    onEvent(seen) {
      const isKnown = seen.texts === texts.current && seen.unread === data?.unread
      texts.current = seen.texts
      if (data !== undefined && !isKnown) void invalidate('notification')
    },
    poll: () => void invalidate('notification'),
  })
  const unread = data?.unread ?? 0
  return (
    <Link
      to="/notifications"
      search={choiceOf}
      className={`icon-button ${styles.bell}`}
      aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
      title="Notifications"
    >
      <svg width={18} height={18} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        <path
          d="M10 2.8a4.7 4.7 0 0 0-4.7 4.7c0 4-1.8 5.2-1.8 6.5h13c0-1.3-1.8-2.5-1.8-6.5A4.7 4.7 0 0 0 10 2.8ZM8 16.5a2 2 0 0 0 4 0"
          fill="none"
          stroke="currentColor"
          strokeWidth={1.6}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
        </span>
      )}
    </Link>
  )
}
