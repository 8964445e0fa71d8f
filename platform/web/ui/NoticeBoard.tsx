import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from './Icon.tsx'
import { notices, type Notice, type Offer } from './notices.ts'
import { RequestId } from './RequestId.tsx'
import styles from './NoticeBoard.module.css'

export function NoticeBoard() {
  const shown = useSyncExternalStore(notices.subscribe, notices.read)
  const dialogs = document.querySelectorAll<HTMLDialogElement>('dialog[open]')
  return createPortal(
    <div className={`${styles.board} no-print`}>
      {shown.map((notice) => (
        <Line key={notice.id} notice={notice} />
      ))}
    </div>,
    dialogs.item(dialogs.length - 1) ?? document.body,
  )
}

function Line({ notice }: { notice: Notice }) {
  const close = () => notices.close(notice.id)
  return (
    <div className={styles.notice} data-kind={notice.kind}>
      <div>
        <p role={notice.kind}>{notice.text}</p>
        {notice.requestId !== null && <RequestId id={notice.requestId} />}
      </div>
      {notice.offer && <OfferButton offer={notice.offer} at={notice.at} />}
      <button type="button" className={styles.close} aria-label="Close this message" onClick={close}>
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}

/** The time is counted from `at`, because messages are mounted again when a dialog opens or closes. */
function OfferButton({ offer: { label, seconds, run }, at }: { offer: Offer; at: number }) {
  const [hasEnded, setHasEnded] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasEnded(true), at + seconds * 1_000 - Date.now())
    return () => clearTimeout(timer)
  }, [seconds, at])
  if (hasEnded) return null
  return (
    <button
      type="button"
      className={`text-button ${styles.offer}`}
      onClick={() => {
        setHasEnded(true)
        run()
      }}
    >
      {label}
    </button>
  )
}
