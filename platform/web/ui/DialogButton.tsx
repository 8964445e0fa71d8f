import { Button, type ButtonProps } from '@mantine/core'
import { Suspense, useState, type ReactNode } from 'react'
import type { Icon as TablerIcon } from '@tabler/icons-react'

interface DialogButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabled' | 'c'> {
  icon: TablerIcon
  dialog: (close: () => void) => ReactNode
  children: ReactNode
}

export function DialogButton({ icon: Icon, dialog, children, ...button }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...button} leftSection={<Icon size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && <Suspense>{dialog(() => setOpen(false))}</Suspense>}
    </>
  )
}
