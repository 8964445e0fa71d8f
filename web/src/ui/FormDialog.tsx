import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

interface FormDialogProps {
  title: string
  /** The label of the sending button, and the one while it is being sent. */
  submit: string
  busy: string | false
  wide?: boolean
  onSubmit: () => void
  close: () => void
  children: ReactNode
}

/** A dialog with a form: Enter in a field or the button sends it, once at a time. */
export function FormDialog({ title, submit, busy, wide, onSubmit, close, children }: FormDialogProps) {
  const form = useId()
  return (
    <Dialog
      title={title}
      wide={wide}
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={form} disabled={busy !== false}>
            {busy || submit}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (busy === false) onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
