import IconPencil from '@tabler/icons-react/icons/IconPencil'
import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import { lazy } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { isSupplyDocument } from '@trainyard/ledger/contract/tax-document.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { TaxDocumentPage } from './tax-document/TaxDocumentPage.tsx'

const Note = lazy(() => import('./Note.tsx'))
const CancelDocument = lazy(() => import('./CancelDocument.tsx'))
const Register = lazy(() => import('./Register.tsx'))

type Issued = ReplyOf<typeof invoice.read>

export default function Invoice() {
  const { number } = useSearch({ strict: false }) as { number?: string }
  const issued = useQuery(query(api.invoice.read, number === undefined ? null : { number }))
  return (
    <Screen actions={issued.data && <Actions issued={issued.data} />}>
      {number === undefined ? (
        <EmptyState text="No document is selected." />
      ) : (
        <Fetched query={issued} loading={<Skeleton rows={3} height="9rem" />}>
          {(data) => (
            <>
              <Cancellation issued={data} />
              <TaxDocumentPage document={data.document} />
              <FollowUps issued={data} />
            </>
          )}
        </Fetched>
      )}
    </Screen>
  )
}

function Actions({ issued }: { issued: Issued }) {
  const { role } = useMe()
  const { saving, save } = useSaveFile()
  const { document, registration, expectedIrn, leftPaise, cancellation } = issued
  const number = document.number!
  const mayCorrect = role === 'superadmin' && document.kind === 'invoice' && cancellation === null
  return (
    <>
      <Button variant="default" disabled={saving} onClick={() => void save(['invoice', 'pdf'], { number })}>
        Download PDF
      </Button>
      {isSupplyDocument(document.kind) && (
        <Button variant="default" disabled={saving} onClick={() => void save(['invoice', 'json'], { number })}>
          Save INV-01
        </Button>
      )}
      {mayCorrect && leftPaise.some((paise) => paise > 0) && (
        <DialogButton
          icon={IconPlus}
          variant="default"
          dialog={(close) => <Note kind="credit" issued={issued} close={close} />}
        >
          Issue Credit Note
        </DialogButton>
      )}
      {mayCorrect && (
        <DialogButton
          icon={IconPlus}
          variant="default"
          dialog={(close) => <Note kind="debit" issued={issued} close={close} />}
        >
          Issue Debit Note
        </DialogButton>
      )}
      {role === 'superadmin' && registration !== null && cancellation === null && (
        <DialogButton
          icon={IconPencil}
          variant="default"
          dialog={(close) => <CancelDocument document={document} registeredAt={registration.ackDate} close={close} />}
        >
          Record Cancellation
        </DialogButton>
      )}
      {role === 'superadmin' && registration === null && expectedIrn !== '' && (
        <DialogButton
          icon={IconPencil}
          variant="default"
          dialog={(close) => <Register number={number} close={close} />}
        >
          Record Registration
        </DialogButton>
      )}
    </>
  )
}

function Cancellation({ issued: { cancellation } }: { issued: Issued }) {
  const { timeZone } = useMe()
  if (cancellation === null) return null
  const { cancelledAt, reason } = cancellation
  return (
    <section className="panel" aria-label="Cancellation" aria-live="polite">
      <p>
        <strong>Cancelled</strong> on {formatDate(today(new Date(cancelledAt), timeZone))} ({reason}). The document is
        no longer valid.
      </p>
    </section>
  )
}

function FollowUps({ issued: { document, notes, debitNotes, credited, registration } }: { issued: Issued }) {
  return (
    <>
      {notes.length > 0 && (
        <Section title={isSupplyDocument(document.kind) ? 'Credit Notes' : 'Refund Vouchers'}>
          <p>
            <Rupees paise={credited.totalPaise} /> were {isSupplyDocument(document.kind) ? 'credited' : 'refunded'} by{' '}
            <DocumentLinks numbers={notes} />.
          </p>
        </Section>
      )}
      {debitNotes.length > 0 && (
        <Section title="Debit Notes">
          <p>
            The invoice was raised by <DocumentLinks numbers={debitNotes} />.
          </p>
        </Section>
      )}
      {registration !== null && (
        <Section title="E-invoice Portal">
          <p style={{ overflowWrap: 'anywhere' }}>IRN {registration.irn}</p>
          <p>Acknowledgement {registration.ackNumber}. The PDF contains both, and the signed QR code.</p>
        </Section>
      )}
    </>
  )
}

function DocumentLinks({ numbers }: { numbers: readonly string[] }) {
  return numbers.map((number, index) => (
    <span key={number}>
      {index > 0 && ', '}
      <Link to="/ledger/invoice" search={(now: object) => ({ ...now, number }) as never}>
        {number}
      </Link>
    </span>
  ))
}
