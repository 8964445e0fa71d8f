import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { May } from '@trainyard/contract/words/machine.ts'
import { Dialog } from './Dialog.tsx'
import { ReasonButton } from './ReasonButton.tsx'

interface ConfirmDialogProps {
  title: string
  /** The consequences, in words: the person confirms these. */
  children: ReactNode
  /** The verb on the button: 'Delete', 'Create 3 VMs'. */
  confirm: string
  /** The label of the other button; Cancel by default. */
  refuse?: string
  /** The label while it is being done: 'Deleting...'. */
  busy?: string | false
  destroys?: boolean
  /** The sentence why it can't be confirmed yet. */
  may?: May
  onConfirm: () => void
  close: () => void
}

/** Asks for a confirmation; rendered means open. */
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
          {/* One button, whether it may be pressed now or not: another in its place would take the focus away. */}
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
