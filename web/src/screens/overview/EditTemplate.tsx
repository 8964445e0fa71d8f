import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useCreation } from '#src/forms/useCreation.ts'
import { filledForm, type NewTemplate, type TemplateToEdit } from './template-form.ts'
import { TemplateForm } from './TemplateForm.tsx'

/** Edit VM Card: the form as the card is now. */
export default function EditTemplate({ row: { name }, close }: { row: { name: string }; close: () => void }) {
  // Asked for anew at each opening, and never behind the back of who is filling it in.
  const read = useQuery({
    ...query(api.template.read, { template: name }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return read.data === undefined ? (
    <Dialog title="Edit VM Card" wide close={close}>
      <Fetched query={read} loading={<Skeleton rows={6} height="3rem" />}>
        {() => null}
      </Fetched>
    </Dialog>
  ) : (
    <FilledForm template={read.data} close={close} />
  )
}

function FilledForm({ template, close }: { template: TemplateToEdit; close: () => void }) {
  const { revision } = template
  const edit = useCreation((form: NewTemplate) => api.template.edit({ ...form, revision }), ['template'], close)
  return (
    <TemplateForm
      title="Edit VM Card"
      submit="Save"
      busy={edit.isPending && 'Saving...'}
      first={filledForm(template)}
      named
      note={<p>What is ordered from now on is made so, and costs so. Machines that exist stay as they were ordered.</p>}
      send={edit.mutate}
      close={close}
    />
  )
}
