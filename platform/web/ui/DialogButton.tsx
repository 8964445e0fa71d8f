import { Button, type ButtonProps } from '@mantine/core'
import { Suspense, useState, type ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface DialogButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabled' | 'c'> {
  icon: IconName
  dialog: (close: () => void) => ReactNode
  children: ReactNode
}

export function DialogButton({ icon, dialog, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...button} leftSection={<Icon name={icon} size={16} />} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && <Suspense>{dialog(() => setOpen(false))}</Suspense>}
    </>
  )
}
