import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { countOf } from '#src/ui/count-of.ts'
import { Skeleton } from '#src/ui/Skeleton.tsx'

/** Who can't order any more once a card is gone. */
export function TemplateGoes({ name }: { name: string }) {
  const cards = useQuery(query(api.template.assigned))
  if (cards.isPending) return <Skeleton rows={2} />
  const losers = cards.data?.assigned.filter(({ template }) => template === name) ?? []
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
