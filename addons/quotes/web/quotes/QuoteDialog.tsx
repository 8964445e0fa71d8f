import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '@trainyard/invoices/contract/invoice.ts'
import type { ListedQuote } from '../../contract/quote.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { sentenceOf } from '@trainyard/platform/web/api/error.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import type { CachedCalls } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { TaxDocumentPage } from '@trainyard/invoices/web/tax-document/TaxDocumentPage.tsx'
import { stateLabel } from './quote-state.ts'
import { AnswerQuote } from './AnswerQuote.tsx'

const PayProforma = lazy(() => import('./PayProforma.tsx'))

interface QuoteDialogProps {
  quote: ListedQuote
  today: string
  isSuperadmin: boolean
  /** Pays the proforma invoice online; null if the user cannot. */
  pay: (() => void) | null
  close: () => void
}

export function QuoteDialog({ quote, today, isSuperadmin, pay, close }: QuoteDialogProps) {
  const [form, setForm] = useState<'answer' | 'payment' | null>(null)
  const [draft, setDraft] = useState<ReplyOf<typeof invoice.draftOneOff> | null>(null)
  const back = () => setForm(null)
  if (form === 'answer') return <AnswerQuote quote={quote} isSuperadmin={isSuperadmin} close={back} />
  if (form === 'payment')
    return (
      <Suspense>
        <PayProforma quote={quote} today={today} close={back} />
      </Suspense>
    )
  if (draft !== null) return <IssueInvoice quote={quote} draft={draft} close={() => setDraft(null)} />
  return (
    <Dialog
      key="quote"
      title={`Quote ${quote.number}`}
      close={close}
      foot={<Actions quote={quote} isSuperadmin={isSuperadmin} pay={pay} open={setForm} show={setDraft} />}
    >
      <Details quote={quote} />
    </Dialog>
  )
}

function Details({ quote }: { quote: ListedQuote }) {
  const { organization, date, validUntil, lines, totalPaise, by, decidedBy, answer } = quote
  const { proforma, payments, invoice: issued, prepaid } = quote
  return (
    <div className="stack">
      <dl className="stack">
        <Fact term="Client Name">{organization}</Fact>
        <Fact term="State">
          {stateLabel(quote)}
          {prepaid === null &&
            decidedBy !== null &&
            ` (answer recorded by ${decidedBy}${answer === null ? '' : `: ${answer}`})`}
        </Fact>
        <Fact term="Written">{`${formatDate(date)} by ${by}, valid until ${formatDate(validUntil)}`}</Fact>
        <Fact term="Total with tax on the day of the quote">
          <Rupees paise={totalPaise} />
        </Fact>
        {proforma !== null && (
          <Fact term={`Proforma invoice ${proforma.number} of ${formatDate(proforma.date)}`}>
            <Rupees paise={proforma.totalPaise} />
          </Fact>
        )}
        {prepaid !== null && (
          <Fact term="Payments become">{`prepaid credit of ${prepaid.trainingName ?? organization}`}</Fact>
        )}
        {issued !== null && (
          <Fact term="Tax invoice">
            <Link to="/ledger/invoice" search={{ organization, number: issued }}>
              {issued}
            </Link>
          </Fact>
        )}
      </dl>
      <ul aria-label="Lines">
        {lines.map(({ description, amount, discount }) => (
          <li key={description}>
            {description}: {formatRupees(amount)}
            {discount !== undefined && ` less discount of ${formatRupees(discount)}`} before tax
          </li>
        ))}
      </ul>
      {payments.length > 0 && (
        <ul aria-label="Payments">
          {payments.map(({ id, date: paidOn, amountPaise }) => (
            <li key={id}>
              Payment {id} of {formatDate(paidOn)}: {formatRupees(amountPaise / 100)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const CHANGED: readonly CachedCalls[] = ['quote', 'ledger']

interface ActionsProps {
  quote: ListedQuote
  isSuperadmin: boolean
  pay: (() => void) | null
  open: (form: 'answer' | 'payment') => void
  show: (draft: ReplyOf<typeof invoice.draftOneOff>) => void
}

function Actions({ quote, isSuperadmin, pay, open, show }: ActionsProps) {
  const { number, organization, lines, state, expired, proforma, prepaid } = quote
  const { saving, save } = useSaveFile()
  const change = { invalidates: CHANGED, refetchesOnFailure: true }
  const withdrawing = useAction(() => api.quote.withdraw({ number }), change)
  const making = useAction(() => api.quote.proforma({ number }), change)
  const drafting = useDedupedMutation({
    mutationFn: () => api.invoice.draftOneOff({ organization, lines }),
    onSuccess: show,
    onError: (error) => notify.alert(sentenceOf(error, error.message), error),
  })
  const isBusy = withdrawing.isPending || making.isPending || drafting.isPending
  const isOpen = state === 'open' && !expired
  const mayWithdraw = state === 'open' || state === 'accepted' || (state === 'proforma' && quote.payments.length === 0)
  return (
    <>
      {[number, ...(proforma === null ? [] : [proforma.number])].map((each) => (
        <Button
          key={each}
          variant="default"
          disabled={saving}
          onClick={() => void save(['quote', 'pdf'], { number: each })}
        >
          {`Save ${each}`}
        </Button>
      ))}
      {isSuperadmin && mayWithdraw && (
        <Button variant="default" disabled={isBusy} onClick={() => withdrawing.mutate()}>
          Withdraw
        </Button>
      )}
      {isOpen && <Button onClick={() => open('answer')}>{isSuperadmin ? 'Record Answer' : 'Answer'}</Button>}
      {pay !== null && <Button onClick={pay}>Pay</Button>}
      {isSuperadmin && state === 'accepted' && (
        <Button disabled={isBusy} onClick={() => making.mutate()}>
          Send Proforma Invoice
        </Button>
      )}
      {isSuperadmin && state === 'proforma' && (
        <>
          <Button variant="default" onClick={() => open('payment')}>
            Record Payment
          </Button>
          {prepaid === null && (
            <Button disabled={isBusy} onClick={() => drafting.mutate()}>
              Preview Invoice
            </Button>
          )}
        </>
      )}
    </>
  )
}

interface IssueInvoiceProps {
  quote: ListedQuote
  draft: ReplyOf<typeof invoice.draftOneOff>
  close: () => void
}

function IssueInvoice({ quote: { number, proforma }, draft: { document, digest }, close }: IssueInvoiceProps) {
  const issuing = useAction(() => api.quote.issue({ number, digest }), {
    invalidates: CHANGED,
    refetchesOnFailure: true,
    onDone: close,
  })
  return (
    <Dialog
      key="invoice"
      title={`Invoice for ${proforma!.number}`}
      wide
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Back
          </Button>
          <Button disabled={issuing.isPending} onClick={() => issuing.mutate()}>
            {issuing.isPending ? 'Issuing...' : 'Issue Invoice'}
          </Button>
        </>
      }
    >
      <TaxDocumentPage document={document} />
      <p className="dim">
        An issued invoice can’t be changed, only corrected with a credit or debit note. The payments for{' '}
        {proforma!.number} settle it.
      </p>
    </Dialog>
  )
}
