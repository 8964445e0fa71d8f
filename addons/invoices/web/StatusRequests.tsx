import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

/** Lists the customers whose request to change the tax status waits for a decision; empty if there are none. */
export function StatusRequests() {
  const { data } = useQuery(query(api.taxStatus.open))
  if (data === undefined || data.requests.length === 0) return null
  return (
    <section className="panel stack" aria-labelledby="status-requests">
      <h2 id="status-requests">Requests to Change the Tax Status</h2>
      <p>Decide them before you issue invoices: the status in force on that day applies.</p>
      <ul>
        {data.requests.map(({ id, organization, from }) => (
          <li key={id}>
            <Link to="/admin/organisation" search={{ organization }}>
              {organization}
            </Link>
            , from {formatDate(from)}
          </li>
        ))}
      </ul>
    </section>
  )
}
