import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { formatMonth, reviewAfterCancellation } from '@trainyard/ledger/contract/tax-document.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { invalidate } from '@trainyard/platform/web/api/queries.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'

type Row = ReplyOf<typeof invoice.preview>['rows'][number]

interface IssueSeveralProps {
  month: string
  rows: readonly Row[]
  close: () => void
}

/** Issues the chosen invoices one after the other. Each invoice must have the content of its preview. */
export default function IssueSeveral({ month, rows, close }: IssueSeveralProps) {
  // Rows at the moment of opening, so that what the user approves does not change while the dialog is open.
  const [ready] = useState(() => rows.filter(({ digest }) => digest !== null))
  const [chosen, setChosen] = useState(() =>
    ready.filter(({ cancelled }) => cancelled === null).map(({ organization }) => organization),
  )
  const [keys] = useState(() => new Map(ready.map(({ organization }) => [organization, newId()])))
  const [issuing, setIssuing] = useState<string | null>(null)
  const [issued, setIssued] = useState<ReadonlyMap<string, string>>(new Map())
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const notIssued = ready.filter(({ organization }) => chosen.includes(organization) && !issued.has(organization))
  const submit = async () => {
    setProblems(new Map())
    const failed = new Map<string, string>()
    for (const { organization, digest } of notIssued) {
      setIssuing(organization)
      try {
        const request = { organization, month, digest: digest! }
        const { number } = await api.invoice.issue(request, { idempotencyKey: keys.get(organization)! })
        setIssued((now) => new Map(now).set(organization, number))
      } catch (error) {
        failed.set(organization, (error as Error).message)
      }
    }
    setIssuing(null)
    setProblems(failed)
    await invalidate('ledger')
    if (failed.size > 0) return
    notify.status(notIssued.length === 1 ? '1 invoice issued.' : `${notIssued.length} invoices issued.`)
    close()
  }
  const total = notIssued.reduce((sum, { totalPaise }) => sum + totalPaise!, 0)
  return (
    <FormDialog
      title={`Issue Invoices for ${formatMonth(month)}`}
      submit={notIssued.length === 1 ? 'Issue 1 Invoice' : `Issue ${notIssued.length} Invoices`}
      busy={issuing !== null && `Issuing the invoice of ${issuing}...`}
      onSubmit={() => notIssued.length > 0 && void submit()}
      close={close}
    >
      <Checkbox.Group label="Invoices" value={chosen} onChange={setChosen}>
        {ready.map(({ organization, totalPaise, cancelled }) => (
          <div key={organization}>
            <Checkbox
              mt="xs"
              value={organization}
              disabled={issued.has(organization)}
              label={[
                `${organization}: ${issued.get(organization) ?? formatRupees(totalPaise! / 100)}`,
                ...(cancelled === null ? [] : [reviewAfterCancellation(cancelled)]),
              ].join('. ')}
            />
            {problems.has(organization) && (
              <span role="alert">
                <Reason text={problems.get(organization)!} />
              </span>
            )}
          </div>
        ))}
      </Checkbox.Group>
      <p>Together {formatRupees(total / 100)}.</p>
      <p className="dim">
        An issued invoice can’t be changed, only corrected with a credit note. Each is entered in the ledger and mailed.
      </p>
    </FormDialog>
  )
}
