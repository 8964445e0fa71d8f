import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { HAND_REASONS } from '../contract/classroom-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { setTitleCount } from '@trainyard/platform/web/ui/Screen.tsx'
import styles from '@trainyard/platform/web/shell/Sidebar.module.css'

/** Poll interval in ms, also of a page in the background, which shows the count in its title. */
const REFRESH_MS = 10_000

/** Number of raised hands in the classes that the user leads: in the sidebar, the tab's title and notifications. */
export default function HandCount() {
  const { data } = useQuery({
    ...query(api.classroom.hands),
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: true,
  })
  const seen = useRef<ReadonlySet<string> | null>(null)
  const count = data?.hands.length ?? 0
  useEffect(() => {
    setTitleCount(count)
    return () => setTitleCount(0)
  }, [count])
  useEffect(() => {
    if (data === undefined) return
    const keyOf = ({ trainingName, email, raisedAt }: (typeof data.hands)[number]) =>
      JSON.stringify([trainingName, email, raisedAt])
    const known = seen.current
    // Hands that were raised before the page was opened are only counted.
    if (known !== null) for (const hand of data.hands) if (!known.has(keyOf(hand))) announce(hand)
    seen.current = new Set(data.hands.map(keyOf))
  }, [data])
  if (count === 0) return null
  return (
    <span className={styles.hands}>
      {count}
      <span className="visually-hidden">{count === 1 ? ' raised hand' : ' raised hands'}</span>
    </span>
  )
}

/** Notifies a user whose window is in the background, if the user has allowed notifications. */
function announce({
  trainingName,
  email,
  reason,
}: {
  trainingName: string
  email: string
  reason: keyof typeof HAND_REASONS | null
}) {
  if (!document.hidden || !('Notification' in globalThis) || Notification.permission !== 'granted') return
  const body = reason === null ? trainingName : `${HAND_REASONS[reason]} · ${trainingName}`
  // Some phones have no constructor for notifications and throw.
  try {
    void new Notification(`${email} raised a hand`, { body, tag: `${trainingName} ${email}` })
  } catch {}
}
