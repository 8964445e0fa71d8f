import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QUARTERS, TDS_SECTION, tdsSectionOn } from '@trainyard/ledger/contract/entry.ts'
import { quarterOf, startYear, yearFrom } from '@trainyard/ledger/contract/financial-year.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { formatRupees, numberProblem, parseRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { formatDay, today } from '@trainyard/platform/web/ui/time.ts'
import { typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { settledInvoice } from '@trainyard/ledger/web/slots.ts'

const YEARS_BACK = 8

export default function RecordTds({ close }: { close: () => void }) {
  const { timeZone } = useMe()
  const { organization } = useSelection()
  const [now] = useState(() => today(new Date(), timeZone))
  const years = financialYears(now)
  const [entered, setEntered] = useState({
    organization: organization ?? '',
    certificate: '',
    section: tdsSectionOn(now),
    financialYear: years[0]!,
    quarter: String(quarterOf(now)),
    amount: '',
    date: now,
  })
  const [tried, setTried] = useState(false)
  const recording = useDialogSubmit(api.ledger.addTds, ['ledger'], close)
  const certifying = useDialogSubmit(api.ledger.certifyTds, ['ledger'], close)
  const { data } = useQuery(
    query(api.ledger.tdsReceipts, entered.organization === '' ? null : { organization: entered.organization }),
  )
  const uncertified = (data?.receipts ?? []).filter((receipt) => receipt.certificate === null)
  const [checked, setChecked] = useState<string[]>([])
  const receipts = uncertified.map(({ id }) => id).filter((id) => checked.includes(id))
  const isNew = receipts.length === 0
  const amount = parseRupees(entered.amount)
  const problems: Partial<Record<keyof typeof entered, string>> = {
    ...(entered.organization === '' && { organization: ALERTS.organisationRequired }),
    ...(entered.certificate.trim() === '' && { certificate: 'Enter the number on the certificate.' }),
    ...(isNew &&
      !TDS_SECTION.test(entered.section.trim()) && {
        section: 'Enter the section on the certificate, such as 393(1).',
      }),
    ...(isNew && (amount === null || amount <= 0) && { amount: numberProblem(entered.amount, ALERTS.amountRequired) }),
    ...(isNew && entered.date === '' && { date: ALERTS.dateRequired }),
  }
  const [settles, setSettles] = useState<string | null>()
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    const certificate = entered.certificate.trim()
    if (!isNew) return certifying.mutate({ organization: entered.organization, certificate, receipts })
    recording.mutate({
      ...entered,
      certificate,
      section: entered.section.trim(),
      quarter: Number(entered.quarter),
      amount: amount!,
      ...(settles !== undefined && { settles }),
    })
  }
  return (
    <FormDialog
      title="Record TDS"
      submit="Record TDS"
      busy={(recording.isPending || certifying.isPending) && 'Recording...'}
      onSubmit={submit}
      close={close}
    >
      <OrganisationField label="Organization" data-autofocus {...fieldOf('organization')} />
      <TextInput label="Certificate number" autoComplete="off" maxLength={40} {...fieldOf('certificate')} />
      {uncertified.length > 0 && (
        <Checkbox.Group
          label="Deductions of this certificate"
          description="They were recorded with their payments. Leave all unchecked for a deduction that is not recorded yet."
          value={receipts}
          onChange={setChecked}
        >
          {uncertified.map(({ id, payment, date, amountPaise }) => (
            <Checkbox
              key={id}
              mt="xs"
              value={id}
              label={`${formatRupees(amountPaise / 100)} from ${payment} of ${formatDay(date)}`}
            />
          ))}
        </Checkbox.Group>
      )}
      {isNew && (
        <>
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
          <Fills of={settledInvoice} props={{ organization: entered.organization, amount, settles: setSettles }} />
          <TextInput label="Date" type="date" {...fieldOf('date')} />
          <p className="dim">It reduces the balance like a payment. It can’t be changed later.</p>
        </>
      )}
    </FormDialog>
  )
}

/** Returns the financial year of a day and earlier ones, newest first, such as '26-27'. */
const financialYears = (day: string): string[] =>
  Array.from({ length: YEARS_BACK }, (_, back) => yearFrom(startYear(day) - back))
