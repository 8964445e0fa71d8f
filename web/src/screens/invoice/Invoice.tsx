import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice } from '@trainyard/contract/calls/invoice.ts'
import {
  CANCELLATION_RESULT_HOURS,
  CANCELLATION_RESULTS,
  CORRECTIONS,
  isSupplyDocument,
} from '@trainyard/contract/words/tax-document.ts'
import { api } from '#src/api/client.ts'
import { useSaveFile } from '#src/api/file.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Reason } from '#src/ui/Reason.tsx'
import { Rupees } from '#src/ui/Rupees.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Section } from '#src/forms/Section.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { formatDate, today } from '#src/ui/time.ts'
import { preloadable } from '#src/ui/preloadable.ts'
import { useNow } from '#src/ui/useNow.ts'
import { TaxDocumentPage } from '#src/money/tax-document/TaxDocumentPage.tsx'

const Note = preloadable(() => import('./Note.tsx'))
const CancelDocument = preloadable(() => import('./CancelDocument.tsx'))
const RecordCancellation = preloadable(() => import('./RecordCancellation.tsx'))
const Register = preloadable(() => import('./Register.tsx'))

type Issued = ReplyOf<typeof invoice.read>

/** Interval of the queries while the e-invoice portal has not confirmed a cancellation. */
const CANCELLING_MS = 5_000
const HOUR_MS = 3_600_000

export default function Invoice() {
  const { number } = useSearch({ strict: false }) as { number?: string }
  const issued = useQuery({
    ...query(api.invoice.read, number === undefined ? null : { number }),
    refetchInterval: ({ state }) => (state.data?.cancellation?.state === 'cancelling' ? CANCELLING_MS : false),
  })
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
  const { document, registration, expectedIrn, leftPaise, cancellation, cancelUntil } = issued
  const number = document.number!
  const isValid = cancellation === null || cancellation.state === 'refused'
  const mayCorrect = role === 'superadmin' && document.kind === 'invoice' && isValid
  return (
    <>
      <Button variant="default" disabled={saving} onClick={() => void save(['invoice', 'pdf'], { number })}>
        Save PDF
      </Button>
      {isSupplyDocument(document.kind) && (
        <Button variant="default" disabled={saving} onClick={() => void save(['invoice', 'json'], { number })}>
          Save INV-01
        </Button>
      )}
      {mayCorrect && leftPaise.some((paise) => paise > 0) && (
        <DialogButton
          icon="plus"
          variant="default"
          load={Note.load}
          dialog={(close) => <Note kind="credit" issued={issued} close={close} />}
        >
          Issue Credit Note
        </DialogButton>
      )}
      {mayCorrect && (
        <DialogButton
          icon="plus"
          variant="default"
          load={Note.load}
          dialog={(close) => <Note kind="debit" issued={issued} close={close} />}
        >
          Issue Debit Note
        </DialogButton>
      )}
      {cancelUntil !== null && (
        <DialogButton
          icon="close"
          variant="default"
          load={CancelDocument.load}
          dialog={(close) => <CancelDocument document={document} until={cancelUntil} close={close} />}
        >
          Cancel Document
        </DialogButton>
      )}
      {role === 'superadmin' && registration === null && expectedIrn !== '' && (
        <DialogButton
          icon="pencil"
          variant="default"
          load={Register.load}
          dialog={(close) => <Register number={number} close={close} />}
        >
          Record Registration
        </DialogButton>
      )}
    </>
  )
}

function Cancellation({ issued: { cancellation, document } }: { issued: Issued }) {
  const { timeZone } = useMe()
  const now = useNow()
  if (cancellation === null) return null
  const { state, reason, remark, requestedAt, endedAt, problem } = cancellation
  return (
    <section className="panel stack" aria-label="Cancellation" aria-live="polite">
      {state === 'cancelling' && (
        <>
          <p>
            The cancellation of {document.number} is requested ({reason}: {remark}). The e-invoice portal has not
            confirmed it yet.
          </p>
          {problem !== null && <Reason text={`The last attempt failed. ${problem}`} />}
          {now.getTime() - Date.parse(requestedAt) > CANCELLATION_RESULT_HOURS * HOUR_MS && (
            <>
              <p>Look up the document on the website of the e-invoice portal, and record what it shows.</p>
              <div className="row">
                {CANCELLATION_RESULTS.map((result) => (
                  <DialogButton
                    key={result}
                    icon="pencil"
                    variant="default"
                    load={RecordCancellation.load}
                    dialog={(close) => <RecordCancellation number={document.number!} result={result} close={close} />}
                  >
                    {result === 'cancelled' ? 'Record as Cancelled' : 'Record as Valid'}
                  </DialogButton>
                ))}
              </div>
            </>
          )}
        </>
      )}
      {state === 'cancelled' && (
        <p>
          <strong>Cancelled</strong> on {formatDate(today(new Date(endedAt!), timeZone))} ({reason}). The document is no
          longer valid.
        </p>
      )}
      {state === 'refused' && (
        <Reason
          text={`The e-invoice portal refused to cancel ${document.number}, so it remains valid. To correct it, ${CORRECTIONS[document.kind]}. ${problem}`}
        />
      )}
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
