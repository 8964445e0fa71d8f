import IconPencil from '@tabler/icons-react/icons/IconPencil'
import { lazy } from 'react'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import type { PrepaidState } from './forecast.ts'

const TermsDialog = lazy(() => import('./TermsDialog.tsx'))

/** Credit limit, and the dates of the policy for overdue invoices. */
export function Terms({ state }: { state: PrepaidState }) {
  const isSupplier = useMe().role === 'superadmin'
  const { limit, overdue } = state
  const { invoice, stage, pausedUntil } = overdue
  const steps =
    invoice === null
      ? []
      : [
          ['Notice by mail', invoice.warnOn],
          ['New orders on hold', invoice.holdOn],
          ['Machines off, from 22:00', invoice.stopOn],
        ].filter((step): step is [string, string] => step[1] !== null)
  const hasPolicy = overdue.warnDays !== null || overdue.holdDays !== null || overdue.stopDays !== null
  return (
    <section className="panel stack" aria-labelledby="terms">
      <div className="ends">
        <h2 id="terms">Credit Terms</h2>
        {isSupplier && (
          <DialogButton
            variant="default"
            icon={IconPencil}
            dialog={(close) => <TermsDialog state={state} close={close} />}
          >
            Change Terms
          </DialogButton>
        )}
      </div>
      <p role={limit.enforced && limit.isReached ? 'alert' : undefined}>
        {limit.enforced
          ? `Credit limit ${formatRupees(limit.limitPaise / 100)}: ${formatRupees((limit.balancePaise + limit.unbilledPaise) / 100)} are owed, of which ${formatRupees(limit.unbilledPaise / 100)} are usage that is not invoiced yet. ${limit.isReached ? 'The limit is reached: orders and starts are refused.' : 'Orders and starts are refused at the limit.'}`
          : 'The credit limit is not enforced.'}
      </p>
      {pausedUntil !== null && <p>The steps for overdue invoices are paused until {formatDate(pausedUntil)}.</p>}
      {!hasPolicy && <p>Overdue invoices have no effect on orders and machines.</p>}
      {hasPolicy && invoice === null && <p>No invoice is open.</p>}
      {hasPolicy && invoice !== null && (
        <>
          <p role={stage === 'hold' || stage === 'stop' ? 'alert' : undefined}>
            {formatRupees(invoice.openPaise / 100)} of invoice {invoice.number} {stage === null ? 'is' : 'was'} due on{' '}
            {formatDate(invoice.dueOn)}.{stage === 'hold' && ' New orders are on hold.'}
            {stage === 'stop' && ' New orders are on hold, and machines stay off from 22:00.'}
          </p>
          <dl>
            {steps.map(([name, on]) => (
              <div key={name} className="row">
                <dt>{name}</dt>
                <dd>{formatDate(on)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  )
}
