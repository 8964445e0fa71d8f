import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import {
  EXPORT_PARTS,
  BOOKKEEPING_PROGRAMS,
  type ExportPart,
  type BookkeepingProgram,
  canImport,
} from '../contract/books-words.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { useOrganisations } from '@trainyard/platform/web/navigation/trainings.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText, typedFields } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { periodsAt } from '@trainyard/ledger/web/periods.ts'

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
  const [entered, setEntered] = useState({
    books: 'tally xml' as BookkeepingProgram,
    what: 'all entries' as ExportPart,
    from: periods[1]!.from!,
    to: periods[1]!.to!,
    organization: '',
  })
  const [tried, setTried] = useState(false)
  const { saving, save } = useSaveFile()
  const what = canImport(entered.books, entered.what) ? entered.what : 'invoices'
  const hasCustomers = what !== 'settlements'
  const problems: Partial<Record<keyof typeof entered, string>> = {
    ...(entered.from === '' && { from: ALERTS.dateRequired }),
    ...(entered.to === ''
      ? { to: ALERTS.dateRequired }
      : entered.to < entered.from && { to: 'Choose a day that is not before the first day.' }),
  }
  const fieldOf = typedFields(entered, setEntered, tried ? problems : null)
  const submit = async () => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    const { organization, ...asked } = entered
    if (
      await save(['books', 'export'], { ...asked, what, ...(organization !== '' && hasCustomers && { organization }) })
    )
      close()
  }
  const period = periods.find(({ from, to }) => from === entered.from && to === entered.to)?.name ?? ''
  return (
    <FormDialog
      title="Export for Bookkeeping"
      submit={entered.books === 'tally xml' ? 'Export XML' : 'Export CSV'}
      busy={saving && 'Saving...'}
      onSubmit={() => void submit()}
      close={close}
    >
      <NativeSelect
        data-autofocus
        label="Program"
        description={HINTS[entered.books]}
        data={BOOKKEEPING_PROGRAMS.map((value) => ({ value, label: PROGRAMS[value] }))}
        {...fieldOf('books')}
      />
      <NativeSelect
        label="Entries"
        data={EXPORT_PARTS.filter((part) => canImport(entered.books, part)).map((value) => ({
          value,
          label: PARTS[value],
        }))}
        {...fieldOf('what')}
        value={what}
      />
      <NativeSelect
        label="Period"
        data={[{ value: '', label: 'Other days' }, ...periods.map(({ name }) => name)]}
        {...controlledText(period, (to) => {
          const chosen = periods.find(({ name }) => name === to)
          if (chosen) setEntered((before) => ({ ...before, from: chosen.from!, to: chosen.to! }))
        })}
      />
      <DateField label="First day" {...fieldOf('from')} />
      <DateField label="Last day" {...fieldOf('to')} />
      <NativeSelect
        label="Organisation"
        data={[{ value: '', label: 'All' }, ...(organisations ?? [])]}
        {...fieldOf('organization')}
        disabled={!hasCustomers}
      />
    </FormDialog>
  )
}
