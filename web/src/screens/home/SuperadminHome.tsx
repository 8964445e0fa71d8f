import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api.ts'
import { useSelection } from '#src/selection.ts'
import { useOrganisations } from '#src/trainings.ts'
import styles from './Home.module.css'
import { Trainings } from './Trainings.tsx'

/** What the portal holds, and the trainings of the customer chosen in the sidebar. */
export function SuperadminHome() {
  const { organization } = useSelection()
  const organisations = useOrganisations(true)
  const users = useQuery({ queryKey: ['home', 'users'], queryFn: ({ signal }) => api.user.list(undefined, { signal }) })
  const templates = useQuery({
    queryKey: ['home', 'templates'],
    queryFn: ({ signal }) => api.template.list(undefined, { signal }),
  })
  const counts = [
    { label: 'Organizations', count: organisations.data?.length },
    { label: 'Users', count: users.data?.users.length },
    { label: 'VM Deployment Templates', count: templates.data?.templates.length },
  ]
  return (
    <>
      <ul className={styles.counts}>
        {counts.map(({ label, count }) => (
          <li key={label}>
            <Link to="/overview" className={styles.count}>
              <span className={styles.figure}>{count ?? '…'}</span>
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      {organization === null ? (
        <p className="dim">Choose a customer in the sidebar to see its trainings, what runs, and what it costs.</p>
      ) : (
        <Trainings organization={organization} asSuperadmin />
      )}
    </>
  )
}
