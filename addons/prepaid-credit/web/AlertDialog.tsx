import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { PrepaidAccount } from '../contract/credit.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { formatRupeesInput, numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface AlertDialogProps {
  account: PrepaidAccount
  organization: string
  close: () => void
}

export default function AlertDialog({ account, organization, close }: AlertDialogProps) {
  const { trainingName, lowPaise } = account
  const [entered, setEntered] = useState(formatRupeesInput(lowPaise / 100))
  const [tried, setTried] = useState(false)
  const saving = useDialogSubmit(api.credit.setAlert, ['credit'], close)
  const low = entered.trim() === '' ? 0 : parseRupees(entered)
  const isWrong = low === null || low < 0
  const submit = () => {
    setTried(true)
    if (!isWrong) saving.mutate({ organization, ...(trainingName !== null && { trainingName }), low })
  }
  return (
    <FormDialog
      title={`Alert for ${trainingName ?? organization}`}
      submit="Save Alert"
      busy={saving.isPending && 'Saving...'}
      onSubmit={submit}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Notify admins below (₹)"
        description="Before tax. 0: only when it is used up."
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        error={tried && isWrong && <span role="alert">{numberProblem(entered, ALERTS.amountRequired)}</span>}
        {...controlledText(entered, setEntered)}
      />
    </FormDialog>
  )
}
