import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '@trainyard/contract/call.ts'
import type { invoice } from '@trainyard/contract/calls/invoice.ts'
import { ONE_OFF_LINES_MAX, PRINTABLE_PATTERN, SAC_PATTERN } from '@trainyard/contract/words/tax-document.ts'
import { api } from '#src/api/client.ts'
import { sentenceOf } from '#src/api/error.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { useDialogSubmit } from '#src/forms/useDialogSubmit.ts'
import { parseRupees } from '#src/money/amount.ts'
import { TaxDocumentPage } from '#src/money/tax-document/TaxDocumentPage.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import { OrganisationField } from '#src/ui/OrganisationField.tsx'
import { controlledText, typedFields } from '#src/ui/typed-fields.tsx'

const BLANK = { description: '', amount: '', discount: '', sac: '' }
type Line = Readonly<typeof BLANK>
type Lines = BodyOf<typeof invoice.draftOneOff>['lines']

export default function OneOffInvoice({ close }: { close: () => void }) {
  const [organization, setOrganization] = useState('')
  const [lines, setLines] = useState<readonly Line[]>([BLANK])
  const [tried, setTried] = useState(false)
  const [draft, setDraft] = useState<ReplyOf<typeof invoice.draftOneOff> | null>(null)
  const drafting = useDedupedMutation({
    mutationFn: (asked: BodyOf<typeof invoice.draftOneOff>) => api.invoice.draftOneOff(asked),
    onSuccess: setDraft,
    onError: (error) => notify.alert(sentenceOf(error, error.message), error),
  })
  const issuing = useDialogSubmit(api.invoice.issueOneOff, ['invoice', 'ledger'], close)
  const problems = lines.map((line) => problemsOf(line, lines))
  const content = { organization, lines: lines.map(readLine) }
  if (draft !== null) {
    return (
      <Dialog
        key="preview"
        title={`Invoice of ${organization}`}
        wide
        close={close}
        foot={
          <>
            <Button variant="default" onClick={() => setDraft(null)}>
              Back
            </Button>
            <Button disabled={issuing.isPending} onClick={() => issuing.mutate({ ...content, digest: draft.digest })}>
              {issuing.isPending ? 'Issuing...' : 'Issue Invoice'}
            </Button>
          </>
        }
      >
        <TaxDocumentPage document={draft.document} />
        <p className="dim">
          An issued invoice can’t be changed, only corrected with a credit or debit note. It is entered in the ledger
          and mailed.
        </p>
      </Dialog>
    )
  }
  const submit = () => {
    setTried(true)
    if (organization !== '' && problems.every((each) => Object.values(each).every((problem) => problem === false)))
      drafting.mutate(content)
  }
  return (
    <FormDialog
      title="One-off Invoice"
      submit="Preview"
      wide
      busy={drafting.isPending && 'Calculating...'}
      onSubmit={submit}
      close={close}
    >
      <OrganisationField
        data-autofocus
        {...controlledText(organization, setOrganization)}
        error={tried && organization === '' && 'Select an organization.'}
      />
      {lines.map((line, index) => {
        const change = (to: (before: Line) => Line) =>
          setLines((now) => now.map((each, place) => (place === index ? to(each) : each)))
        const field = typedFields(line, change, tried ? problems[index]! : null)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a line has no other identity, and its fields are controlled
          <fieldset key={index} className="panel stack" aria-label={`Line ${index + 1}`}>
            <TextInput label="Description" autoComplete="off" maxLength={300} {...field('description')} />
            <TextInput
              label="Amount Before Tax (₹)"
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              {...field('amount')}
            />
            <TextInput
              label="Discount (₹)"
              description="Optional."
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              {...field('discount')}
            />
            <TextInput
              label="Accounting Code (SAC)"
              description="Optional. If empty, the code of the supplier settings."
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              {...field('sac')}
            />
            {lines.length > 1 && (
              <div>
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => setLines((now) => now.filter((_, place) => place !== index))}
                >
                  {`Remove Line ${index + 1}`}
                </Button>
              </div>
            )}
          </fieldset>
        )
      })}
      {lines.length < ONE_OFF_LINES_MAX && (
        <div>
          <Button variant="default" onClick={() => setLines((now) => [...now, BLANK])}>
            Add a Line
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

const readLine = ({ description, amount, discount, sac }: Line): Lines[number] => ({
  description: description.trim(),
  amount: parseRupees(amount) ?? 0,
  ...(discount.trim() !== '' && { discount: parseRupees(discount) ?? 0 }),
  ...(sac.trim() !== '' && { sac: sac.trim() }),
})

function problemsOf(line: Line, all: readonly Line[]): Record<keyof Line, string | false> {
  const text = line.description.trim()
  const [amount, discount] = [parseRupees(line.amount), parseRupees(line.discount)]
  return {
    description:
      text.length < 3
        ? 'Enter at least three characters.'
        : !PRINTABLE_PATTERN.test(text)
          ? 'Use Latin letters or an Indian script, without quotation marks.'
          : all.filter(({ description }) => description.trim() === text).length > 1 &&
            'Two lines have this description. Enter another one.',
    amount: (amount === null || amount <= 0) && 'Enter rupees with at most two decimals.',
    discount:
      line.discount.trim() !== '' &&
      (discount === null || discount <= 0
        ? 'Enter rupees with at most two decimals.'
        : amount !== null && discount >= amount && 'The discount must be less than the amount.'),
    sac:
      line.sac.trim() !== '' &&
      !SAC_PATTERN.test(line.sac.trim()) &&
      'Enter a service accounting code, such as 998315.',
  }
}
