import { Link } from '@tanstack/react-router'
import type { ListedDocument } from '../../contract/invoice.ts'
import { DOCUMENT_TITLES, formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

const titleOf = ({ kind, cancelled }: ListedDocument): string =>
  cancelled ? `${DOCUMENT_TITLES[kind]}, cancelled` : DOCUMENT_TITLES[kind]

export const documentColumns = (ofAll: boolean): readonly Column<ListedDocument>[] => [
  {
    id: 'number',
    header: 'Number',
    value: ({ number }) => number,
    cell: ({ number, organization }) => (
      <Link
        to="/ledger/invoice"
        search={{ ...(ofAll && { organization }), number }}
        onClick={(event) => event.stopPropagation()}
      >
        {number}
      </Link>
    ),
  },
  { id: 'kind', header: 'Document', value: titleOf },
  { id: 'date', header: 'Date', value: ({ date }) => formatDate(date), sortBy: ({ date }) => date },
  ...(ofAll
    ? [{ id: 'organization', header: 'Client Name', value: ({ organization }: ListedDocument) => organization }]
    : []),
  {
    id: 'about',
    header: 'About',
    value: ({ month, of: original }) => (original === null ? (month === null ? null : formatMonth(month)) : original),
  },
  paiseColumn('totalPaise', 'Total'),
  paiseColumn('creditedPaise', 'Credited'),
]
