import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api.ts'
import { Rupees } from '#src/ui/Rupees.tsx'
import styles from './Home.module.css'

const REFRESH_MS = 30_000

/** One training on the board, with what it has used. */
export function TrainingLine({ training, organization }: { training: string; organization?: string }) {
  const query = { trainingName: training, organization }
  const { data, isError } = useQuery({
    queryKey: ['home', 'billing', query],
    queryFn: ({ signal }) => api.training.billing(query, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const none = isError ? 'not known' : '…'
  return (
    <tr>
      <th scope="row">
        <Link to="/vm/vmdetails" search={{ organization, training }}>
          {training}
        </Link>
      </th>
      <td className="number">
        <span className={styles.running} data-some={(data?.Status.online ?? 0) > 0 || undefined}>
          {data?.Status.online ?? none}
        </span>
      </td>
      <td className="number">{data?.Status.offline ?? none}</td>
      <td className="number">{data ? data.Duration.toFixed(2) : none}</td>
      <td className="number">{data ? <Rupees amount={data.Amount} /> : none}</td>
    </tr>
  )
}
