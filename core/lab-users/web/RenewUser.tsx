import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { SANDBOX_RENEWAL_RUPEES_MAX, SANDBOX_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { daysOf, type LabUser, type LabUserSource } from './lab-users.ts'

interface RenewUserProps {
  source: LabUserSource<LabUser>
  email: string
  hasEnded: boolean
  close: () => void
}

export default function RenewUser({ source, email, hasEnded, close }: RenewUserProps) {
  const [days, setDays] = useState('')
  const [credits, setCredits] = useState('')
  const [tried, setTried] = useState(false)
  const renewing = useDialogSubmit(source.renew, [source.list, source.ended], close)
  const duration = daysOf(days, SANDBOX_DAYS_MAX)
  const additionalCredits = parseRupees(credits)
  const mayLeaveDays = source.hasCredits && !hasEnded && credits.trim() !== ''
  const problems = {
    days: duration === null && !(mayLeaveDays && days.trim() === '') && `Enter 1 to ${SANDBOX_DAYS_MAX} days.`,
    credits:
      credits.trim() !== '' &&
      (additionalCredits === null || additionalCredits <= 0 || additionalCredits > SANDBOX_RENEWAL_RUPEES_MAX) &&
      numberProblem(credits, 'Enter rupees with at most two decimals, up to ₹1,00,000.'),
  }
  return (
    <FormDialog
      title={`Renew ${email}`}
      submit="Renew"
      busy={renewing.isPending && 'Renewing...'}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (problems.days || problems.credits) return
        renewing.mutate({
          email,
          ...(duration !== null && { duration }),
          ...(additionalCredits !== null && { credits: additionalCredits }),
        })
      }}
    >
      <p>
        {hasEnded
          ? 'The provider has permanently deleted this account. Renewing creates a new account with the same name and sends a new invitation by mail.'
          : 'The days are added to the current end date. Nothing else changes.'}
      </p>
      <TextInput
        label="Days"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        {...controlledText(days, setDays)}
        error={tried && problems.days}
      />
      {source.hasCredits && (
        <TextInput
          label="Credits to add (rupees)"
          description="Optional. Frozen sandboxes become usable again."
          inputMode="decimal"
          autoComplete="off"
          {...controlledText(credits, setCredits)}
          error={tried && problems.credits}
        />
      )}
    </FormDialog>
  )
}
