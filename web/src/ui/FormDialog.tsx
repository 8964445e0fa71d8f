import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import { useUnsaved } from './unsaved.tsx'

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

/**
 * A dialog with a form: Enter in a field or the button sends it, once at a time. Filled in, it asks before it closes
 * unsent, except by Cancel.
 */
export function FormDialog({ title, submit, busy, wide, onSubmit, close, children }: FormDialogProps) {
  const form = useId()
  const [filled, setFilled] = useState(false)
  const { leave, question } = useUnsaved(filled && busy === false)
  return (
    <>
      <Dialog
        title={title}
        wide={wide}
        close={() => leave(close)}
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
          onInput={() => setFilled(true)}
          onSubmit={(event) => {
            event.preventDefault()
            if (busy === false) onSubmit()
          }}
        >
          {children}
        </form>
      </Dialog>
      {question}
    </>
  )
}
