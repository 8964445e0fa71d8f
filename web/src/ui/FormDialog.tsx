import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import { useUnsaved } from './unsaved.tsx'

interface FormDialogProps {
  title: string
  submit: string
  busy: string | false
  wide?: boolean
  /** Second submit button, for another way to send the same fields. */
  beside?: { readonly label: string; readonly busy: string | false; readonly onClick: () => void }
  onSubmit: () => void
  close: () => void
  children: ReactNode
}

/** Dialog with a form, which submits once at a time. Closing a changed form asks for confirmation, except by Cancel. */
export function FormDialog({ title, submit, busy, wide, beside, onSubmit, close, children }: FormDialogProps) {
  const form = useId()
  const [isFilled, setFilled] = useState(false)
  const sending = busy !== false || (beside !== undefined && beside.busy !== false)
  const { leave, question } = useUnsaved(isFilled && !sending)
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
            {beside && (
              <Button variant="default" disabled={sending} onClick={beside.onClick}>
                {beside.busy || beside.label}
              </Button>
            )}
            {/* The attribute is not `disabled`, because that would lose the focus, also after a failed submission. */}
            <Button type="submit" form={form} aria-disabled={sending || undefined} data-disabled={sending || undefined}>
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
            if (!sending) onSubmit()
          }}
        >
          {children}
        </form>
      </Dialog>
      {question}
    </>
  )
}
