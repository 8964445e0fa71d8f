import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Panel } from '@trainyard/home/web/AttentionList.tsx'
import styles from '@trainyard/home/web/Attention.module.css'
import homeStyles from '@trainyard/home/web/Home.module.css'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { requestText } from '../contract/change-request-words.ts'

const REFRESH_MS = 30_000
const SHOWN = 5

/** Requests that wait for the decision of a superadmin. */
export default function WaitingRequests() {
  const { data } = useQuery({ ...query(api.changeRequest.list), refetchInterval: REFRESH_MS })
  const waiting = data?.toDecide ?? []
  if (waiting.length === 0) return null
  return (
    <Panel
      id="requests"
      title="Requests"
      count={waiting.length}
      rows={waiting.slice(0, SHOWN).map(({ id, organization, subject, by }) => (
        <li key={id}>
          <span className={homeStyles.name}>{requestText(subject)}</span>
          <span className="dim">
            {by}, {organization}
          </span>
          <span className={styles.actions}>
            <Link to="/requests" className={styles.action} aria-label={`Decide on ${requestText(subject)}`}>
              Decide
            </Link>
          </span>
        </li>
      ))}
    />
  )
}
