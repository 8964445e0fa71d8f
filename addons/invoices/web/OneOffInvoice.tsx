import { Button } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import { invoice } from '../contract/invoice.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { sentenceOf } from '@trainyard/platform/web/api/error.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { useShapedForm } from '@trainyard/platform/web/forms/useShapedForm.tsx'
import { TaxDocumentPage } from './tax-document/TaxDocumentPage.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { OrganisationField } from '@trainyard/platform/web/ui/OrganisationField.tsx'
import { BLANK_LINE, LineFields, readLine } from './LineFields.tsx'

export default function OneOffInvoice({ close }: { close: () => void }) {
  const form = useShapedForm({
    shape: invoice.draftOneOff.body,
    initialValues: { organization: '', lines: [BLANK_LINE] },
    bodyOf: ({ organization, lines }) => ({ organization, lines: lines.map(readLine) }),
  })
  const [draft, setDraft] = useState<ReplyOf<typeof invoice.draftOneOff> | null>(null)
  const drafting = useDedupedMutation({
    mutationFn: (asked: BodyOf<typeof invoice.draftOneOff>) => api.invoice.draftOneOff(asked),
    onSuccess: setDraft,
    onError: (error) => notify.alert(sentenceOf(error, error.message), error),
  })
  const issuing = useDialogSubmit(api.invoice.issueOneOff, ['ledger'], close)
  const content = form.getTransformedValues()
  if (draft !== null) {
    return (
      <Dialog
        key="preview"
        title={`Invoice of ${content.organization}`}
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
  return (
    <FormDialog
      title="One-off Invoice"
      submit="Preview"
      wide
      busy={drafting.isPending && 'Calculating...'}
      onSubmit={form.onSubmit((body) => drafting.mutate(body))}
      close={close}
    >
      <OrganisationField data-autofocus {...form.getInputProps('organization')} />
      <LineFields form={form} />
    </FormDialog>
  )
}
