import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import styles from './Removed.module.css'

const REFRESH_MS = 3_000

export function Removed({ training }: { training: TrainingQuery }) {
  const remaining = useQuery({
    ...query(api.meter.bill, training),
    select: ({ Status }) => Status.online + Status.offline,
    refetchInterval: ({ state }) =>
      state.data && state.data.Status.online + state.data.Status.offline === 0 ? false : REFRESH_MS,
  })
  return (
    <section className={`panel ${styles.removed}`} aria-label={`Removal of ${training.trainingName}`}>
      <p>
        <strong>{training.trainingName}</strong> is removed.{' '}
        <output>
          {remaining.data === undefined
            ? 'Its machines are being deleted.'
            : remaining.data === 0
              ? 'All its machines are deleted.'
              : `${remaining.data} of its machines ${remaining.data === 1 ? 'is' : 'are'} still being deleted.`}
        </output>
      </p>
      <p>
        <Link to="/vm/vmdetails" search={{ organization: training.organization, training: training.trainingName }}>
          See its terminated machines in the Virtual Lab Console
        </Link>
      </p>
    </section>
  )
}
