import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { useDialogSubmit } from '@trainyard/platform/web/forms/useDialogSubmit.ts'
import { filledForm, type NewTemplate, type TemplateToEdit } from './template-form.ts'
import { TemplateForm } from './TemplateForm.tsx'

export default function EditTemplate({ row: { name }, close }: { row: { name: string }; close: () => void }) {
  // Fetched each time the dialog opens, and not refetched while the user edits.
  const read = useQuery({
    ...query(api.template.read, { template: name }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return read.data === undefined ? (
    <Dialog title="Edit VM Card" wide close={close}>
      <Fetched query={read} loading={<Skeleton rows={6} height="3rem" />} />
    </Dialog>
  ) : (
    <FilledForm template={read.data} close={close} />
  )
}

function FilledForm({ template, close }: { template: TemplateToEdit; close: () => void }) {
  const { revision } = template
  const edit = useDialogSubmit((form: NewTemplate) => api.template.edit({ ...form, revision }), ['template'], close)
  return (
    <TemplateForm
      title="Edit VM Card"
      submit="Save"
      busy={edit.isPending && 'Saving...'}
      first={filledForm(template)}
      named
      note={<p>Changes apply to new orders only. Existing machines and their prices do not change.</p>}
      send={edit.mutate}
      close={close}
    />
  )
}
