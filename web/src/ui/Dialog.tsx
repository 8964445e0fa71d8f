import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { notices } from './notices.ts'
import styles from './Dialog.module.css'

const FIELDS = 'input:not([type=hidden], :disabled), select:not(:disabled), textarea:not(:disabled)'

/** Returns the element that has the focus at first; never the Close button while there is another. */
const firstOf = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  dialog?.querySelector<HTMLElement>('[data-autofocus]') ??
  dialog?.querySelector<HTMLElement>(FIELDS) ??
  dialog?.querySelector<HTMLElement>(`.${styles.foot} button`)

interface DialogProps {
  title: string
  close: () => void
  /** Buttons at the foot, the main one last. */
  foot?: ReactNode
  wide?: boolean
  /** There is nothing in it but to be read: its body has the focus, so that the keyboard scrolls it in every browser. */
  reads?: boolean
  children: ReactNode
}

/**
 * A modal dialog: rendered means open. It is the browser's own, so focus stays inside, Escape closes, and the page
 * behind is inert. The element with `data-autofocus` has the focus at first, else the first field, else the first
 * button at the foot, which does nothing that can't be undone. A control that floats inside it (a date picker, a list
 * of options) needs `withinPortal={false}`.
 */
export function Dialog({ title, close, foot, wide = false, reads = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    firstOf(dialog.current)?.focus()
    notices.rehang()
    return () => {
      notices.rehang()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-wide={wide || undefined}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (event.target !== dialog.current || !event.cancelable) return
        event.preventDefault()
        close()
      }}
      onClose={(event) => {
        if (event.target !== dialog.current) return
        // The browser closes a dialog after repeated Escape, or Back on a phone, without asking:
        // https://html.spec.whatwg.org/multipage/interaction.html#close-request-steps. This dialog asks all the same.
        dialog.current.showModal()
        close()
      }}
    >
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div
        className={styles.body}
        {...(reads && { tabIndex: 0, role: 'group', 'aria-labelledby': heading, 'data-autofocus': true })}
      >
        {children}
      </div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </dialog>
  )
}
