import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { REQUESTED_HOURS_MAX } from '../contract/change-request-words.ts'
import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import { numberProblem, parseNumber } from '@trainyard/platform/contract/words/money.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface AskFormProps {
  title: string
  /** Kind of request whose hours the form asks for; left out for a request without hours. */
  hoursOf?: keyof typeof REQUESTED_HOURS_MAX
  /** False while the fields of `children` have a problem. */
  isValid?: boolean
  send: (asked: { readonly minutes: number; readonly reason: string }) => Promise<{ readonly message: string }>
  close: () => void
  /** Fields above hours and reason. A function receives true after the first attempt to send the form. */
  children: ReactNode | ((tried: boolean) => ReactNode)
}

export function AskForm({ title, hoursOf, isValid = true, send, close, children }: AskFormProps) {
  const [entered, setEntered] = useState({ hours: '', reason: '' })
  const [tried, setTried] = useState(false)
  const request = useAction(send, { invalidates: ['changeRequest'], onDone: close })
  const most = hoursOf === undefined ? 0 : REQUESTED_HOURS_MAX[hoursOf]
  const minutes = minutesOfHours(parseNumber(entered.hours) ?? 0)
  const problems = {
    hours:
      hoursOf !== undefined &&
      !(minutes >= 1 && minutes <= most * 60) &&
      numberProblem(entered.hours, `Enter hours, at most ${most.toLocaleString('en-IN')}.`),
    reason: entered.reason.trim() === '' && 'Enter why.',
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  return (
    <FormDialog
      title={title}
      submit="Send Request"
      busy={request.isPending && 'Sending...'}
      onSubmit={() => {
        setTried(true)
        if (isValid && problems.hours === false && problems.reason === false) {
          request.mutate({ minutes, reason: entered.reason.trim().replaceAll(/\s+/g, ' ') })
        }
      }}
      close={close}
    >
      {typeof children === 'function' ? children(tried) : children}
      {hoursOf !== undefined && (
        <TextInput label="More hours" inputMode="decimal" autoComplete="off" {...fieldOf('hours')} />
      )}
      <TextInput
        label="Reason"
        description="The person who decides sees it."
        autoComplete="off"
        maxLength={200}
        {...fieldOf('reason')}
      />
    </FormDialog>
  )
}
