import { Button, type ButtonProps } from '@mantine/core'
import { Suspense, useState, type ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface DialogButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabled'> {
  icon: IconName
  /** Loads the dialog's code: called as soon as the pointer or the focus is on the button. */
  load?: () => Promise<unknown>
  dialog: (close: () => void) => ReactNode
  children: ReactNode
}

/** A button with the dialog that it opens. */
export function DialogButton({ icon, load, dialog, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        {...button}
        leftSection={<Icon name={icon} size={16} />}
        onPointerEnter={() => void load?.()}
        onFocus={() => void load?.()}
        onClick={() => setOpen(true)}
      >
        {children}
      </Button>
      {open && <Suspense>{dialog(() => setOpen(false))}</Suspense>}
    </>
  )
}
