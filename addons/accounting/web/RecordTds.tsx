import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { accounting } from '../contract.ts'
import { QUARTERS, tdsSectionOn } from '@trainyard/ledger/contract/entry.ts'
import { quarterOf, startYear, yearFrom } from '@trainyard/ledger/contract/financial-year.ts'
import { formatRupees, parseRupees, rupeesIn } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { formatDay, today } from '@trainyard/platform/web/ui/time.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { settledInvoice } from '@trainyard/ledger/web/slots.ts'

const YEARS_BACK = 8

type Deduction = BodyOf<typeof accounting.addTds>
type Certificate = BodyOf<typeof accounting.certifyTds>
type TdsForm = Record<Exclude<keyof Deduction, 'settles'>, string>

export default function RecordTds({ close }: { close: () => void }) {
  const { timeZone } = useMe()
  const { organization } = useSelection()
  const [now] = useState(() => today(new Date(), timeZone))
  const years = financialYears(now)
  const recording = useDialogSubmit(api.ledger.addTds, ['ledger'], close)
  const certifying = useDialogSubmit(api.ledger.certifyTds, ['ledger'], close)
  const [settles, setSettles] = useState<string | null>()
  const [checked, setChecked] = useState<string[]>([])
  const isNew = checked.length === 0
  const form = useShapedForm<TdsForm, Certificate | Deduction>({
    shape: isNew ? accounting.addTds.body : accounting.certifyTds.body,
    initialValues: {
      organization: organization ?? '',
      certificate: '',
      section: tdsSectionOn(now),
      financialYear: years[0]!,
      quarter: String(quarterOf(now)),
      amount: '',
      date: now,
    },
    bodyOf(entered) {
      const certificate = entered.certificate.trim()
      if (!isNew) return { organization: entered.organization, certificate, receipts: checked }
      return {
        ...entered,
        certificate,
        section: entered.section.trim(),
        quarter: Number(entered.quarter),
        amount: rupeesIn(entered.amount),
        ...(settles !== undefined && { settles }),
      }
    },
  })
  const entered = form.values
  const { data } = useQuery(
    query(api.ledger.tdsReceipts, entered.organization === '' ? null : { organization: entered.organization }),
  )
  const uncertified = (data?.receipts ?? []).filter((receipt) => receipt.certificate === null)
  return (
    <FormDialog
      title="Record TDS"
      submit="Record TDS"
      busy={(recording.isPending || certifying.isPending) && 'Recording...'}
      onSubmit={form.onSubmit((body) => ('receipts' in body ? certifying.mutate(body) : recording.mutate(body)))}
      close={close}
    >
      <OrganisationField
        label="Organization"
        data-autofocus
        {...form.getInputProps('organization')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('organization', value)
          setChecked([])
        }}
      />
      <TextInput label="Certificate number" autoComplete="off" {...form.getInputProps('certificate')} />
      {uncertified.length > 0 && (
        <Checkbox.Group
          label="Deductions of this certificate"
          description="They were recorded with their payments. Leave all unchecked for a deduction that is not recorded yet."
          value={checked}
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
          <TextInput label="Section" autoComplete="off" {...form.getInputProps('section')} />
          <NativeSelect
            label="Financial year"
            data={years.map((value) => ({ value, label: `20${value}` }))}
            {...form.getInputProps('financialYear')}
          />
          <NativeSelect
            label="Quarter"
            data={QUARTERS.map((months, index) => ({ value: String(index + 1), label: `Q${index + 1}, ${months}` }))}
            {...form.getInputProps('quarter')}
          />
          <TextInput label="Amount (₹)" inputMode="decimal" autoComplete="off" {...form.getInputProps('amount')} />
          <Fills
            of={settledInvoice}
            props={{ organization: entered.organization, amount: parseRupees(entered.amount), settles: setSettles }}
          />
          <DateField label="Date" {...form.getInputProps('date')} />
          <p className="dim">It reduces the balance like a payment. It can’t be changed later.</p>
        </>
      )}
    </FormDialog>
  )
}

/** Returns the financial year of a day and earlier ones, newest first, such as '26-27'. */
const financialYears = (day: string): string[] =>
  Array.from({ length: YEARS_BACK }, (_, back) => yearFrom(startYear(day) - back))
