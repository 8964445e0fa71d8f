import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { QUARTERS, TDS_SECTION } from '@trainyard/contract/words/entry.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { OrganisationField } from '#src/ui/OrganisationField.tsx'
import { today } from '#src/ui/time.ts'
import { typedFields } from '#src/ui/typed-fields.tsx'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { useSettles } from '#src/money/useSettles.tsx'
import { parseRupees } from '#src/money/amount.ts'

const YEARS_BACK = 8

export default function RecordTds({ close }: { close: () => void }) {
  const { timeZone } = useMe()
  const { organization } = useSelection()
  const [now] = useState(() => today(new Date(), timeZone))
  const years = financialYears(now)
  const [typed, setTyped] = useState({
    organization: organization ?? '',
    certificate: '',
    section: '194J',
    financialYear: years[0]!,
    quarter: String(quarterOf(now)),
    amount: '',
    date: now,
  })
  const [tried, setTried] = useState(false)
  const recording = useDialogSubmit(api.ledger.addTds, ['ledger'], close)
  const amount = parseRupees(typed.amount)
  const problems: Partial<Record<keyof typeof typed, string>> = {
    ...(typed.organization === '' && { organization: ALERTS.organisationRequired }),
    ...(typed.certificate.trim() === '' && { certificate: 'Enter the number on the certificate.' }),
    ...(!TDS_SECTION.test(typed.section.trim()) && { section: 'Enter the section on the certificate, such as 194J.' }),
    ...((amount === null || amount <= 0) && { amount: ALERTS.amountRequired }),
    ...(typed.date === '' && { date: ALERTS.dateRequired }),
  }
  const { settles, field } = useSettles(typed.organization, amount)
  const fieldOf = typedFields(typed, setTyped, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    recording.mutate({
      ...typed,
      certificate: typed.certificate.trim(),
      section: typed.section.trim(),
      quarter: Number(typed.quarter),
      amount: amount!,
      settles,
    })
  }
  return (
    <FormDialog
      title="Record TDS"
      submit="Record TDS"
      busy={recording.isPending && 'Recording...'}
      onSubmit={submit}
      close={close}
    >
      <OrganisationField data-autofocus {...fieldOf('organization')} />
      <TextInput label="Certificate number" autoComplete="off" maxLength={40} {...fieldOf('certificate')} />
      <TextInput label="Section" autoComplete="off" maxLength={20} {...fieldOf('section')} />
      <NativeSelect
        label="Financial year"
        data={years.map((value) => ({ value, label: `20${value}` }))}
        {...fieldOf('financialYear')}
      />
      <NativeSelect
        label="Quarter"
        data={QUARTERS.map((months, index) => ({ value: String(index + 1), label: `Q${index + 1}, ${months}` }))}
        {...fieldOf('quarter')}
      />
      <TextInput label="Amount (₹)" inputMode="decimal" autoComplete="off" maxLength={20} {...fieldOf('amount')} />
      {field}
      <TextInput label="Date" type="date" {...fieldOf('date')} />
      <p className="dim">It reduces the balance like a payment. It can’t be changed later.</p>
    </FormDialog>
  )
}

/** Returns the financial year of a day and earlier ones, newest first, such as '26-27'. */
function financialYears(day: string): string[] {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const first = month >= 4 ? year : year - 1
  const two = (of: number) => String(of % 100).padStart(2, '0')
  return Array.from({ length: YEARS_BACK }, (_, back) => `${two(first - back)}-${two(first - back + 1)}`)
}

const quarterOf = (day: string): number => ((Math.floor((Number(day.slice(5, 7)) - 1) / 3) + 3) % 4) + 1
