import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { notices } from './notices.ts'
import styles from './Dialog.module.css'

const FIELDS = 'input:not([type=hidden], :disabled), select:not(:disabled), textarea:not(:disabled)'

const firstOf = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  dialog?.querySelector<HTMLElement>('[data-autofocus]') ??
  dialog?.querySelector<HTMLElement>(FIELDS) ??
  dialog?.querySelector<HTMLElement>(`.${styles.foot} button`)

interface DialogProps {
  title: string
  close: () => void
  foot?: ReactNode
  wide?: boolean
  /** True for read-only content: the body takes the focus, so that the keyboard scrolls it in every browser. */
  reads?: boolean
  children: ReactNode
}

/**
 * Focuses the element with `data-autofocus`, otherwise the first field, otherwise the first button at the bottom. That
 * button must therefore not start an irreversible action. Floating controls inside (date pickers, option lists) need
 * `withinPortal={false}`.
 */
export function Dialog({ title, close, foot, wide = false, reads = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const heading = useId()
  // Text alone, such as the names in a question, must scroll by keyboard too.
  const [isLongText, setIsLongText] = useState(false)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { scrollHeight, clientHeight } = entry!.target
      setIsLongText(scrollHeight > clientHeight && entry!.target.querySelector(`a, button, ${FIELDS}`) === null)
    })
    observer.observe(body.current!)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    firstOf(dialog.current)?.focus()
    notices.rerender()
    return () => {
      notices.rerender()
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
        // Browsers close a dialog after repeated Escape, or Back on a phone, without a cancel event:
        // https://html.spec.whatwg.org/multipage/interaction.html#close-request-steps. The dialog is reopened, so that
        // `close` can ask about unsaved changes.
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
        ref={body}
        className={styles.body}
        {...((reads || isLongText) && { tabIndex: 0, role: 'group', 'aria-labelledby': heading })}
        data-autofocus={reads || undefined}
      >
        {children}
      </div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </dialog>
  )
}
