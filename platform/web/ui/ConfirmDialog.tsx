import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { TrueOrReason } from '../../contract/words/true-or-reason.ts'
import { Dialog } from './Dialog.tsx'
import { ReasonButton } from './ReasonButton.tsx'

interface ConfirmDialogProps {
  title: string
  children: ReactNode
  confirm: string
  refuse?: string
  /** Label of the confirm button while the action runs: 'Deleting...'. */
  busy?: string | false
  destroys?: boolean
  may?: TrueOrReason
  onConfirm: () => void
  close: () => void
}

export function ConfirmDialog({
  title,
  children,
  confirm,
  refuse = 'Cancel',
  busy = false,
  destroys = false,
  may = true,
  onConfirm,
  close,
}: ConfirmDialogProps) {
  return (
    <Dialog
      title={title}
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            {refuse}
          </Button>
          {/* Both states share one button, because replacing it would lose the focus. */}
          <ReasonButton color={destroys ? 'red' : undefined} may={may} busy={busy !== false} onClick={onConfirm}>
            {busy || confirm}
          </ReasonButton>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
