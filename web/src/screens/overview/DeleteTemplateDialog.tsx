import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import { countOf } from '#src/ui/count-of.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'

interface DeleteTemplateDialogProps {
  row: { readonly name: string }
  close: () => void
}

export function DeleteTemplateDialog({ row: { name }, close }: DeleteTemplateDialogProps) {
  return (
    <DeleteDialog
      name={name}
      remove={() => api.template.remove({ template: name })}
      renews={['template']}
      close={close}
    >
      <Consequences name={name} />
    </DeleteDialog>
  )
}

/** Names the organisations that can no longer order from the template. */
function Consequences({ name }: { name: string }) {
  const assignments = useQuery(query(api.template.assigned))
  if (assignments.isPending) return <Skeleton rows={2} />
  const losers = assignments.data?.assigned.filter(({ template }) => template === name) ?? []
  return (
    <p>
      Nobody can order from <strong>{name}</strong> any more
      {losers.length === 0
        ? '; it is assigned to nobody.'
        : `, and its ${countOf(losers.length, 'assignment')} (${losers.map(({ organization }) => organization).join(', ')}) go with it.`}{' '}
      Machines made from it keep running, and cost what they did.
    </p>
  )
}
