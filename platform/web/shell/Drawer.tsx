import IconX from '@tabler/icons-react/icons/IconX'
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './Drawer.module.css'

export function Drawer({ close, children }: { close: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the keyboard uses Escape
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label="Menu"
      onClose={close}
      onClick={(event) => {
        // A link may also lead to the page that is shown.
        const { target } = event
        if (target === dialog.current || (target as Element).closest('a')) dialog.current?.close()
      }}
    >
      <button
        type="button"
        className={styles.close}
        aria-label="Close the menu"
        onClick={() => dialog.current?.close()}
      >
        <IconX size={18} aria-hidden />
      </button>
      {children}
    </dialog>
  )
}
