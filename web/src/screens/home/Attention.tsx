import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Instant } from '#src/ui/Instant.tsx'
import { Rupees } from '#src/ui/Rupees.tsx'
import { ScreenLink } from '#src/ui/ScreenLink.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import styles from './Attention.module.css'
import { AttentionList } from './AttentionList.tsx'
import homeStyles from './Home.module.css'
import { Reconciliation } from './Reconciliation.tsx'

const REFRESH_MS = 30_000

type MachineAt = ReplyOf<typeof home.attention>['failing']['first'][number]

/** Things that need a superadmin's attention, kind by kind; each row links to its place. */
export function Attention() {
  const attention = useQuery({ ...query(api.home.attention), refetchInterval: REFRESH_MS })
  if (!attention.data) {
    return attention.isError ? (
      <FetchFailed text={attention.error.message} error={attention.error} retry={() => void attention.refetch()} />
    ) : (
      <Skeleton rows={4} height="4rem" />
    )
  }
  const { failing, quotaUsedUp, unpaid, uncredited, orphans } = attention.data
  return (
    <div className={styles.attention}>
      <AttentionList id="failing" title="Failing machines" count={failing.count} none="No machine is failing.">
        {failing.first.map((at) => (
          <MachineRow key={at.machine} at={at} to="/vm/vmdetails" />
        ))}
      </AttentionList>
      <AttentionList id="used-up" title="Quotas used up" count={quotaUsedUp.count} none="Every machine has hours left.">
        {quotaUsedUp.first.map((at) => (
          <MachineRow key={at.machine} at={at} to="/vm/quota" />
        ))}
      </AttentionList>
      <AttentionList id="unpaid" title="Unpaid" count={unpaid.count} none="Nobody owes anything.">
        {unpaid.first.map(({ organization, balancePaise }) => (
          <li key={organization}>
            <ScreenLink to="/ledger/account" search={{ organization }} className={homeStyles.name}>
              {organization}
            </ScreenLink>
            <Rupees paise={balancePaise} />
          </li>
        ))}
      </AttentionList>
      <AttentionList
        id="uncredited"
        title="Payments not credited"
        count={uncredited.count}
        none="Every payment was credited."
      >
        {uncredited.first.map(({ organization, order, reason }) => (
          <li key={order}>
            <ScreenLink to="/ledger/account" search={{ organization }} className={homeStyles.name}>
              {organization}
            </ScreenLink>
            <span className="dim">
              <span className="mono">{order}</span>: {reason}
            </span>
          </li>
        ))}
      </AttentionList>
      <AttentionList
        id="orphans"
        title="Orphans at the provider"
        count={orphans.count}
        none="Nothing stands at the provider that the portal does not know."
      >
        {orphans.first.map(({ resourceGroup, name, since }) => (
          <li key={`${resourceGroup} ${name}`}>
            <span className={`mono ${homeStyles.name}`}>{name}</span>
            <span className="dim">
              in {resourceGroup}, since <Instant at={since} />. It carries the portal’s tag, has no row here, and costs.
            </span>
          </li>
        ))}
      </AttentionList>
      <Reconciliation />
    </div>
  )
}

const MachineRow = ({ at, to }: { at: MachineAt; to: `/${string}` }) => (
  <li>
    <ScreenLink
      to={to}
      search={{ organization: at.organization, training: at.training }}
      className={`mono ${homeStyles.name}`}
    >
      {at.machine}
    </ScreenLink>
    <span className="dim">
      {at.training}, {at.organization}
    </span>
    {at.reason !== null && (
      <span className={styles.clamped} title={at.reason}>
        {at.reason}
      </span>
    )}
  </li>
)
