import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from '#src/ui/Icon.tsx'
import styles from './Drawer.module.css'

/** The sidebar on a narrow screen: a modal dialog, so that focus stays inside and Escape closes it. */
export function Drawer({ close, children }: { close: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the keyboard's way
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label="Menu"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close()
      }}
    >
      <button
        type="button"
        className={styles.close}
        aria-label="Close the menu"
        onClick={() => dialog.current?.close()}
      >
        <Icon name="close" />
      </button>
      {children}
    </dialog>
  )
}
