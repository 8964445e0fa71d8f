import IconX from '@tabler/icons-react/icons/IconX'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import styles from './SidePanel.module.css'

interface SidePanelProps {
  title: ReactNode
  /** Beside the title, such as a state. */
  badge?: ReactNode
  close: () => void
  children: ReactNode
}

/**
 * Details of an entry beside its list: a column of the `beside` grid on wide screens, over the edge of the page on
 * others. The page stays usable, so that the next entry needs one click. It is no modal dialog, which would cover toasts.
 */
export function SidePanel({ title, badge, close, children }: SidePanelProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus({ preventScroll: true })
    return () => {
      // The browser has moved the focus to the body, unless another element opened the details that replace these.
      const isFree = document.activeElement === document.body
      if (isFree && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, as the button does
    <aside
      className={`${styles.panel} no-print`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <header className={styles.head}>
        <h2 id={id} ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        {badge}
        <button type="button" className={`icon-button ${styles.close}`} aria-label="Close" onClick={close}>
          <IconX size={16} aria-hidden />
        </button>
      </header>
      {children}
    </aside>
  )
}
