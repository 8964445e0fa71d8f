import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react'
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

/**
 * Dialog with a form, which submits once at a time. Closing a form with unsent changes asks for confirmation, except by
 * Cancel.
 */
export function FormDialog({ title, submit, busy, wide, beside, onSubmit, close, children }: FormDialogProps) {
  const form = useId()
  const [isFilled, setFilled] = useState(false)
  const sending = busy !== false || (beside !== undefined && beside.busy !== false)
  const { leave, question } = useUnsaved(isFilled && !sending)
  const mutations = useQueryClient().getMutationCache()
  // A dialog can stay open after its form was sent.
  const noteResult = useEffectEvent((result: string) => {
    if (sending && (result === 'success' || result === 'error')) setFilled(result === 'error')
  })
  useEffect(
    () =>
      mutations.subscribe((event) => {
        // Other events are sent while React renders, when it allows no call of an effect's event.
        if (event.type === 'updated') noteResult(event.action.type)
      }),
    [mutations],
  )
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
