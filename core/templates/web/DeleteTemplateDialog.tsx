import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'

interface DeleteTemplateDialogProps {
  row: { readonly name: string }
  close: () => void
}

export function DeleteTemplateDialog({ row: { name }, close }: DeleteTemplateDialogProps) {
  return (
    <DeleteDialog
      name={name}
      remove={() => api.template.remove({ template: name })}
      invalidates={['template']}
      close={close}
    >
      <Consequences name={name} />
    </DeleteDialog>
  )
}

function Consequences({ name }: { name: string }) {
  const assignments = useQuery(query(api.template.assigned))
  if (assignments.isPending) return <Skeleton rows={2} />
  const losers = assignments.data?.assigned.filter(({ template }) => template === name) ?? []
  return (
    <p>
      <strong>{name}</strong> can no longer be ordered.{' '}
      {losers.length === 0
        ? 'It is not assigned to any organisation.'
        : `Its ${countOf(losers.length, 'assignment')} (${losers.map(({ organization }) => organization).join(', ')}) will be deleted too.`}{' '}
      Machines created from it keep running at the same price.
    </p>
  )
}
