import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { countOf, PORTAL, SECTIONS, type Card, type Counts } from './cards.ts'
import styles from './Dashboard.module.css'
import { dashboardSections } from './slots.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { RunningNow } from './RunningNow.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'

const REFRESH_MS = 30_000

/** As high as the loaded counts on a wide screen, so that the content below does not shift. */
const LOADING = <Skeleton rows={4} height="7.7rem" />

export default function Dashboard() {
  const counts = useQuery({ ...query(api.home.dashboard), refetchInterval: REFRESH_MS })
  return (
    <Screen>
      <Fetched query={counts} loading={LOADING}>
        {(data) => (
          <>
            <Cards cards={PORTAL} counts={data} large />
            <div className={styles.sections}>
              {SECTIONS.map(({ title, cards }) => (
                <section key={title} className={styles.section} aria-label={title}>
                  <h2>{title}</h2>
                  <Cards cards={cards} counts={data} />
                </section>
              ))}
            </div>
          </>
        )}
      </Fetched>
      <RunningNow withDays />
      <Fills of={dashboardSections} props={{}} />
    </Screen>
  )
}

interface CardsProps {
  cards: readonly Card[]
  counts: Counts
  large?: boolean
}

const Cards = ({ cards, counts, large }: CardsProps) => (
  <ul className={`cards ${styles.cards}`} data-large={large || undefined}>
    {cards.map((card) => (
      <CountCard key={card.name} card={card} count={countOf(counts, card)} />
    ))}
  </ul>
)

const integerFormat = new Intl.NumberFormat('en-IN')

function CountCard({ card, count }: { card: Card; count: number }) {
  const { name, counts, to, hash, warns } = card
  return (
    <li>
      <ScreenLink to={to} hash={hash} className={`panel ${styles.card}`}>
        <span className={styles.name}>{name}</span>
        <span className={styles.figure} data-warns={(warns && count > 0) || undefined}>
          {integerFormat.format(count)}
        </span>
        <span className={styles.counts}>{counts}</span>
      </ScreenLink>
    </li>
  )
}
