import { Button, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState, type ReactNode } from 'react'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import styles from './Dialog.module.css'

const FIELDS = 'input:not([type=hidden], :disabled), select:not(:disabled), textarea:not(:disabled)'

const firstOf = (content: HTMLElement): HTMLElement | null =>
  content.querySelector<HTMLElement>('[data-autofocus]') ??
  content.querySelector<HTMLElement>(FIELDS) ??
  content.querySelector<HTMLElement>(`.${styles.foot} button`)

interface DialogProps {
  title: string
  close: () => void
  foot?: ReactNode
  wide?: boolean
  children: ReactNode
}

/**
 * Focuses the element with `data-autofocus`, otherwise the first field, otherwise the first button at the bottom. That
 * button must therefore not start an irreversible action.
 */
export function Dialog({ title, close, foot, wide = false, children }: DialogProps) {
  const [content, setContent] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const first = content && firstOf(content)
    // The focus trap would focus the close button.
    first?.setAttribute('data-autofocus', '')
    first?.focus()
  }, [content])
  // A modal returns the focus only if it is still rendered after it was closed.
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  // On Escape, Mantine closes all open modals.
  useWindowEvent('keydown', (event) => {
    const topmost = [...document.querySelectorAll('[aria-modal]')].at(-1)
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || topmost !== content) return
    event.preventDefault()
    close()
  })
  return (
    <Modal.Root
      opened
      centered
      classNames={{ content: styles.content! }}
      size={wide ? '52rem' : '32rem'}
      xOffset="1rem"
      yOffset="1rem"
      closeOnEscape={false}
      closeOnClickOutside={false}
      removeScrollProps={{ allowPinchZoom: true }}
      onClose={close}
    >
      {/* A click must not move the focus out of the dialog. It does not close it, because input would be lost. */}
      <Modal.Overlay onMouseDown={(event) => event.preventDefault()} />
      <Modal.Content ref={setContent}>
        {/* Without the role, the header counts as a second banner of the page. */}
        <Modal.Header role="none" className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <div className={styles.body}>{children}</div>
        {foot && <div className={styles.foot}>{foot}</div>}
      </Modal.Content>
    </Modal.Root>
  )
}

/** Closes a dialog that needs no answer. */
export const CloseButton = ({ close }: { close: () => void }) => (
  <Button variant="default" onClick={close}>
    Close
  </Button>
)
