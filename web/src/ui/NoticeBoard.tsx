import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from './Icon.tsx'
import { notices, type Notice, type Offer } from './notices.ts'
import { Trace } from './Trace.tsx'
import styles from './NoticeBoard.module.css'

const STATUS_SHOWN_MS = 8_000

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
  useEffect(() => {
    if (notice.kind !== 'status') return undefined
    const timer = setTimeout(() => notices.close(notice.id), STATUS_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div className={styles.notice} data-kind={notice.kind}>
      <div>
        <p role={notice.kind}>{notice.text}</p>
        {notice.trace !== null && <Trace id={notice.trace} />}
      </div>
      {notice.offer && <OfferButton offer={notice.offer} />}
      <button type="button" className={styles.close} aria-label="Close this message" onClick={close}>
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}

function OfferButton({ offer: { label, seconds, run } }: { offer: Offer }) {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), seconds * 1_000)
    return () => clearTimeout(timer)
  }, [seconds])
  if (over) return null
  return (
    <button
      type="button"
      className={`text-button ${styles.offer}`}
      onClick={() => {
        setOver(true)
        run()
      }}
    >
      {label}
    </button>
  )
}
