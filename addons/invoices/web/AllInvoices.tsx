import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { formatMonth, reviewAfterCancellation } from '@trainyard/ledger/contract/tax-document.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { pagesOf, query } from '@trainyard/platform/web/api/queries.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { paiseColumn, Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { invoicesActions, invoicesSections } from './slots.ts'
import { StatusRequests } from './StatusRequests.tsx'
import { documentColumns } from './tax-document/documents.tsx'

const IssueSeveral = lazy(() => import('./IssueSeveral.tsx'))
const OneOffInvoice = lazy(() => import('./OneOffInvoice.tsx'))
const PreviewInvoice = lazy(() => import('./PreviewInvoice.tsx'))

type Preview = ReplyOf<typeof invoice.preview>
type Row = Preview['rows'][number]

const ISSUED_COLUMNS = documentColumns(true)

export default function Invoices() {
  const [month, setMonth] = useState('')
  const [opened, setOpened] = useState<string | null>(null)
  const preview = useQuery(query(api.invoice.preview, month === '' ? {} : { month }))
  const [isIssuingAll, setIsIssuingAll] = useState(false)
  const shown = preview.data?.month ?? null
  const columns = useMemo(() => columnsFor(setOpened), [])
  return (
    <Screen
      actions={
        <>
          <DialogButton icon={IconPlus} variant="default" dialog={(close) => <OneOffInvoice close={close} />}>
            One-off Invoice
          </DialogButton>
          <Fills of={invoicesActions} props={{}} />
        </>
      }
    >
      <StatusRequests />
      <section className="stack" aria-labelledby="to-issue">
        <h2 id="to-issue">To Be Issued</h2>
        <Fetched query={preview} loading={<Skeleton rows={4} height="2.25rem" />}>
          {(data) => (
            <>
              <Problems preview={data} />
              <Awaiting awaiting={data.awaiting} />
              {data.month !== null && data.rows.some(({ digest }) => digest !== null) && (
                <div>
                  <Button variant="default" onClick={() => setIsIssuingAll(true)}>
                    Issue Several
                  </Button>
                </div>
              )}
              {data.month !== null && (
                <DataTable
                  label="Invoices to be issued"
                  rows={data.rows}
                  rowId={({ organization }) => organization}
                  columns={columns}
                  empty={`Nothing is left to invoice for ${formatMonth(data.month)}.`}
                  search
                  stacks
                  tools={
                    <NativeSelect
                      size="sm"
                      aria-label="Month"
                      data={data.months.map((each) => ({ value: each, label: formatMonth(each) }))}
                      {...controlledText(data.month, setMonth)}
                    />
                  }
                />
              )}
            </>
          )}
        </Fetched>
      </section>
      <Fills of={invoicesSections} props={{}} />
      <Issued />
      {isIssuingAll && shown !== null && (
        <Suspense>
          <IssueSeveral month={shown} rows={preview.data!.rows} close={() => setIsIssuingAll(false)} />
        </Suspense>
      )}
      {opened !== null && shown !== null && (
        <Suspense>
          <PreviewInvoice organization={opened} month={shown} close={() => setOpened(null)} />
        </Suspense>
      )}
    </Screen>
  )
}

function Awaiting({ awaiting }: Pick<Preview, 'awaiting'>) {
  if (awaiting.length === 0) return null
  return (
    <section className="panel stack" aria-labelledby="awaiting">
      <h3 id="awaiting">Waiting for Registration</h3>
      <p>These documents are mailed once their registration at the e-invoice portal is recorded.</p>
      <ul>
        {awaiting.map(({ number, organization, registerBy, daysLeft }) => (
          <li key={number}>
            <Link to="/ledger/invoice" search={{ organization, number }}>
              {number}
            </Link>
            , {organization}
            {registerBy !== null && <Reason text={deadlineWords(registerBy, daysLeft!)} calm={daysLeft! > 7} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function deadlineWords(registerBy: string, daysLeft: number): string {
  const day = formatDate(registerBy)
  if (daysLeft < 0) return `The e-invoice portal accepted it until ${day}. Ask your tax adviser how to correct it.`
  return `Register it by ${day}: ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'} left.`
}

function Problems({ preview: { problems, months } }: { preview: Preview }) {
  if (problems.length > 0) {
    return (
      <div className="panel stack">
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
        <p>
          <Link to="/admin/supplier">Supplier Settings</Link>
        </p>
      </div>
    )
  }
  return months.length > 0 ? null : <p className="dim">No month to invoice has ended yet.</p>
}

const columnsFor = (open: (organization: string) => void): readonly Column<Row>[] => [
  {
    id: 'organization',
    header: 'Client Name',
    value: ({ organization }) => organization,
    cell: ({ organization, problems, cancelled }) => (
      <>
        {organization}
        {cancelled !== null && <Reason text={reviewAfterCancellation(cancelled)} calm />}
        {problems.map((problem) => (
          <Reason key={problem} text={problem} />
        ))}
      </>
    ),
  },
  paiseColumn('taxablePaise', 'Before Tax'),
  {
    id: 'total',
    header: 'Total',
    align: 'end',
    value: ({ totalPaise }) => (totalPaise === null ? null : totalPaise / 100),
    cell: ({ totalPaise }) => (totalPaise === null ? '' : <Rupees paise={totalPaise} />),
  },
  {
    id: 'preview',
    header: 'Preview',
    width: '8rem',
    cell: ({ organization, totalPaise }) =>
      totalPaise === null ? (
        <Link to="/admin/organisation" search={{ organization }} aria-label={`Settings of ${organization}`}>
          Settings
        </Link>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Preview of ${organization}`}
          onClick={() => open(organization)}
        >
          Preview
        </Button>
      ),
  },
]

function Issued() {
  const pages = useInfiniteQuery(pagesOf(api.invoice.list, {}))
  const rows = useMemo(() => pages.data?.pages.flatMap(({ documents }) => documents) ?? [], [pages.data])
  return (
    <section className="stack" aria-labelledby="issued">
      <h2 id="issued">Issued</h2>
      <Fetched query={pages} loading={<Skeleton rows={6} height="2rem" />}>
        {() => (
          <>
            <DataTable
              label="Issued documents"
              rows={rows}
              rowId={({ number }) => number}
              columns={ISSUED_COLUMNS}
              empty="No documents have been issued yet."
              search
              stacks
              csv="Issued documents"
            />
            {pages.hasNextPage && (
              <div>
                <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                  Show earlier documents
                </Button>
              </div>
            )}
          </>
        )}
      </Fetched>
    </section>
  )
}
