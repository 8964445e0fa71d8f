import { useEffect, useRef, useState } from 'react'
import styles from './Reason.module.css'

/** Reason of a status. Provider texts can be long: more than three lines are collapsed. */
export function Reason({ text, calm = false }: { text: string; calm?: boolean }) {
  const words = useRef<HTMLParagraphElement>(null)
  const [open, setOpen] = useState(false)
  const [long, setLong] = useState(false)
  useEffect(() => {
    const element = words.current!
    const observer = new ResizeObserver(() => {
      if (!open) setLong(element.scrollHeight > element.clientHeight + 1)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [text, open])
  return (
    <div className={styles.reason} data-calm={calm || undefined}>
      <p ref={words} className={open ? undefined : styles.clamped}>
        {text}
      </p>
      {long && (
        <button type="button" className="text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  )
}
