import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import { numberIn } from '@trainyard/platform/contract/words/money.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'

interface AskFormProps<Body> {
  title: string
  shape: z.ZodType<Body>
  /** Field of the form in addition to the reason. */
  asks: 'hours' | 'email'
  bodyOf: (asked: { readonly email: string; readonly minutes: number; readonly reason: string }) => NoInfer<Body>
  send: (body: Body) => Promise<{ readonly message: string }>
  close: () => void
  /** Fields above those of the form. */
  children?: ReactNode
}

export function AskForm<Body extends object>({
  title,
  shape,
  asks,
  bodyOf,
  send,
  close,
  children,
}: AskFormProps<Body>) {
  const request = useAction(send, { invalidates: ['changeRequest'], onDone: close })
  const form = useShapedForm({
    shape,
    initialValues: { email: '', minutes: '', reason: '' },
    bodyOf: ({ email, minutes, reason }) =>
      bodyOf({
        email: email.trim(),
        minutes: minutesOfHours(numberIn(minutes)),
        reason: reason.trim().replaceAll(/\s+/g, ' '),
      }),
  })
  return (
    <FormDialog
      title={title}
      submit="Send Request"
      busy={request.isPending && 'Sending...'}
      onSubmit={form.onSubmit((body) => request.mutate(body))}
      close={close}
    >
      {children}
      {asks === 'hours' ? (
        <TextInput label="More hours" inputMode="decimal" autoComplete="off" {...form.getInputProps('minutes')} />
      ) : (
        <TextInput label="New admin’s e-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
      )}
      <TextInput
        label="Reason"
        description="The person who decides sees it."
        autoComplete="off"
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  )
}
