import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { books } from '../contract/books.ts'
import {
  EXPORT_PARTS,
  BOOKKEEPING_PROGRAMS,
  type ExportPart,
  type BookkeepingProgram,
  canImport,
} from '../contract/books-words.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { useOrganisations } from '@trainyard/platform/web/navigation/trainings.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { periodsAt } from '@trainyard/ledger/web/periods.ts'

type ExportForm = { books: BookkeepingProgram; what: ExportPart; from: string; to: string; organization: string }

const PROGRAMS: Readonly<Record<BookkeepingProgram, string>> = {
  'tally xml': 'TallyPrime (XML)',
  tally: 'TallyPrime (workbook)',
  zoho: 'Zoho Books',
}

const HINTS: Readonly<Record<BookkeepingProgram, string>> = {
  'tally xml':
    'In TallyPrime, choose Import, Transactions. The file creates the ledgers, one for each customer included, and one voucher per entry. Importing an entry again replaces its voucher.',
  tally:
    'One voucher per entry. Open the file in a spreadsheet program, save it as a workbook, and import the workbook. The ledgers Sales, Output CGST, Output SGST, Output IGST, Round Off, Discount Allowed, TDS Receivable, Bank, Payment Provider, Provider Fees, Input GST on Provider Fees, Provider Adjustments, Sales Reversals, Receipt Reversals, TDS Reversals and Bad Debts Written Off, and one for each customer, must exist.',
  zoho: 'Import it in the module of the same name; its columns are recognised. The accounts Bank, Payment Provider, Provider Fees, Input GST on Provider Fees, Provider Adjustments and TDS Receivable must exist. Import settlements as manual journals.',
}

const PARTS: Readonly<Record<ExportPart, string>> = {
  invoices: 'Invoices',
  'credit notes': 'Credit notes',
  payments: 'Payments and TDS',
  refunds: 'Refunds',
  corrections: 'Reversals and write-offs',
  settlements: 'Settlements and fees',
  'all entries': 'All entries',
}

export default function ExportEntries({ close }: { close: () => void }) {
  const { timeZone } = useMe()
  const { data: organisations } = useOrganisations(true)
  const [periods] = useState(() => periodsAt(today(new Date(), timeZone)))
  const form = useShapedForm<ExportForm, BodyOf<typeof books.export>>({
    shape: books.export.body,
    initialValues: {
      books: 'tally xml',
      what: 'all entries',
      from: periods[1]!.from!,
      to: periods[1]!.to!,
      organization: '',
    },
    bodyOf({ organization, ...asked }) {
      const what = canImport(asked.books, asked.what) ? asked.what : 'invoices'
      return { ...asked, what, ...(organization !== '' && what !== 'settlements' && { organization }) }
    },
  })
  const entered = form.values
  const { what } = form.getTransformedValues()
  const { saving, save } = useSaveFile()
  const submit = async (asked: BodyOf<typeof books.export>) => {
    if (await save(['books', 'export'], asked)) close()
  }
  const period = periods.find(({ from, to }) => from === entered.from && to === entered.to)?.name ?? ''
  return (
    <FormDialog
      title="Export for Bookkeeping"
      submit={entered.books === 'tally xml' ? 'Export XML' : 'Export CSV'}
      busy={saving && 'Saving...'}
      onSubmit={form.onSubmit((asked) => void submit(asked))}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="Program"
        description={HINTS[entered.books]}
        data={BOOKKEEPING_PROGRAMS.map((value) => ({ value, label: PROGRAMS[value] }))}
        {...form.getInputProps('books')}
      />
      <NativeSelect
        label="Entries"
        data={EXPORT_PARTS.filter((part) => canImport(entered.books, part)).map((value) => ({
          value,
          label: PARTS[value],
        }))}
        {...form.getInputProps('what')}
        value={what}
      />
      <NativeSelect
        label="Period"
        data={[{ value: '', label: 'Other days' }, ...periods.map(({ name }) => name)]}
        {...controlledText(period, (to) => {
          const chosen = periods.find(({ name }) => name === to)
          if (chosen) form.setValues({ from: chosen.from!, to: chosen.to! })
        })}
      />
      <DateField label="First day" {...form.getInputProps('from')} />
      <DateField label="Last day" {...form.getInputProps('to')} />
      <NativeSelect
        label="Organisation"
        data={[{ value: '', label: 'All' }, ...(organisations ?? [])]}
        {...form.getInputProps('organization')}
        disabled={what === 'settlements'}
      />
    </FormDialog>
  )
}
